-- /// model
-- doc = "Sessions whose key nothing of their own explains, with the key that their first directory gives."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- own_key = "The key its first directory gives under the rules of its versions; one that exists, if any does."
-- has_own_key = "Whether a folder of that name stands in the same home."
-- copy_ref = "Another file of the session under that key, or null."
-- ///
with
unexplained as (
    select m.file_id, m.generation, m.label, m.home, m.project_key
    from key_matches as m
    left join keys as k using (label, home, project_key)
    where not (m.match_any or m.match_relocated or m.match_alias)
        and k.form is distinct from 'named'
        and not exists (
            select 1
            from last_moves as v
            where v.file_id = m.file_id and v.generation = m.generation
        )
        and not exists (
            select 1
            from outside_key_candidates as c
            where c.file_id = m.file_id and c.generation = m.generation
                and c.reason in ('rule', 'foreign_rule', 'case', 'ancestor')
        )
),

given as (
    select u.file_id, u.generation, u.label, u.home, s.session_id, e.key, f.project_key is not null as is_there
    from unexplained as u
    inner join sessions as s using (file_id, generation)
    inner join session_rules as r using (file_id, generation)
    inner join cwd_keys as e on s.first_cwd = e.cwd and r.rule = e.rule and e.alias = ''
    left join keys as f on u.label = f.label and u.home = f.home and e.key = f.project_key
    where e.key is not null
),

chosen as (
    select
        g.file_id,
        g.generation,
        g.label,
        g.home,
        g.session_id,
        min({'is_absent': not g.is_there, 'key': g.key}).key as own_key,
        bool_or(g.is_there) as has_own_key
    from given as g
    group by g.file_id, g.generation, g.label, g.home, g.session_id
)

select
    c.file_id,
    c.generation,
    c.own_key,
    c.has_own_key,
    case when o.file_id is not null then file_ref(o.file_id, o.generation) end as copy_ref
from chosen as c
left join sessions as o
    on c.label = o.label
    and c.home = o.home
    and c.own_key = o.project_key
    and c.session_id = o.session_id
