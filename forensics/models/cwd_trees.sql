-- /// model
-- doc = "The working tree that each recorded directory lies in: a worktree, a repository that a probe saw, else the directory itself."
-- grain = ["label", "cwd"]
-- [columns]
-- label = "The source."
-- cwd = "The directory as recorded on a main chain."
-- tree = "The top of the working tree, or the directory in one spelling."
-- tree_basis = "worktree, git (a probe), or directory."
-- ///
with
dirs as (
    select distinct
        t.label,
        s.cwd,
        s.canonical_guess
    from session_cwds as s
    inner join transcripts as t
        on s.file_id = t.file_id
        and s.generation = t.generation
    where t.role = 'main'
        and s.n_main_lines > 0
),

inside as (
    select
        d.label,
        d.cwd,
        max(w.worktree) as worktree
    from dirs as d
    inner join worktrees as w
        on d.label = w.label
        and (d.cwd = w.worktree or starts_with(d.cwd, w.worktree || '/') or starts_with(d.cwd, w.worktree || '\'))
    group by
        d.label,
        d.cwd
)

select
    d.label,
    d.cwd,
    coalesce(i.worktree, p.git_top, d.canonical_guess) as tree,
    case
        when i.worktree is not null then 'worktree'
        when p.git_top is not null then 'git'
        else 'directory'
    end as tree_basis
from dirs as d
left join inside as i
    on d.label = i.label
    and d.cwd = i.cwd
left join probe_paths as p
    on d.label = p.label
    and d.cwd = p.path
