-- /// model
-- doc = "The session that is newest in each key: what --continue looks at first there, and whose it is."
-- grain = ["label", "home", "project_key"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- file_id = "The newest main transcript with a message in it and its session id as its name."
-- generation = "Its generation."
-- session_id = "Its session id, by its name."
-- owner_cwd = "The directory it belongs to; null when none of its directories gives the key."
-- head_cwd = "Its first directory, or null."
-- is_misplaced = "Whether it records directories and none of them gives the key."
-- newest_by = "mtime, or last_ts where no file of the key has one."
-- mtime_ns = "Its modification time, nanoseconds since 1970, or null."
-- n_sessions = "Main transcripts with a message under the key."
-- ///
with
spoken as (
    select
        s.label,
        s.home,
        s.project_key,
        s.file_id,
        s.generation,
        s.session_id,
        s.path,
        s.first_cwd,
        p.owner_cwd,
        a.mtime_ns,
        coalesce(a.mtime_ns, epoch_ns(s.last_ts), 0) as newness
    from sessions as s
    inner join resume_places as p using (file_id, generation)
    left join acquisition as a using (file_id, generation)
    where s.project_key is not null
        and s.n_user + s.n_assistant > 0
        and ends_with(s.path, concat(s.session_id, '.jsonl'))
)

select
    s.label,
    s.home,
    s.project_key,
    arg_max(s.file_id, (s.newness, s.path)) as file_id,
    arg_max(s.generation, (s.newness, s.path)) as generation,
    arg_max(s.session_id, (s.newness, s.path)) as session_id,
    nullif(arg_max(coalesce(s.owner_cwd, ''), (s.newness, s.path)), '') as owner_cwd,
    nullif(arg_max(coalesce(s.first_cwd, ''), (s.newness, s.path)), '') as head_cwd,
    arg_max(s.owner_cwd is null and s.first_cwd is not null, (s.newness, s.path)) as is_misplaced,
    case when count(s.mtime_ns) > 0 then 'mtime' else 'last_ts' end as newest_by,
    nullif(arg_max(coalesce(s.mtime_ns, -1), (s.newness, s.path)), -1) as mtime_ns,
    count(*) as n_sessions
from spoken as s
group by
    s.label,
    s.home,
    s.project_key
