-- /// model
-- doc = "Tool calls with their results, matched by id within a file."
-- grain = ["file_id", "generation", "line_no", "part", "block_no"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Line of the call."
-- part = "Its part."
-- block_no = "Position in the message."
-- tool_use_id = "The call's id."
-- tool_name = "The tool."
-- file_path = "The file named in the input, if any."
-- cwd = "The working directory recorded in the calling line."
-- result_line_no = "First line with the result, or null."
-- is_error = "The error flag of that result; null without one."
-- ///
with
answers as (
    select
        r.file_id,
        r.generation,
        r.tool_use_id,
        min(r.line_no) as result_line_no,
        arg_min(r.is_error, (r.line_no, r.part, r.block_no)) as is_error
    from tool_results as r
    where r.tool_use_id is not null
    group by
        r.file_id,
        r.generation,
        r.tool_use_id
)

select
    c.file_id,
    c.generation,
    c.line_no,
    c.part,
    c.block_no,
    c.tool_use_id,
    c.tool_name,
    c.file_path,
    c.cwd,
    a.result_line_no,
    a.is_error
from tool_calls as c
left join answers as a
    on c.file_id = a.file_id
    and c.generation = a.generation
    and c.tool_use_id = a.tool_use_id
