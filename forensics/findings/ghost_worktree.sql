-- /// finding
-- id = "F025"
-- kind = "measure"
-- confidence = "observed"
-- title = "git lists a worktree in which no session of this source worked"
-- claim = "A probe found this worktree in the list of a repository of this source, and no record of it here names the worktree or a directory in it. The folders of keys that were searched are cited."
-- does_not_show = "That no agent ever worked there: its transcripts may be deleted, or in a home that was not taken in."
-- next = "`forensics locate` with the worktree's key; take in other homes."
-- grain = ["label", "worktree"]
-- needs = ["probe_worktrees"]
-- denominator = "select count(*) from probe_worktrees where worktree_path <> repo_root"
-- denominator_of = "worktrees that git lists"
-- [columns]
-- label = "The source."
-- worktree = "The worktree's path."
-- repo_root = "Its repository."
-- branch = "Its branch; null when detached."
-- is_locked = "Whether it is locked against removal."
-- ///
with
folders as (
    select distinct
        k.label,
        projects_folder(k.home) as path
    from keys as k
),

homes as (
    select
        f.label,
        list(folder_ref(f.label, f.path) order by f.path)[1:12] as refs
    from folders as f
    group by f.label
)

select
    p.label,
    p.worktree_path as worktree,
    p.repo_root,
    p.branch,
    p.is_locked,
    h.refs
from probe_worktrees as p
inner join homes as h
    on p.label = h.label
where p.worktree_path <> p.repo_root
    and not exists (
        select 1
        from session_cwds as c
        inner join transcripts as t
            on c.file_id = t.file_id
            and c.generation = t.generation
        where t.label = p.label
            and lies_in(c.cwd, p.worktree_path)
    )
order by
    p.label,
    worktree
