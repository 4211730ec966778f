-- /// finding
-- id = "F024"
-- kind = "fault"
-- confidence = "observed"
-- title = "git still lists a worktree whose directory is gone"
-- claim = "A probe found this worktree in the repository's list and no directory at its path, and sessions of this source worked in it."
-- does_not_show = "That its branch is gone: the commits are still in the repository."
-- next = "`git worktree prune` in the repository, or make the directory again with `git worktree repair`; the sessions can be resumed from its path."
-- grain = ["label", "worktree"]
-- needs = ["probe_worktrees", "probe_paths"]
-- denominator = "select count(*) from probe_worktrees where worktree_path <> repo_root"
-- denominator_of = "worktrees that git lists"
-- [columns]
-- label = "The source."
-- worktree = "The worktree's path."
-- repo_root = "Its repository."
-- branch = "Its branch; null when detached."
-- is_locked = "Whether it is locked against removal."
-- n_sessions = "Sessions of this source that recorded the directory or one in it."
-- last_ts = "Latest time recorded there."
-- ///
select
    p.label,
    p.worktree_path as worktree,
    p.repo_root,
    p.branch,
    p.is_locked,
    count(distinct c.file_id) as n_sessions,
    max(c.last_ts) as last_ts,
    list(
        line_ref(c.file_id, c.generation, c.first_line_no, c.first_part) order by t.path, c.first_position
    )[1:12] as refs
from probe_worktrees as p
left join probe_paths as d
    on p.label = d.label
    and p.worktree_path = d.path
inner join transcripts as t
    on p.label = t.label
inner join session_cwds as c
    on t.file_id = c.file_id
    and t.generation = c.generation
    and lies_in(c.cwd, p.worktree_path)
where p.worktree_path <> p.repo_root
    and (p.is_prunable or not coalesce(d."exists", true))
group by
    p.label,
    p.worktree_path,
    p.repo_root,
    p.branch,
    p.is_locked
order by
    p.label,
    worktree
