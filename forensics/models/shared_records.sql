-- /// model
-- doc = "Record ids that stand in main transcripts of several sessions of one home."
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
-- session_id = "The session id by the file's name, or nothing."
-- n_files = "Files that hold it."
-- is_first = "Whether the file's path comes first among them."
-- ///
select
    t.label,
    t.home,
    r.uuid,
    r.file_id,
    r.generation,
    min(r.position) as position,
    arg_min(r.line_no, r.position) as line_no,
    arg_min(r.part, r.position) as part,
    coalesce(t.session_id, '') as session_id,
    count(*) over (partition by t.label, t.home, r.uuid) as n_files,
    row_number() over (partition by t.label, t.home, r.uuid order by t.path) = 1 as is_first
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
    r.generation,
    t.session_id,
    t.path
qualify min(coalesce(t.session_id, '')) over (partition by t.label, t.home, r.uuid)
    < max(coalesce(t.session_id, '')) over (partition by t.label, t.home, r.uuid)
