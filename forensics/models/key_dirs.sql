-- /// model
-- doc = "Directories recorded by the sessions of each key, and whether they encode to it."
-- grain = ["label", "home", "project_key", "cwd"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- cwd = "The directory as recorded on a main chain."
-- directory_guess = "One spelling for each directory, by spelling alone."
-- n_sessions = "Sessions that record it."
-- n_began = "Sessions whose first directory it is."
-- n_lines = "Records that carry it."
-- first_ts = "Earliest recorded time."
-- last_ts = "Latest recorded time."
-- encodes = "Whether it gives the key under a rule of a version that recorded it, in this spelling or another."
-- how = "The nearest way in which it does: exact, alias, case, or null."
-- first_ref = "The first record that carries it, in the session that begins first."
-- ///
select
    s.label,
    s.home,
    s.project_key,
    c.cwd,
    min(d.directory_guess) as directory_guess,
    count(*) as n_sessions,
    count(*) filter (where s.first_cwd = c.cwd) as n_began,
    sum(c.n_main_lines)::bigint as n_lines,
    min(c.first_ts) as first_ts,
    max(c.last_ts) as last_ts,
    coalesce(bool_or(k.how in ('exact', 'alias') or (k.how = 'case' and d.ignores_case_guess)), false) as encodes,
    case min(case k.how when 'exact' then 1 when 'alias' then 2 when 'case' then 3 end)
        when 1 then 'exact'
        when 2 then 'alias'
        when 3 then 'case'
    end as how,
    arg_min(
        line_ref(c.file_id, c.generation, c.first_line_no, c.first_part),
        (coalesce(c.first_ts, 'infinity'::timestamp with time zone), s.path)
    ) as first_ref
from sessions as s
inner join session_cwds as c
    on s.file_id = c.file_id
    and s.generation = c.generation
left join directories as d
    on c.cwd = d.cwd
left join session_keys as k
    on c.file_id = k.file_id
    and c.generation = k.generation
    and c.cwd = k.cwd
where s.project_key is not null
    and c.n_main_lines > 0
group by
    s.label,
    s.home,
    s.project_key,
    c.cwd
