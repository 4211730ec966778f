-- /// model
-- doc = "The first two records of each main transcript, when the first is a title somebody gave."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- label = "The source."
-- path = "Path relative to the root."
-- line_no = "Line of the title."
-- part = "Its part."
-- second_type = "Type of the record after it, or null."
-- first_version = "First agent version recorded in the transcript, or null."
-- ///
with
numbered as (
    select
        r.file_id,
        r.generation,
        r.line_no,
        r.part,
        r.position,
        r.type,
        row_number() over (partition by r.file_id, r.generation order by r.position) as record_no,
        lead(r.type) over (partition by r.file_id, r.generation order by r.position) as second_type
    from records as r
    where r.role = 'main'
)

select
    n.file_id,
    n.generation,
    s.label,
    s.path,
    n.line_no,
    n.part,
    n.second_type,
    s.first_version
from numbered as n
inner join sessions as s
    on n.file_id = s.file_id
    and n.generation = s.generation
where n.record_no = 1
    and n.type = 'custom-title'
