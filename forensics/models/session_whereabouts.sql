-- /// model
-- doc = "Directories that each main transcript names on its main chain, by its records or by a move, and whether they give its key."
-- grain = ["file_id", "generation", "basis", "first_position"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- cwd = "The directory."
-- basis = "folder_matching_cwd for one that records carry, else the kind of move: relocated or worktree-state."
-- first_position = "Position of the first record of the run, or of the move."
-- position = "Position of the last record of the run, or of the move."
-- ref = "That record."
-- how = "How it gives the key: exact, alias, case (where that is no matter), or null."
-- distance = "1 to 3 in that order; null when it does not."
-- ///
with
named as (
    select
        r.file_id,
        r.generation,
        r.cwd,
        'folder_matching_cwd' as basis,
        r.first_line_no * 67108864 + r.first_part as first_position,
        r.last_line_no * 67108864 + r.last_part as position,
        line_ref(r.file_id, r.generation, r.last_line_no, r.last_part) as ref
    from cwd_runs as r
    where r.chain = 'main'
    union all
    select
        m.file_id,
        m.generation,
        m.cwd,
        m.kind,
        m.position,
        m.position,
        line_ref(m.file_id, m.generation, m.line_no, m.part)
    from cwd_moves as m
    where m.cwd is not null
)

select
    n.file_id,
    n.generation,
    n.cwd,
    n.basis,
    n.first_position,
    n.position,
    n.ref,
    k.how,
    case k.how when 'exact' then 1 when 'alias' then 2 when 'case' then 3 end as distance
from named as n
inner join transcripts as t
    on n.file_id = t.file_id
    and n.generation = t.generation
    and t.role = 'main'
left join directories as d
    on n.cwd = d.cwd
left join session_keys as k
    on n.file_id = k.file_id
    and n.generation = k.generation
    and n.cwd = k.cwd
    and (k.how in ('exact', 'alias') or d.ignores_case_guess)
