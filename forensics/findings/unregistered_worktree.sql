-- /// finding
-- id = "F030"
-- kind = "risk"
-- confidence = "observed"
-- title = "A worktree's directory is there, and git does not know it"
-- claim = "The evidence says that this was a worktree, a probe found the directory, and no repository lists it: a session resumed there works outside of git, or in another repository."
-- does_not_show = "That files are lost: they stand in the directory. A directory known as a worktree by its path alone may never have been one."
-- next = "Look for a `.git` file in the directory; `git worktree repair` in the repository."
-- grain = ["label", "worktree"]
-- needs = ["probe_worktrees", "probe_paths"]
-- denominator = "select count(*) from worktrees as w where exists (select 1 from probe_paths as p where p.label = w.label and p.path = w.worktree)"
-- denominator_of = "worktrees that a probe looked at"
-- [columns]
-- label = "The source."
-- worktree = "The worktree's top directory, as recorded."
-- witnesses = "What shows that it was a worktree."
-- repo_root_guess = "The repository it belonged to."
-- n_sessions = "Sessions of this source that recorded the directory or one in it."
-- last_ts = "Latest time recorded there."
-- ///
select
    w.label,
    w.worktree,
    w.witnesses,
    w.repo_root_guess,
    count(distinct c.file_id) as n_sessions,
    max(c.last_ts) as last_ts,
    list(
        line_ref(c.file_id, c.generation, c.first_line_no, c.first_part) order by t.path, c.first_position
    )[1:12] as refs
from worktrees as w
inner join transcripts as t
    on w.label = t.label
inner join session_cwds as c
    on t.file_id = c.file_id
    and t.generation = c.generation
    and lies_in(c.cwd, w.worktree)
where w.state = 'unregistered'
group by
    w.label,
    w.worktree,
    w.witnesses,
    w.repo_root_guess
order by
    w.label,
    w.worktree
