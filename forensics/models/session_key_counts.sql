-- /// model
-- doc = "How many different keys the directories of each transcript's main chain give."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_keys = "Distinct keys under one rule: the most that any rule of its versions tells apart."
-- ///
with
by_rule as (
    select
        c.file_id,
        c.generation,
        k.rule,
        count(distinct k.key) as n_keys
    from session_cwds as c
    inner join session_rules as r
        on c.file_id = r.file_id
        and c.generation = r.generation
    inner join cwd_keys as k
        on c.cwd = k.cwd
        and r.rule = k.rule
        and k.alias = ''
    where c.n_main_lines > 0
    group by
        c.file_id,
        c.generation,
        k.rule
)

select
    b.file_id,
    b.generation,
    max(b.n_keys) as n_keys
from by_rule as b
group by
    b.file_id,
    b.generation
