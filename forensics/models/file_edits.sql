-- /// model
-- doc = "Files that a session's tools wrote or changed, with the time of each call."
-- grain = ["file_id", "generation", "line_no", "part", "block_no"]
-- [columns]
-- file_id = "The transcript."
-- generation = "Its generation."
-- line_no = "Line of the call."
-- part = "Its part."
-- block_no = "Position in the message."
-- file_path = "The file named in the call."
-- ts = "Time of the calling record."
-- ///
select
    u.file_id,
    u.generation,
    u.line_no,
    u.part,
    u.block_no,
    u.file_path,
    r.ts
from tool_uses as u
inner join records as r
    on u.file_id = r.file_id
    and u.generation = r.generation
    and u.line_no = r.line_no
    and u.part = r.part
where u.tool_name in ('Edit', 'MultiEdit', 'Write', 'NotebookEdit')
    and u.file_path is not null
    and coalesce(not u.is_error, true)
