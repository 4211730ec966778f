-- /// model
-- doc = "Agent versions recorded by the sessions of each key, and what they would take in a colliding directory."
-- grain = ["label", "home", "project_key"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- agent_versions = "All of them."
-- continue_takes = "Those whose `--continue` takes a session of another directory with the same key."
-- resume_takes = "Those whose `--resume` does."
-- continue_crosses = "Those whose `--continue` takes a session of another key with the same 200 characters."
-- ///
with
recorded as (
    select distinct
        s.label,
        s.home,
        s.project_key,
        v.agent_version,
        n.numbers
    from sessions as s
    inner join session_versions as v
        on s.file_id = v.file_id
        and s.generation = v.generation
    inner join versions as n
        on s.agent = n.agent
        and v.agent_version = n.agent_version
    where s.project_key is not null
        and v.agent_version <> ''
)

select
    r.label,
    r.home,
    r.project_key,
    list(distinct r.agent_version order by r.agent_version) as agent_versions,
    coalesce(
        list(distinct r.agent_version order by r.agent_version) filter (
            where l.situation = 'colliding' and l.lookup = 'continue'
        ), []
    ) as continue_takes,
    coalesce(
        list(distinct r.agent_version order by r.agent_version) filter (
            where l.situation = 'colliding' and l.lookup = 'resume'
        ), []
    ) as resume_takes,
    coalesce(
        list(distinct r.agent_version order by r.agent_version) filter (
            where l.situation = 'prefix' and l.lookup = 'continue'
        ), []
    ) as continue_crosses
from recorded as r
left join lookup_rules as l
    on l.takes_other
    and r.numbers between l.first and l.last
group by
    r.label,
    r.home,
    r.project_key
