-- /// model
-- doc = "Directories that give a key and are recorded by its sessions: whose key it is."
-- grain = ["label", "home", "project_key"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- owners = "The directories, each in one recorded spelling."
-- ref = "The first record of the first of them."
-- ///
select
    d.label,
    d.home,
    d.project_key,
    list(d.cwd order by d.cwd) as owners,
    arg_min(d.first_ref, d.cwd) as ref
from key_dirs as d
where d.encodes
group by
    d.label,
    d.home,
    d.project_key
