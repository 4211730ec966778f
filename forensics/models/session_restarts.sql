-- /// model
-- doc = "Where a session seems to have been taken up again: another version of the agent, or a long silence, within one transcript."
-- grain = ["file_id", "generation", "position"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- line_no = "The first record after it."
-- part = "Its part."
-- position = "Its position."
-- before_line_no = "The last record before it."
-- before_position = "Its position."
-- agent_version = "The version after it."
-- version_before = "The version before it."
-- has_new_version = "Whether the two differ: another process."
-- gap_s = "Seconds of silence; negative where the clock went back."
-- ts = "Time of the first record after it."
-- ///
with
timed as (
    select
        r.file_id,
        r.generation,
        r.line_no,
        r.part,
        r.position,
        r.agent_version,
        r.ts,
        lag(r.agent_version) over w as version_before,
        lag(r.ts) over w as ts_before,
        lag(r.line_no) over w as before_line_no,
        lag(r.position) over w as before_position
    from records as r
    where r.role = 'main'
        and r.chain = 'main'
        and r.agent_version is not null
        and r.ts is not null
    window w as (partition by r.file_id, r.generation order by r.position)
)

select
    t.file_id,
    t.generation,
    t.line_no,
    t.part,
    t.position,
    t.before_line_no,
    t.before_position,
    t.agent_version,
    t.version_before,
    t.agent_version <> t.version_before as has_new_version,
    (epoch_us(t.ts) - epoch_us(t.ts_before)) // 1000000 as gap_s,
    t.ts
from timed as t
where t.version_before is not null
    and (t.agent_version <> t.version_before or epoch_us(t.ts) - epoch_us(t.ts_before) >= 1800000000)
