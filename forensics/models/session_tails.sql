-- /// model
-- doc = "What stands after the last compaction of each session: in no summary yet."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_compactions = "Compactions in the file."
-- line_no = "Line of the last summary, else of the last boundary."
-- part = "Its part."
-- position = "Its position."
-- witness = "What shows it."
-- ts = "Its time."
-- ///
select
    c.file_id,
    c.generation,
    count(*) as n_compactions,
    arg_max(c.line_no, c.position) as line_no,
    arg_max(c.part, c.position) as part,
    max(c.position) as position,
    arg_max(c.witness, c.position) as witness,
    arg_max(c.ts, c.position) as ts
from compactions as c
group by
    c.file_id,
    c.generation
