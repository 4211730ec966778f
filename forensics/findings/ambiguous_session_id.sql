-- /// finding
-- id = "F042"
-- kind = "risk"
-- confidence = "rule"
-- title = "One session id stands under several keys of a home"
-- claim = "Transcripts with messages and this id lie under at least two keys of one home. `--resume` with the id takes the one of the key it is asked in, and was seen to refuse (`No conversation found`) from anywhere else."
-- does_not_show = "Whether the files hold the same history: duplicate_session says so. An id that stands in two homes is no matter, as a lookup reads one home."
-- next = "`forensics session ID` lists them with a command each; or name the file itself: `--resume PATH.jsonl`."
-- grain = ["label", "home", "session_id"]
-- denominator = "select count(distinct (label, home, session_id)) from sessions where project_key is not null and n_user + n_assistant > 0 and ends_with(path, concat(session_id, '.jsonl'))"
-- denominator_of = "session ids with messages"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- session_id = "The session id that the files' names say."
-- n_keys = "Keys it stands under."
-- project_keys = "These keys."
-- paths = "The files, in the order of the keys."
-- resume_cwds = "For each the directory in which `--resume` takes it; null where none is recorded."
-- last_ts = "Latest time recorded in one of them."
-- newest_path = "The file with the latest recorded time."
-- ///
select
    s.label,
    s.home,
    s.session_id,
    count(*) as n_keys,
    list(s.project_key order by s.path) as project_keys,
    list(s.path order by s.path) as paths,
    list(p.resume_cwd order by s.path) as resume_cwds,
    max(s.last_ts) as last_ts,
    arg_max(s.path, (coalesce(s.last_ts, '-infinity'::timestamp with time zone), s.path)) as newest_path,
    list(file_ref(s.file_id, s.generation) order by s.path) as refs
from sessions as s
inner join resume_places as p
    on s.file_id = p.file_id
    and s.generation = p.generation
where s.project_key is not null
    and ends_with(s.path, concat(s.session_id, '.jsonl'))
    and s.n_user + s.n_assistant > 0
group by
    s.label,
    s.home,
    s.session_id
having count(distinct s.project_key) > 1
order by
    s.label,
    s.home,
    s.session_id
