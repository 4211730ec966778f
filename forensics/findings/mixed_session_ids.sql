-- /// finding
-- id = "F009"
-- kind = "risk"
-- confidence = "observed"
-- title = "A file holds records of several sessions"
-- claim = "The records of this transcript carry session ids other than the one in its name: a file is not a session here, and counting by either gives other numbers."
-- does_not_show = "Which session a person would call this one: versions up to 1.0 wrote files like this when a session was resumed."
-- next = "`forensics sql` over lines by session_id; the first record of each id is cited."
-- grain = ["label", "path"]
-- denominator = "select count(*) from sessions where n_session_ids > 0"
-- denominator_of = "main transcripts that record a session id"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- session_id = "The session id that the file's name says."
-- n_session_ids = "Distinct session ids recorded."
-- own_share = "Share of the records with an id that carry the file's own; 0 when it is absent."
-- session_ids = "The recorded ids, in the order in which they come first."
-- records_by_id = "Records of each."
-- first_version = "First recorded agent version."
-- ///
with
ids as (
    select
        r.file_id,
        r.generation,
        r.recorded_session_id,
        count(*) as n_records,
        min(r.position) as position,
        arg_min(line_ref(r.file_id, r.generation, r.line_no, r.part), r.position) as ref
    from records as r
    where r.role = 'main'
        and r.recorded_session_id is not null
    group by
        r.file_id,
        r.generation,
        r.recorded_session_id
)

select
    s.label,
    s.path,
    s.session_id,
    count(*) as n_session_ids,
    round(
        coalesce(sum(i.n_records) filter (where i.recorded_session_id = s.session_id), 0)::double
        / sum(i.n_records)::double, 4
    ) as own_share,
    list(i.recorded_session_id order by i.position) as session_ids,
    list(i.n_records order by i.position) as records_by_id,
    s.first_version,
    list(i.ref order by i.position)[1:12] as refs
from sessions as s
inner join ids as i
    on s.file_id = i.file_id
    and s.generation = i.generation
group by
    s.label,
    s.path,
    s.session_id,
    s.first_version
having bool_or(i.recorded_session_id is distinct from s.session_id)
order by
    s.label,
    s.path
