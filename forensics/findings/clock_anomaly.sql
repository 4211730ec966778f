-- /// finding
-- id = "F055"
-- kind = "risk"
-- confidence = "observed"
-- title = "The clock of a transcript went back, or ahead of its time"
-- claim = "`back`: a record here is older by minutes or more than the record that it follows by its own word. `ahead`: a record is later than the time as of which the evidence was taken in."
-- does_not_show = "Which of two clocks was right. That lines stand out of order in a file is common and not meant: only records that follow each other count. Without a given time of taking in, nothing can be ahead."
-- next = "Order such a session by its lines, not by its times; do not compare its times with those of others."
-- grain = ["label", "path", "anomaly"]
-- denominator = "select count(*) from sessions where first_ts is not null"
-- denominator_of = "main transcripts with a time"
-- [params]
-- min_s = { default = 600, doc = "Seconds that the clock must be off." }
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- anomaly = "back or ahead."
-- session_id = "The session id that the file's name says."
-- n_records = "Records concerned."
-- off_s = "Seconds of the worst of them."
-- line_no = "Its line."
-- ts = "Its time."
-- expected_ts = "The time it should not be before, or after: of the record it follows, or of the taking in."
-- ///
with
odd as (
    select
        c.file_id, c.generation, c.position, 'back' as anomaly, c.line_no, c.part, c.ts,
        c.parent_ts as expected_ts, c.back_s as off_s,
        [
            line_ref(c.file_id, c.generation, c.line_no, c.part),
            line_ref(c.file_id, c.generation, c.parent_line_no, c.parent_part)
        ] as refs
    from chain_times as c
    where c.back_s >= $min_s
    union all
    select
        r.file_id, r.generation, r.position, 'ahead', r.line_no, r.part, r.ts,
        i.as_of, date_diff('millisecond', i.as_of, r.ts)::double / 1000,
        [line_ref(r.file_id, r.generation, r.line_no, r.part)]
    from records as r
    inner join case_info as i on date_diff('millisecond', i.as_of, r.ts) >= $min_s * 1000
),

worst as (
    select o.file_id, o.generation, o.anomaly, o.line_no, o.ts, o.expected_ts, o.off_s, o.refs,
        count(*) over (partition by o.file_id, o.generation, o.anomaly) as n_records
    from odd as o
    qualify row_number() over (
        partition by o.file_id, o.generation, o.anomaly order by o.off_s desc, o.position
    ) = 1
)

select
    s.label,
    s.path,
    w.anomaly,
    s.session_id,
    w.n_records,
    w.off_s,
    w.line_no,
    w.ts,
    w.expected_ts,
    w.refs
from worst as w
inner join sessions as s on w.file_id = s.file_id and w.generation = s.generation
order by s.label, s.path, w.anomaly
