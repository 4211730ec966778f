-- /// model
-- doc = "Main transcripts: a session's file as it lies under a key; copies are rows of their own."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- session_id = "The session id that the file's name says."
-- path = "Path relative to the root."
-- agent = "The agent whose records these are."
-- size_bytes = "Bytes taken in."
-- n_lines = "Physical lines."
-- n_records = "Records that can be read, whole or in part."
-- n_user = "Records of type user."
-- n_assistant = "Records of type assistant."
-- n_human = "Requests of a person on the main chain."
-- first_ts = "Earliest recorded time."
-- last_ts = "Latest recorded time."
-- first_cwd = "First directory on the main chain."
-- last_cwd = "Last directory on the main chain."
-- dominant_cwd = "The directory of most records on the main chain; the earlier of equals."
-- n_cwds = "Distinct directories on the main chain."
-- n_runs = "Runs of one directory on the main chain."
-- n_returns = "Runs that come back to an earlier directory."
-- n_without_cwd = "Records of the main chain without a directory."
-- first_version = "First recorded agent version."
-- last_version = "Last recorded agent version."
-- n_versions = "Distinct recorded agent versions."
-- n_session_ids = "Distinct session ids recorded in the lines."
-- first_line_no = "Line of the first record, or null."
-- ///
select
    t.file_id,
    t.generation,
    t.label,
    t.home,
    t.project_key,
    t.session_id,
    t.path,
    t.agent,
    t.size_bytes,
    t.n_lines,
    coalesce(f.n_records, 0) as n_records,
    coalesce(f.n_user, 0) as n_user,
    coalesce(f.n_assistant, 0) as n_assistant,
    coalesce(f.n_human, 0) as n_human,
    f.first_ts,
    f.last_ts,
    f.first_cwd,
    f.last_cwd,
    d.dominant_cwd,
    coalesce(d.n_cwds, 0) as n_cwds,
    coalesce(r.n_runs, 0) as n_runs,
    coalesce(r.n_returns, 0) as n_returns,
    coalesce(f.n_without_cwd, 0) as n_without_cwd,
    f.first_version,
    f.last_version,
    coalesce(f.n_versions, 0) as n_versions,
    coalesce(f.n_session_ids, 0) as n_session_ids,
    f.first_line_no
from transcripts as t
left join session_facts as f
    on t.file_id = f.file_id
    and t.generation = f.generation
left join session_main_cwds as d
    on t.file_id = d.file_id
    and t.generation = d.generation
left join session_main_runs as r
    on t.file_id = r.file_id
    and t.generation = r.generation
where t.role = 'main'
