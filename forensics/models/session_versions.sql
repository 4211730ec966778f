-- /// model
-- doc = "Agent versions recorded in each transcript; one empty version where none is recorded."
-- grain = ["file_id", "generation", "agent_version"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- agent_version = "As recorded, or empty."
-- n_lines = "Records that carry it."
-- first_position = "Position of the first."
-- last_position = "Position of the last."
-- ///
with
recorded as (
    select
        r.file_id,
        r.generation,
        r.agent_version,
        count(*) as n_lines,
        min(r.position) as first_position,
        max(r.position) as last_position
    from records as r
    where r.agent_version is not null
    group by
        r.file_id,
        r.generation,
        r.agent_version
)

select
    t.file_id,
    t.generation,
    coalesce(v.agent_version, '') as agent_version,
    coalesce(v.n_lines, 0) as n_lines,
    v.first_position,
    v.last_position
from transcripts as t
left join recorded as v
    on t.file_id = v.file_id
    and t.generation = v.generation
