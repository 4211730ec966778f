-- /// model
-- doc = "Transcripts, main and subagent: the files whose lines are records of an agent."
-- grain = ["file_id", "generation"]
-- stored = false
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- place = "The home, or for a file outside any `projects/` the folder above the one it lies in."
-- folder = "The key, or for a file outside any `projects/` the folder it lies in, if that is named like a key."
-- role = "main or subagent."
-- session_id = "The session id that the file's name or folder says, else the only one that it records."
-- agent_id = "The subagent id that the file's name says, or null."
-- agent = "The agent whose records these are."
-- path = "Path relative to the root."
-- size_bytes = "Bytes taken in."
-- n_lines = "Physical lines."
-- n_gaps = "What could not be read, or was read with a reservation."
-- ///
select
    f.file_id,
    f.generation,
    f.label,
    f.home,
    f.project_key,
    case
        when f.project_key is not null then f.home
        else regexp_extract(f.path, '^(.*)/[^/]*/[^/]*$', 1)
    end as place,
    case
        when f.project_key is not null then f.project_key
        else nullif(regexp_extract(f.path, '(?:^|/)((?:-|[A-Za-z]--)[^/]*)/[^/]*$', 1), '')
    end as folder,
    f.role,
    coalesce(f.session_id_by_name, o.session_id) as session_id,
    f.agent_id_by_name as agent_id,
    f.agent,
    f.path,
    f.size_bytes,
    f.n_lines,
    f.n_gaps
from files as f
left join only_session_ids as o
    on f.file_id = o.file_id
    and f.generation = o.generation
where f.role in ('main', 'subagent')
    and f.n_lines is not null
