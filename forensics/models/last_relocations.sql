-- /// model
-- doc = "The last `relocated` record of each transcript."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Its line."
-- part = "Its part."
-- cwd = "Where to."
-- ///
select
    m.file_id,
    m.generation,
    arg_max(m.line_no, m.position) as line_no,
    arg_max(m.part, m.position) as part,
    arg_max(m.cwd, m.position) as cwd
from cwd_moves as m
where m.kind = 'relocated'
    and m.cwd is not null
group by
    m.file_id,
    m.generation
