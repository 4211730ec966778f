-- /// model
-- doc = "In which characters the colliding directories of a key differ, pair by pair."
-- grain = ["label", "home", "project_key", "cwd", "other_cwd"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- cwd = "One directory."
-- other_cwd = "The other, later by spelling."
-- differing = "Characters in which they differ, each once, in order."
-- class = "case, long, non_ascii, dot, underscore, space, slash or other: the first of these that holds."
-- ///
with
pairs as (
    select
        a.label,
        a.home,
        a.project_key,
        a.cwd,
        b.cwd as other_cwd,
        list_filter(
            list_zip(string_split(a.cwd, ''), string_split(b.cwd, '')),
            lambda p: p[1] is distinct from p[2]
        ) as spots
    from colliding_dirs as a
    inner join colliding_dirs as b
        on a.label = b.label
        and a.home = b.home
        and a.project_key = b.project_key
        and a.cwd < b.cwd
),

seen as (
    select
        p.label,
        p.home,
        p.project_key,
        p.cwd,
        p.other_cwd,
        array_to_string(
            list_sort(list_distinct(flatten(list_transform(p.spots, lambda s: [s[1], s[2]])))), ''
        ) as differing,
        length(list_filter(p.spots, lambda s: regexp_matches(concat(s[1], s[2]), '[A-Za-z0-9]'))) > 0 as has_letter
    from pairs as p
)

select
    s.label,
    s.home,
    s.project_key,
    s.cwd,
    s.other_cwd,
    s.differing,
    case
        when lower(s.cwd) = lower(s.other_cwd) then 'case'
        when s.has_letter then 'long'
        when regexp_matches(s.differing, '[^\x00-\x7f]') then 'non_ascii'
        when contains(s.differing, '.') then 'dot'
        when contains(s.differing, '_') then 'underscore'
        when contains(s.differing, ' ') then 'space'
        when regexp_matches(s.differing, '[/\\]') then 'slash'
        else 'other'
    end as class
from seen as s
