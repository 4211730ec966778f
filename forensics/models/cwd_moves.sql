-- /// model
-- doc = "Records that say a session was moved: `relocated` and `worktree-state` lines."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- position = "Orders the records of a file."
-- kind = "relocated or worktree-state."
-- cwd = "Where to; null where a worktree was left."
-- original_cwd = "Where from, where the record says so."
-- worktree_name = "The worktree's name, where the record says so."
-- worktree_branch = "Its branch, where the record says so."
-- ///
select
    m.file_id,
    m.generation,
    m.line_no,
    m.part,
    m.line_no * 67108864 + m.part as position,
    m.kind,
    max(m.value) filter (where m.name in ('relocated_cwd', 'worktree_path')) as cwd,
    max(m.value) filter (where m.name = 'original_cwd') as original_cwd,
    max(m.value) filter (where m.name = 'worktree_name') as worktree_name,
    max(m.value) filter (where m.name = 'worktree_branch') as worktree_branch
from marks as m
where m.kind in ('relocated', 'worktree-state')
group by
    m.file_id,
    m.generation,
    m.line_no,
    m.part,
    m.kind
