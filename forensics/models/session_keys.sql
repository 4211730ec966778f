-- /// model
-- doc = "Which directories of a transcript encode to the key it lies under, and how."
-- grain = ["file_id", "generation", "cwd"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- cwd = "A directory recorded in the transcript, or named by a relocation in it."
-- how = "exact: as recorded; alias: in another spelling; case: but for upper and lower case."
-- alias = "The kind of other spelling; empty for the directory as recorded."
-- rule = "The first rule, by name, that gives the key."
-- basis = "observed, interpolated or beyond_observed."
-- ///
with
dirs as (
    select file_id, generation, cwd
    from session_cwds
    union
    select file_id, generation, cwd
    from cwd_moves
    where cwd is not null
),

matches as (
    select
        d.file_id,
        d.generation,
        d.cwd,
        k.alias,
        r.rule,
        r.basis,
        case
            when k.key = t.project_key and k.alias = '' then 1
            when k.key = t.project_key then 2
            else 3
        end as distance
    from dirs as d
    inner join transcripts as t
        on d.file_id = t.file_id
        and d.generation = t.generation
    inner join session_rules as r
        on d.file_id = r.file_id
        and d.generation = r.generation
    inner join cwd_keys as k
        on d.cwd = k.cwd
        and r.rule = k.rule
    where k.key = t.project_key
        or (k.alias in ('', 'case') and lower(k.key) = lower(t.project_key))
)

select
    m.file_id,
    m.generation,
    m.cwd,
    case min(m.distance)
        when 1 then 'exact'
        when 2 then 'alias'
        else 'case'
    end as how,
    arg_min(m.alias, (m.distance, m.alias, m.rule)) as alias,
    arg_min(m.rule, (m.distance, m.alias, m.rule)) as rule,
    arg_min(m.basis, (m.distance, m.alias, m.rule)) as basis
from matches as m
group by
    m.file_id,
    m.generation,
    m.cwd
