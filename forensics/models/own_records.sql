-- /// model
-- doc = "Records of main chains with time and place that are a session's own: history copied into another session is nobody's, of copies of a file the first counts."
-- grain = ["file_id", "generation", "position"]
-- stored = false
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- position = "Orders the records of a file."
-- label = "The source."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- tree = "The working tree it was written in."
-- ts = "Recorded time."
-- ///
select
    r.file_id,
    r.generation,
    r.position,
    t.label,
    r.line_no,
    r.part,
    c.tree,
    r.ts
from records as r
inner join transcripts as t
    on r.file_id = t.file_id
    and r.generation = t.generation
inner join cwd_trees as c
    on t.label = c.label
    and r.cwd = c.cwd
where r.role = 'main'
    and r.chain = 'main'
    and r.ts is not null
    and r.uuid is not null
window same_record as (partition by t.label, r.uuid)
qualify min(t.session_id) over same_record = max(t.session_id) over same_record
    and t.path = min(t.path) over same_record
