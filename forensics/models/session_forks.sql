-- /// model
-- doc = "Pairs of sessions of one home, with different ids, that hold the same records. Of a record that stands in more than 30 files, only the first is held against the others."
-- grain = ["file_id", "generation", "other_file_id", "other_generation"]
-- [columns]
-- file_id = "The file whose path comes first."
-- generation = "Its generation."
-- other_file_id = "The other file."
-- other_generation = "Its generation."
-- label = "The source."
-- n_shared = "Record ids that stand in both."
-- line_no = "Line of the first shared record in the first file."
-- part = "Its part."
-- other_line_no = "Line of the same record in the other file."
-- other_part = "Its part."
-- ///
select
    a.file_id,
    a.generation,
    b.file_id as other_file_id,
    b.generation as other_generation,
    a.label,
    count(*) as n_shared,
    arg_min(a.line_no, (a.position, b.position)) as line_no,
    arg_min(a.part, (a.position, b.position)) as part,
    arg_min(b.line_no, (a.position, b.position)) as other_line_no,
    arg_min(b.part, (a.position, b.position)) as other_part
from shared_records as a
inner join shared_records as b
    on a.label = b.label
    and a.home = b.home
    and a.uuid = b.uuid
inner join transcripts as ta
    on a.file_id = ta.file_id
    and a.generation = ta.generation
inner join transcripts as tb
    on b.file_id = tb.file_id
    and b.generation = tb.generation
where ta.path < tb.path
    and a.session_id <> b.session_id
    and (a.n_files <= 30 or a.is_first)
group by
    a.file_id,
    a.generation,
    b.file_id,
    b.generation,
    a.label
