-- /// finding
-- id = "F031"
-- kind = "measure"
-- confidence = "observed"
-- title = "Homes that are copies of each other"
-- claim = "These two places of one source hold files of the same sessions, as a copied home or a backup does. Sessions are counted once a home everywhere else."
-- does_not_show = "Which one is the original, or that anything is wrong."
-- next = "Take in only one of the two, or give each a label of its own."
-- grain = ["label", "place", "other_place"]
-- denominator = "select count(*) from sessions"
-- denominator_of = "main transcripts"
-- [columns]
-- label = "The source."
-- place = "One home; for files outside any `projects/`, as in a backup, the folder that holds their folders."
-- other_place = "The other."
-- n_sessions = "Sessions that stand in both."
-- n_equal = "Those that are equal byte for byte."
-- n_behind = "Those of which one is only the beginning of the other."
-- n_diverged = "Those that went on in both, or have nothing in common."
-- ///
with
pairs as (
    select
        c.label,
        least(c.place, c.other_place) as place,
        greatest(c.place, c.other_place) as other_place,
        c.relation,
        c.session_id,
        a.path,
        file_ref(c.file_id, c.generation) as ref,
        file_ref(c.other_file_id, c.other_generation) as other_ref
    from session_copies as c
    inner join transcripts as a
        on c.file_id = a.file_id
        and c.generation = a.generation
    where c.is_home_copy
)

select
    p.label,
    p.place,
    p.other_place,
    count(distinct p.session_id) as n_sessions,
    count(*) filter (where p.relation = 'equal') as n_equal,
    count(*) filter (where p.relation in ('prefix', 'stub')) as n_behind,
    count(*) filter (where p.relation in ('diverged', 'unrelated')) as n_diverged,
    flatten(list([p.ref, p.other_ref] order by p.session_id, p.path)[1:5]) as refs
from pairs as p
group by
    p.label,
    p.place,
    p.other_place
order by
    p.label,
    p.place,
    p.other_place
