-- /// model
-- doc = "Record types of each transcript."
-- grain = ["file_id", "generation", "type"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- type = "Record type; empty for records without one."
-- n_records = "How many."
-- ///
select
    r.file_id,
    r.generation,
    coalesce(r.type, '') as type,
    count(*) as n_records
from records as r
group by
    r.file_id,
    r.generation,
    coalesce(r.type, '')
