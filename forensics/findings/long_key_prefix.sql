-- /// finding
-- id = "F017"
-- kind = "risk"
-- confidence = "rule"
-- title = "Long keys of different directories share their first 200 characters"
-- claim = "These keys differ only in the hash at their end. A lookup that searches by the first 200 characters, as `--continue` did from 2.1.113 to 2.1.223 and the Python SDK still does, can take a session of another of these directories."
-- does_not_show = "That a lookup did so, or that the directories still exist."
-- next = "`forensics key KEY` for each; resume by session id instead of `--continue`."
-- grain = ["label", "home", "prefix_200"]
-- denominator = "select count(*) from keys where prefix_200 is not null"
-- denominator_of = "keys longer than 200 characters"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- prefix_200 = "The characters that the keys share."
-- n_keys = "How many keys share them."
-- directories = "Different directories of these keys, none below another, one spelling each."
-- n_sessions = "Sessions that began in them."
-- agent_versions = "Agent versions recorded under these keys."
-- continue_crosses = "Those of them whose `--continue` was seen to cross over."
-- ///
with
long_dirs as (
    select
        k.label,
        k.home,
        k.prefix_200,
        k.project_key,
        d.directory_guess,
        arg_min(d.cwd, (-d.n_began, d.cwd)) as cwd,
        sum(d.n_began)::bigint as n_began,
        arg_min(d.first_ref, (-d.n_began, d.cwd)) as ref
    from keys as k
    inner join key_dirs as d using (label, home, project_key)
    where k.prefix_200 is not null and d.n_began > 0
    group by k.label, k.home, k.prefix_200, k.project_key, d.directory_guess
),

apart as (
    select distinct a.label, a.home, a.prefix_200, a.project_key, a.directory_guess, a.cwd, a.n_began, a.ref
    from long_dirs as a
    inner join long_dirs as b using (label, home, prefix_200)
    where a.project_key <> b.project_key
        and a.directory_guess <> b.directory_guess
        and not lies_in(a.directory_guess, b.directory_guess)
        and not lies_in(b.directory_guess, a.directory_guess)
)

select
    a.label,
    a.home,
    a.prefix_200,
    count(distinct a.project_key) as n_keys,
    list(a.cwd order by a.project_key, a.cwd) as directories,
    sum(a.n_began)::bigint as n_sessions,
    list_sort(list_distinct(flatten(list(v.agent_versions order by a.project_key)))) as agent_versions,
    list_sort(list_distinct(flatten(list(v.continue_crosses order by a.project_key)))) as continue_crosses,
    list(a.ref order by a.project_key, a.cwd) as refs
from apart as a
inner join key_versions as v using (label, home, project_key)
group by a.label, a.home, a.prefix_200
order by a.label, a.home, a.prefix_200
