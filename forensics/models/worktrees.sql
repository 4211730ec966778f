-- /// model
-- doc = "Git worktrees that the evidence knows of, with all witnesses."
-- grain = ["label", "worktree"]
-- [columns]
-- label = "The source."
-- worktree = "The worktree's top directory."
-- witnesses = "git_list, worktree_state, agent_meta, relocated, pattern: those that hold."
-- confidence = "observed when more than a path pattern shows it, else heuristic."
-- repo_root_guess = "The repository it belongs to, by the firmest witness."
-- repo_basis = "The witness that names the repository."
-- worktree_name_guess = "The worktree's name."
-- state = "registered, gone, unregistered (there, but git does not list it), or unknown without a probe."
-- refs = "Where the witnesses stand."
-- ///
with
ranked as (
    select
        w.label,
        w.worktree,
        w.witness,
        w.repo_root,
        w.worktree_name,
        w.ref,
        case w.witness
            when 'git_list' then 1
            when 'worktree_state' then 2
            when 'agent_meta' then 3
            when 'pattern' then 4
            else 5
        end as rank
    from worktree_witnesses as w
)

select
    r.label,
    r.worktree,
    list(r.witness order by r.rank) as witnesses,
    case when min(r.rank) < 4 then 'observed' else 'heuristic' end as confidence,
    arg_min(r.repo_root, r.rank) filter (where r.repo_root is not null) as repo_root_guess,
    arg_min(r.witness, r.rank) filter (where r.repo_root is not null) as repo_basis,
    arg_min(r.worktree_name, r.rank) filter (where r.worktree_name is not null) as worktree_name_guess,
    case
        when bool_or(p.path is not null and not p."exists") then 'gone'
        when bool_or(r.witness = 'git_list') then 'registered'
        when bool_or(p."exists") then 'unregistered'
        else 'unknown'
    end as state,
    coalesce(list(r.ref order by r.rank) filter (where r.ref is not null), []) as refs
from ranked as r
left join probe_paths as p
    on r.label = p.label
    and r.worktree = p.path
group by
    r.label,
    r.worktree
having min(r.rank) < 5
