-- /// model
-- doc = "Records with a working directory, each with the number of the run it belongs to."
-- grain = ["file_id", "generation", "chain", "chain_agent_id", "position"]
-- stored = false
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- chain = "main or sidechain."
-- chain_agent_id = "The subagent of a sidechain; empty on the main chain."
-- position = "Orders the records of a file."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- cwd = "The directory as recorded."
-- status = "ok or salvaged."
-- ts = "Recorded time."
-- run_no = "Number of the run in its chain, from 1."
-- ///
with
placed as (
    select
        r.file_id,
        r.generation,
        r.chain,
        r.chain_agent_id,
        r.position,
        r.line_no,
        r.part,
        r.cwd,
        r.status,
        r.ts,
        lag(r.cwd) over (
            partition by r.file_id, r.generation, r.chain, r.chain_agent_id
            order by r.position
        ) as cwd_before
    from records as r
    where r.cwd is not null
)

select
    p.file_id,
    p.generation,
    p.chain,
    p.chain_agent_id,
    p.position,
    p.line_no,
    p.part,
    p.cwd,
    p.status,
    p.ts,
    count(*) filter (where p.cwd is distinct from p.cwd_before) over (
        partition by p.file_id, p.generation, p.chain, p.chain_agent_id
        order by p.position
        rows unbounded preceding
    ) as run_no
from placed as p
