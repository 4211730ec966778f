-- /// model
-- doc = "Side files and the main transcripts they lie beside."
-- grain = ["from_file_id", "file_id", "generation"]
-- [columns]
-- from_file_id = "The side file."
-- file_id = "The main transcript of that session under the same key."
-- generation = "Its generation."
-- ///
select
    f.file_id as from_file_id,
    n.file_id,
    n.generation
from files as f
inner join transcripts as n
    on n.role = 'main'
    and f.label = n.label
    and f.home = n.home
    and f.project_key is not distinct from n.project_key
    and f.session_id_by_name = n.session_id
where f.role = 'sidecar'
