-- /// model
-- doc = "Transcripts whose names are no session ids, with the one id that all their records carry."
-- grain = ["file_id", "generation"]
-- stored = true
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- session_id = "The only session id recorded in it; files that record several have no row."
-- ///
select
    f.file_id,
    f.generation,
    min(l.session_id) as session_id
from files as f
inner join lines as l
    on f.file_id = l.file_id
    and f.generation = l.generation
where f.role = 'main'
    and f.session_id_by_name is null
    and l.session_id is not null
group by
    f.file_id,
    f.generation
having min(l.session_id) = max(l.session_id)
