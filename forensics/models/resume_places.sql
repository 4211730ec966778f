-- /// model
-- doc = "The directory to go to before each session is resumed: the one that gives the key it lies under."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- resume_cwd = "The directory; null when none is recorded."
-- resume_basis = "relocated or worktree-state (a record that moved it there), folder_matching_cwd (the last recorded one that gives the key), last_recorded_cwd (none gives it)."
-- how = "How it gives the key: exact, alias, case (where that is no matter), or null."
-- resume_ref = "The last record that names it."
-- last_recorded_cwd = "The last directory on the main chain."
-- last_recorded_ref = "The last record that carries it."
-- owner_cwd = "The directory the session belongs to: a move's target, else the first recorded one that gives the key; null when none does."
-- ///
with
matching as (
    select
        r.file_id,
        r.generation,
        arg_min(
            {'cwd': r.cwd, 'basis': r.basis, 'how': r.how, 'ref': r.ref},
            (r.distance, r.basis <> 'relocated', -r.position)
        ) as best,
        arg_min(r.cwd, (r.distance, r.basis <> 'relocated', r.first_position)) as owner_cwd
    from session_whereabouts as r
    where r.distance is not null
    group by r.file_id, r.generation
),

latest as (
    select
        n.file_id,
        n.generation,
        arg_max({'cwd': n.cwd, 'ref': n.ref}, n.position) as record
    from session_whereabouts as n
    where n.basis = 'folder_matching_cwd'
    group by n.file_id, n.generation
)

select
    t.file_id,
    t.generation,
    coalesce(m.best.cwd, l.record.cwd) as resume_cwd,
    coalesce(m.best.basis, case when l.record is not null then 'last_recorded_cwd' end) as resume_basis,
    m.best.how as how,
    coalesce(m.best.ref, l.record.ref) as resume_ref,
    l.record.cwd as last_recorded_cwd,
    l.record.ref as last_recorded_ref,
    m.owner_cwd
from transcripts as t
left join matching as m
    on t.file_id = m.file_id
    and t.generation = m.generation
left join latest as l
    on t.file_id = l.file_id
    and t.generation = l.generation
where t.role = 'main'
