-- /// model
-- doc = "In which characters the colliding directories of a key differ, each from the next by spelling."
-- grain = ["label", "home", "project_key", "cwd", "other_cwd"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- cwd = "One directory."
-- other_cwd = "The next by spelling, of all or of those in which a session began."
-- differing = "Characters in which they differ, each once, in order."
-- class = "case, long, non_ascii, dot, underscore, space, slash or other: the first of these that holds."
-- ///
with
neighbours as (
    select
        d.label, d.home, d.project_key, d.cwd,
        lead(d.cwd) over (partition by d.label, d.home, d.project_key order by d.cwd) as other_cwd
    from colliding_dirs as d
    union
    select
        d.label, d.home, d.project_key, d.cwd,
        lead(d.cwd) over (partition by d.label, d.home, d.project_key order by d.cwd) as other_cwd
    from colliding_dirs as d
    where d.n_began > 0
),

pairs as (
    select
        n.label, n.home, n.project_key, n.cwd, n.other_cwd,
        list_filter(
            list_zip(string_split(n.cwd, ''), string_split(n.other_cwd, '')),
            lambda p: p[1] is distinct from p[2]
        ) as spots
    from neighbours as n
    where n.other_cwd is not null
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
