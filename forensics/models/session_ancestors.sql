-- /// model
-- doc = "The deepest directory above all directories of each main chain, by their canonical spelling."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- common_ancestor_guess = "The directory; `/` for the root, null when there is none."
-- ///
with
ends as (
    select
        c.file_id,
        c.generation,
        min(string_split(c.canonical_guess, '/')) as least,
        max(string_split(c.canonical_guess, '/')) as most
    from session_cwds as c
    where c.n_main_lines > 0
    group by
        c.file_id,
        c.generation
),

compared as (
    select
        e.file_id,
        e.generation,
        e.least,
        list_position(
            list_transform(list_zip(e.least, e.most), lambda p: p[1] is not distinct from p[2]), false
        ) as first_difference
    from ends as e
)

select
    c.file_id,
    c.generation,
    case
        when c.first_difference is null then array_to_string(c.least, '/')
        when c.first_difference = 1 then null
        when c.first_difference = 2 and c.least[1] = '' then '/'
        else array_to_string(c.least[1:c.first_difference - 1], '/')
    end as common_ancestor_guess
from compared as c
