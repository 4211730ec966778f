-- /// model
-- doc = "How the directories of each session explain the key it lies under."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- agent_version = "The last recorded agent version, or empty."
-- n_keys = "Distinct keys that its directories give under the rules of its versions."
-- match_first = "The first directory gives the key."
-- match_last = "The last directory gives it."
-- match_any = "Some recorded directory gives it."
-- match_relocated = "A directory named by a relocation gives it."
-- match_alias = "Only another spelling of a recorded directory gives it, or upper and lower case."
-- ///
with
matched as (
    select
        k.file_id,
        k.generation,
        k.cwd,
        k.how,
        k.how = 'exact' as is_exact,
        k.how = 'alias' or (k.how = 'case' and d.ignores_case_guess) as is_alias
    from session_keys as k
    left join directories as d
        on k.cwd = d.cwd
)

select
    s.file_id,
    s.generation,
    s.label,
    s.home,
    s.project_key,
    coalesce(s.last_version, '') as agent_version,
    coalesce(min(n.n_keys), 0) as n_keys,
    coalesce(bool_or(m.is_exact and m.cwd = s.first_cwd), false) as match_first,
    coalesce(bool_or(m.is_exact and m.cwd = s.last_cwd), false) as match_last,
    coalesce(bool_or(m.is_exact and c.n_main_lines > 0), false) as match_any,
    coalesce(bool_or(m.is_exact and v.cwd is not null), false) as match_relocated,
    coalesce(bool_or(m.is_alias) and not bool_or(m.is_exact), false) as match_alias
from sessions as s
left join matched as m
    on s.file_id = m.file_id
    and s.generation = m.generation
left join session_cwds as c
    on m.file_id = c.file_id
    and m.generation = c.generation
    and m.cwd = c.cwd
left join (select distinct file_id, generation, cwd from cwd_moves where kind = 'relocated') as v
    on m.file_id = v.file_id
    and m.generation = v.generation
    and m.cwd = v.cwd
left join session_key_counts as n
    on s.file_id = n.file_id
    and s.generation = n.generation
where s.project_key is not null
    and s.first_cwd is not null
group by
    s.file_id,
    s.generation,
    s.label,
    s.home,
    s.project_key,
    s.last_version
