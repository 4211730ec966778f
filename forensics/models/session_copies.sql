-- /// model
-- doc = "Pairs of files of one session in one source, and how they relate."
-- grain = ["file_id", "generation", "other_file_id", "other_generation"]
-- [columns]
-- file_id = "The shorter one, the stub, or the one whose path comes first."
-- generation = "Its generation."
-- other_file_id = "The other file."
-- other_generation = "Its generation."
-- label = "The source."
-- session_id = "The session id of both."
-- relation = "equal, prefix (the first is the beginning of the other), diverged, stub (the first holds no message), unrelated."
-- is_home_copy = "Whether the pair is there because a home was copied: the homes differ, and the keys do not, or one home holds the session under both keys."
-- place = "The home of the first, or for a file outside any `projects/` the folder in its stead."
-- other_place = "The home of the other."
-- n_common = "Lines that are equal from the start."
-- n_only = "Further lines of the first."
-- n_other_only = "Further lines of the other."
-- ///
with
judged as (
    select
        p.file_id,
        p.generation,
        p.other_file_id,
        p.other_generation,
        p.label,
        p.session_id,
        p.n_lines,
        p.n_other_lines,
        p.place,
        p.other_place,
        p.folder,
        p.other_folder,
        c.n_common,
        case
            when p.is_equal then 'equal'
            when sa.file_id is not null or sb.file_id is not null then 'stub'
            when c.n_common = least(p.n_lines, p.n_other_lines) then 'prefix'
            when c.n_common > 0 then 'diverged'
            else 'unrelated'
        end as relation,
        case
            when p.is_equal then false
            when sa.file_id is not null then false
            when sb.file_id is not null then true
            else p.n_lines > p.n_other_lines and c.n_common = p.n_other_lines
        end as is_turned
    from same_session_pairs as p
    inner join common_beginnings as c using (file_id, generation, other_file_id, other_generation)
    left join session_stubs as sa
        on p.file_id = sa.file_id and p.generation = sa.generation
    left join session_stubs as sb
        on p.other_file_id = sb.file_id and p.other_generation = sb.generation
)

select
    case when j.is_turned then j.other_file_id else j.file_id end as file_id,
    case when j.is_turned then j.other_generation else j.generation end as generation,
    case when j.is_turned then j.file_id else j.other_file_id end as other_file_id,
    case when j.is_turned then j.generation else j.other_generation end as other_generation,
    j.label,
    j.session_id,
    j.relation,
    j.place <> j.other_place and (
        j.folder = j.other_folder
        or exists (
            select 1
            from transcripts as t
            where t.role = 'main' and t.label = j.label and t.session_id = j.session_id and t.folder is not null
                and (t.place, t.folder) in ((j.place, j.other_folder), (j.other_place, j.folder))
        )
    ) is true as is_home_copy,
    case when j.is_turned then j.other_place else j.place end as place,
    case when j.is_turned then j.place else j.other_place end as other_place,
    j.n_common,
    case when j.is_turned then j.n_other_lines else j.n_lines end - j.n_common as n_only,
    case when j.is_turned then j.n_lines else j.n_other_lines end - j.n_common as n_other_only
from judged as j
