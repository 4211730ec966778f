-- /// model
-- doc = "What may explain the key of a session whose own directories do not give it."
-- grain = ["file_id", "generation", "cwd", "reason", "rule"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- cwd = "A directory."
-- reason = "rule, foreign_rule, case, other_sessions or ancestor."
-- rule = "The rule under which it gives the key; empty where that is no matter of rules."
-- rank = "Orders the reasons, the firmest first."
-- ///
with
unexplained as (
    select m.file_id, m.generation, m.label, m.home, m.project_key
    from key_matches as m
    where not m.match_any
        and not m.match_relocated
        and not m.match_alias
),

own as (
    select u.file_id, u.generation, u.label, u.home, u.project_key, c.cwd
    from unexplained as u
    inner join session_cwds as c using (file_id, generation)
    where c.n_main_lines > 0
)

select
    o.file_id,
    o.generation,
    o.cwd,
    case when v.rule is not null then 'rule' else 'foreign_rule' end as reason,
    k.rule,
    case when v.rule is not null then 1 else 2 end as rank
from own as o
inner join cwd_keys as k on o.cwd = k.cwd and o.project_key = k.key and k.alias = ''
left join (select distinct rule from version_rules) as v on k.rule = v.rule
union
select o.file_id, o.generation, o.cwd, 'case', '', 3
from own as o
inner join session_keys as k using (file_id, generation, cwd)
where k.how = 'case'
union
select u.file_id, u.generation, d.cwd, 'other_sessions', '', 4
from unexplained as u
inner join key_dirs as d using (label, home, project_key)
where d.encodes
union
select o.file_id, o.generation, o.cwd, 'ancestor', '', 5
from own as o
inner join session_rules as r using (file_id, generation)
inner join cwd_keys as k
    on o.cwd = k.cwd and r.rule = k.rule and k.alias = ''
    and starts_with(k.key, o.project_key || '-')
