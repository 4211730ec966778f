-- /// model
-- doc = "What shows that a directory is the top of a git worktree, one row a kind of witness."
-- grain = ["label", "worktree", "witness"]
-- [columns]
-- label = "The source."
-- worktree = "The worktree's top directory."
-- witness = "git_list (a probe), worktree_state, agent_meta, relocated (beside another only), pattern."
-- repo_root = "The repository, where the witness names it."
-- worktree_name = "The worktree's name, where the witness names it."
-- ref = "Where the witness stands first; null for a probe and for a pattern."
-- ///
with
spoken as (
    select
        f.label,
        m.cwd as worktree,
        case m.kind when 'relocated' then 'relocated' else 'worktree_state' end as witness,
        m.original_cwd as repo_root,
        m.worktree_name,
        f.path,
        m.position,
        line_ref(m.file_id, m.generation, m.line_no, m.part) as ref
    from cwd_moves as m
    inner join files as f on m.file_id = f.file_id and m.generation = f.generation
    where m.cwd is not null
    union all
    select f.label, m.value, 'agent_meta', null, null, f.path, 0, file_ref(m.file_id, m.generation)
    from marks as m
    inner join files as f on m.file_id = f.file_id and m.generation = f.generation
    where m.kind = 'agent-meta' and m.name = 'worktree_path'
    union all
    select p.label, p.worktree_path, 'git_list', p.repo_root, null, '', 0, null
    from probe_worktrees as p
    where p.worktree_path <> p.repo_root
    union all
    select distinct
        t.label, c.worktree_root_guess, 'pattern', c.repo_root_guess, c.worktree_name_guess, '', 0,
        null::struct(
            file_id bigint, generation integer, line_no bigint, part integer, label varchar, folder varchar
        )
    from session_cwds as s
    inner join transcripts as t on s.file_id = t.file_id and s.generation = t.generation
    inner join cwds as c on s.cwd = c.cwd
    where c.worktree_root_guess is not null
)

select
    s.label,
    s.worktree,
    s.witness,
    arg_min(s.repo_root, (s.path, s.position)) filter (where s.repo_root is not null) as repo_root,
    arg_min(s.worktree_name, (s.path, s.position)) filter (where s.worktree_name is not null) as worktree_name,
    arg_min(s.ref, (s.path, s.position)) filter (where s.ref is not null) as ref
from spoken as s
group by
    s.label,
    s.worktree,
    s.witness
