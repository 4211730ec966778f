-- /// model
-- doc = "Main transcripts that recorded a repository known to have worktrees, or one of these."
-- grain = ["label", "repo_root_guess", "path"]
-- [columns]
-- label = "The source."
-- repo_root_guess = "The repository's main working tree."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- path = "Path of the transcript."
-- is_worktree = "Whether it recorded a worktree."
-- first_ts = "Earliest time recorded there."
-- last_ts = "Latest time recorded there."
-- ref = "The first record there."
-- ///
with
trees as (
    select w.label, w.repo_root_guess, w.worktree as tree, true as is_worktree
    from worktrees as w
    where w.repo_root_guess is not null
    union
    select w.label, w.repo_root_guess, w.repo_root_guess, false
    from worktrees as w
    where w.repo_root_guess is not null
)

select
    t.label,
    t.repo_root_guess,
    s.home,
    s.project_key,
    s.path,
    bool_or(t.is_worktree) as is_worktree,
    min(c.first_ts) as first_ts,
    max(c.last_ts) as last_ts,
    arg_min(
        line_ref(c.file_id, c.generation, c.first_line_no, c.first_part), (not t.is_worktree, c.first_position)
    ) as ref
from trees as t
inner join sessions as s
    on t.label = s.label
inner join session_cwds as c
    on s.file_id = c.file_id
    and s.generation = c.generation
    and lies_in(c.cwd, t.tree)
where c.n_main_lines > 0
group by
    t.label,
    t.repo_root_guess,
    s.home,
    s.project_key,
    s.path
