-- /// model
-- doc = "Titles that a session was given, as hashes; the text is in the table text."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- kind = "custom-title, ai-title or agent-name."
-- title_hash = "xxh3-64 of the title, hex."
-- is_last = "Whether no later title of this kind follows."
-- ///
select
    m.file_id,
    m.generation,
    m.line_no,
    m.part,
    m.kind,
    m.value as title_hash,
    row_number() over (
        partition by m.file_id, m.generation, m.kind
        order by m.line_no desc, m.part desc
    ) = 1 as is_last
from marks as m
where m.kind in ('custom-title', 'ai-title', 'agent-name')
    and m.name = 'title_hash'
