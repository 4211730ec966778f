-- /// model
-- doc = "Different directories that encode to one key and are recorded by its sessions: two or more a key."
-- grain = ["label", "home", "project_key", "directory_guess"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- directory_guess = "One spelling for each directory, by spelling alone."
-- cwd = "One recorded spelling, the one nearest to the key."
-- n_recording = "Sessions that record it in this spelling."
-- n_began = "Sessions that began there; none for a directory that a session only went to."
-- first_ts = "Earliest time of a session that began there, else of a record there."
-- last_ts = "Latest such time."
-- ref = "Where it is recorded first, in a session that began there if there is one."
-- ///
with
encoding as (
    select
        k.label,
        k.home,
        k.project_key,
        k.directory_guess,
        arg_min(k.cwd, (k.how <> 'exact', k.how, k.cwd)) as cwd,
        arg_min(k.n_sessions, (k.how <> 'exact', k.how, k.cwd)) as n_recording,
        min(k.first_ts) as first_ts,
        max(k.last_ts) as last_ts,
        arg_min(k.first_ref, (coalesce(k.first_ts, 'infinity'::timestamp with time zone), k.cwd)) as first_ref
    from key_dirs as k
    where k.encodes
        or k.how = 'case'
    group by
        k.label,
        k.home,
        k.project_key,
        k.directory_guess
    qualify count(*) over (partition by k.label, k.home, k.project_key) > 1
)

select
    e.label,
    e.home,
    e.project_key,
    e.directory_guess,
    e.cwd,
    e.n_recording,
    coalesce(b.n_began, 0) as n_began,
    coalesce(b.first_ts, e.first_ts) as first_ts,
    coalesce(b.last_ts, e.last_ts) as last_ts,
    coalesce(b.began_ref, e.first_ref) as ref
from encoding as e
left join key_beginnings as b
    on e.label = b.label
    and e.home = b.home
    and e.project_key = b.project_key
    and e.directory_guess = b.directory_guess
