-- /// model
-- doc = "Pairs of main transcripts of one source with the same session id, a UUID, in their names. Of more than 30 with one id, each is held against the longest alone."
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
with
named as (
    select
        t.file_id,
        t.generation,
        t.label,
        t.session_id,
        t.path,
        t.n_lines,
        t.place,
        t.folder,
        f.sha256,
        count(*) over (partition by t.label, t.session_id) > 30 as is_crowd,
        row_number() over (partition by t.label, t.session_id order by t.n_lines desc, t.path) = 1 as is_longest
    from transcripts as t
    inner join files as f
        on t.file_id = f.file_id
        and t.generation = f.generation
    where t.role = 'main'
        and regexp_full_match(t.session_id, '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}')
),
paired as (
    select a, b
    from named as a
    inner join named as b
        on a.label = b.label
        and a.session_id = b.session_id
    where not a.is_crowd
        and a.path < b.path
    union all
    select
        case when one.path < longest.path then one else longest end as a,
        case when one.path < longest.path then longest else one end as b
    from named as one
    inner join named as longest
        on one.label = longest.label
        and one.session_id = longest.session_id
    where one.is_crowd
        and longest.is_longest
        and not one.is_longest
)

select
    p.a.file_id,
    p.a.generation,
    p.b.file_id as other_file_id,
    p.b.generation as other_generation,
    p.a.label,
    p.a.session_id,
    p.a.n_lines,
    p.b.n_lines as n_other_lines,
    p.a.sha256 = p.b.sha256 as is_equal,
    p.a.place,
    p.b.place as other_place,
    p.a.folder,
    p.b.folder as other_folder
from paired as p
