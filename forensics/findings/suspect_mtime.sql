-- /// finding
-- id = "F051"
-- kind = "risk"
-- confidence = "heuristic"
-- title = "A file's modification time does not tell when its session was alive"
-- claim = "The modification time of this transcript cannot be that of its last writing: it lies before its last content, or several transcripts share one second in which none of them had content near."
-- does_not_show = "Who changed the time. Copying without times kept does it, so do checkouts and unpacked archives; a copy that took longer than a second a file is not noticed by this."
-- next = "Do not trust `alive` on such a source; copy the evidence again with its times (cp -p, rsync -t, tar), or go by the recorded times."
-- grain = ["label", "path", "reason"]
-- denominator = "select count(*) from mtime_companions"
-- denominator_of = "main transcripts with content"
-- [params]
-- min_files = { default = 3, doc = "How many transcripts must share a second." }
-- near_s = { default = 60, doc = "Content within so many seconds of the time explains it." }
-- slack_s = { default = 2, doc = "So many seconds a file may be older than its content." }
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- reason = "before_content or shared_second."
-- session_id = "The session id that the file's name says."
-- mtime = "The modification time."
-- last_content_ts = "Latest time of a record of type user or assistant."
-- idle_gap_s = "Seconds from that to the modification time."
-- n_same_second = "Main transcripts of the source with a modification time in the same second."
-- ///
with
judged as (
    select
        e.file_id,
        e.generation,
        e.idle_gap_s < -$slack_s as is_before,
        c.n_same_second >= $min_files and c.nearest_content_s > $near_s as is_shared,
        c.n_same_second
    from session_ends as e
    inner join mtime_companions as c
        on e.file_id = c.file_id
        and e.generation = c.generation
),

told as (
    select j.file_id, j.generation, 'before_content' as reason, j.n_same_second
    from judged as j
    where j.is_before
    union all
    select j.file_id, j.generation, 'shared_second', j.n_same_second
    from judged as j
    where j.is_shared
)

select
    e.label,
    e.path,
    t.reason,
    s.session_id,
    e.mtime,
    e.last_content_ts,
    e.idle_gap_s,
    t.n_same_second,
    [line_ref(e.file_id, e.generation, e.last_content_line_no, e.last_content_part)] as refs
from told as t
inner join session_ends as e
    on t.file_id = e.file_id
    and t.generation = e.generation
inner join sessions as s
    on t.file_id = s.file_id
    and t.generation = s.generation
order by
    e.label,
    e.path,
    t.reason
