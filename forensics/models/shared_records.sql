-- /// model
-- doc = "Record ids that stand in several main transcripts of one home."
-- grain = ["label", "home", "uuid", "file_id", "generation"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- uuid = "The record's id."
-- file_id = "A file that holds it."
-- generation = "Its generation."
-- position = "Position of the first such record in the file."
-- line_no = "Its line."
-- part = "Its part."
-- ///
select
    t.label,
    t.home,
    r.uuid,
    r.file_id,
    r.generation,
    min(r.position) as position,
    arg_min(r.line_no, r.position) as line_no,
    arg_min(r.part, r.position) as part
from records as r
inner join transcripts as t
    on r.file_id = t.file_id
    and r.generation = t.generation
where r.uuid is not null
    and t.role = 'main'
    and t.project_key is not null
group by
    t.label,
    t.home,
    r.uuid,
    r.file_id,
    r.generation
qualify count(*) over (partition by t.label, t.home, r.uuid) > 1
