-- /// model
-- doc = "What the records of each transcript add up to."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_records = "Records that can be read, whole or in part."
-- n_user = "Records of type user."
-- n_assistant = "Records of type assistant."
-- n_human = "Requests of a person on the main chain."
-- first_ts = "Earliest recorded time."
-- last_ts = "Latest recorded time."
-- first_cwd = "First directory on the main chain."
-- last_cwd = "Last directory on the main chain."
-- n_without_cwd = "Records of the main chain without a directory."
-- first_version = "First recorded agent version."
-- last_version = "Last recorded agent version."
-- n_versions = "Distinct recorded agent versions."
-- n_session_ids = "Distinct session ids recorded in the lines."
-- first_line_no = "Line of the first record."
-- ///
select
    r.file_id,
    r.generation,
    count(*) as n_records,
    count(*) filter (where r.type = 'user') as n_user,
    count(*) filter (where r.type = 'assistant') as n_assistant,
    count(*) filter (where r.is_human_prompt and r.chain = 'main') as n_human,
    min(r.ts) as first_ts,
    max(r.ts) as last_ts,
    arg_min(r.cwd, r.position) filter (where r.cwd is not null and r.chain = 'main') as first_cwd,
    arg_max(r.cwd, r.position) filter (where r.cwd is not null and r.chain = 'main') as last_cwd,
    count(*) filter (where r.cwd is null and r.chain = 'main') as n_without_cwd,
    arg_min(r.agent_version, r.position) filter (where r.agent_version is not null) as first_version,
    arg_max(r.agent_version, r.position) filter (where r.agent_version is not null) as last_version,
    count(distinct r.agent_version) as n_versions,
    count(distinct r.recorded_session_id) as n_session_ids,
    min(r.line_no) as first_line_no
from records as r
group by
    r.file_id,
    r.generation
