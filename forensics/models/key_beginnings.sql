-- /// model
-- doc = "Directories in which the sessions of each key began."
-- grain = ["label", "home", "project_key", "directory_guess"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- directory_guess = "One spelling for each directory, by spelling alone."
-- n_began = "Sessions that began there."
-- first_ts = "Earliest time recorded in one of them."
-- last_ts = "Latest time recorded in one of them."
-- began_ref = "The first record with the directory, in the session that begins first."
-- ///
select
    s.label,
    s.home,
    s.project_key,
    d.directory_guess,
    count(*) as n_began,
    min(s.first_ts) as first_ts,
    max(s.last_ts) as last_ts,
    arg_min(
        line_ref(c.file_id, c.generation, c.first_line_no, c.first_part),
        (coalesce(s.first_ts, 'infinity'::timestamp with time zone), s.path)
    ) as began_ref
from sessions as s
inner join session_cwds as c
    on s.file_id = c.file_id
    and s.generation = c.generation
    and s.first_cwd = c.cwd
inner join directories as d
    on s.first_cwd = d.cwd
where s.project_key is not null
group by
    s.label,
    s.home,
    s.project_key,
    d.directory_guess
