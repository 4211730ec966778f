-- /// model
-- doc = "Pairs of main transcripts of one source with the same session id, a UUID, in their names."
-- grain = ["file_id", "generation", "other_file_id", "other_generation"]
-- [columns]
-- file_id = "The file whose path comes first."
-- generation = "Its generation."
-- other_file_id = "The other file."
-- other_generation = "Its generation."
-- label = "The source."
-- session_id = "The session id of both."
-- n_lines = "Physical lines of the first."
-- n_other_lines = "Physical lines of the other."
-- is_equal = "Whether they are equal byte for byte."
-- place = "The home of the first, or the folder in its stead."
-- other_place = "The home of the other."
-- folder = "The key of the first, or the folder in its stead."
-- other_folder = "The key of the other."
-- ///
select
    a.file_id,
    a.generation,
    b.file_id as other_file_id,
    b.generation as other_generation,
    a.label,
    a.session_id,
    a.n_lines,
    b.n_lines as n_other_lines,
    fa.sha256 = fb.sha256 as is_equal,
    a.place,
    b.place as other_place,
    a.folder,
    b.folder as other_folder
from transcripts as a
inner join transcripts as b
    on a.label = b.label
    and a.session_id = b.session_id
    and a.path < b.path
inner join files as fa
    on a.file_id = fa.file_id
    and a.generation = fa.generation
inner join files as fb
    on b.file_id = fb.file_id
    and b.generation = fb.generation
where a.role = 'main'
    and b.role = 'main'
    and regexp_full_match(a.session_id, '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}')
