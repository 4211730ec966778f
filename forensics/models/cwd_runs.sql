-- /// model
-- doc = "Runs of records with one working directory, in line order; each subagent's chain runs by itself."
-- grain = ["file_id", "generation", "chain", "chain_agent_id", "run_no"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- chain = "main or sidechain."
-- chain_agent_id = "The subagent of a sidechain; empty on the main chain."
-- run_no = "Number of the run in its chain, from 1."
-- cwd = "The directory as recorded."
-- n_lines = "Records of the run; those without a directory neither count nor end it."
-- n_salvaged = "Those of them that stand on a damaged line."
-- first_line_no = "Line of the first."
-- first_part = "Part of the first."
-- last_line_no = "Line of the last."
-- last_part = "Part of the last."
-- first_ts = "Earliest recorded time."
-- last_ts = "Latest recorded time."
-- is_return = "Whether an earlier run of the chain had the same directory."
-- ///
select
    s.file_id,
    s.generation,
    s.chain,
    s.chain_agent_id,
    s.run_no,
    s.cwd,
    count(*) as n_lines,
    count(*) filter (where s.status = 'salvaged') as n_salvaged,
    arg_min(s.line_no, s.position) as first_line_no,
    arg_min(s.part, s.position) as first_part,
    arg_max(s.line_no, s.position) as last_line_no,
    arg_max(s.part, s.position) as last_part,
    min(s.ts) as first_ts,
    max(s.ts) as last_ts,
    row_number() over (
        partition by s.file_id, s.generation, s.chain, s.chain_agent_id, s.cwd
        order by s.run_no
    ) > 1 as is_return
from cwd_steps as s
group by
    s.file_id,
    s.generation,
    s.chain,
    s.chain_agent_id,
    s.run_no,
    s.cwd
