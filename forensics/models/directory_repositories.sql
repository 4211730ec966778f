-- /// model
-- doc = "Recorded directories that lie in a repository known to have worktrees, or in one of these."
-- grain = ["label", "cwd"]
-- [columns]
-- label = "The source."
-- cwd = "The directory as recorded."
-- repo_root_guess = "The repository's main working tree."
-- ///
with
trees as (
    select w.label, w.worktree, w.repo_root_guess
    from worktrees as w
    where w.repo_root_guess is not null
    union
    select w.label, w.repo_root_guess, w.repo_root_guess
    from worktrees as w
    where w.repo_root_guess is not null
),

recorded as (
    select distinct t.label, c.cwd
    from session_cwds as c
    inner join transcripts as t
        on c.file_id = t.file_id
        and c.generation = t.generation
)

select
    r.label,
    r.cwd,
    arg_max(t.repo_root_guess, (length(t.worktree), t.worktree, t.repo_root_guess)) as repo_root_guess
from recorded as r
inner join trees as t
    on r.label = t.label
    and (r.cwd = t.worktree or starts_with(r.cwd, t.worktree || '/') or starts_with(r.cwd, t.worktree || '\'))
group by
    r.label,
    r.cwd
