-- /// model
-- doc = "What lies below each key."
-- grain = ["label", "home", "project_key"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- n_files = "Files of any role that were read."
-- size_bytes = "Their bytes."
-- ///
select
    f.label,
    f.home,
    f.project_key,
    count(*) as n_files,
    coalesce(sum(f.size_bytes), 0)::bigint as size_bytes
from files as f
where f.project_key is not null
    and f.size_bytes is not null
group by
    f.label,
    f.home,
    f.project_key
