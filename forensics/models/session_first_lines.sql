-- /// model
-- doc = "What stands on the first line of each main transcript: a name given at the start leaves its trace there."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- first_line_type = "Type of the record on line 1; null when it cannot be read."
-- first_title_hash = "Hash of the title on line 1, when it is one that was given."
-- ///
select
    t.file_id,
    t.generation,
    l.type as first_line_type,
    m.value as first_title_hash
from transcripts as t
left join records as l
    on t.file_id = l.file_id
    and t.generation = l.generation
    and l.line_no = 1
    and l.part = 0
left join marks as m
    on t.file_id = m.file_id
    and t.generation = m.generation
    and m.line_no = 1
    and m.part = 0
    and m.kind = 'custom-title'
    and m.name = 'title_hash'
    and m.ord = 0
where t.role = 'main'
