-- /// model
-- doc = "The last record of each transcript that moved it somewhere."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Its line."
-- part = "Its part."
-- kind = "relocated or worktree-state."
-- cwd = "Where to; null where a worktree was left."
-- ///
select
    m.file_id,
    m.generation,
    arg_max(m.line_no, m.position) as line_no,
    arg_max(m.part, m.position) as part,
    arg_max(m.kind, m.position) as kind,
    arg_max(m.cwd, m.position) as cwd
from cwd_moves as m
group by
    m.file_id,
    m.generation
