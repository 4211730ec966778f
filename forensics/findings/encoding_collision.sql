-- /// finding
-- id = "F001"
-- kind = "fault"
-- confidence = "observed"
-- title = "Different directories share one project key"
-- claim = "Sessions under this key began in at least two different directories that encode to the same key, so `--continue` or a listing in one of them can offer the other's sessions."
-- does_not_show = "That sessions were in fact mixed up, or that any of the directories still exists. Directories are told apart by spelling alone: links and mounts are not resolved."
-- next = "`forensics key KEY` lists the sessions by directory; rename one of the directories, or give one a name of its own by CLAUDE_CODE_PROJECT_DIR_NAME."
-- grain = ["label", "home", "project_key"]
-- denominator = "select count(distinct (label, home, project_key)) from key_dirs"
-- denominator_of = "keys with a recorded directory"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- class = "Why the names collide: dot, underscore, space, slash, non_ascii, case, long or other."
-- differing = "Characters in which the directories differ."
-- directories = "The directories in which sessions began, one spelling each."
-- n_sessions = "Sessions that began in one of them."
-- sessions_by_directory = "The same, for each of the directories."
-- first_ts = "Earliest recorded time of these sessions."
-- last_ts = "Latest recorded time of these sessions."
-- agent_versions = "Agent versions recorded under the key."
-- continue_takes = "Those of them whose `--continue` was seen to take a session of the other directory."
-- resume_takes = "Those of them whose `--resume` was seen to do so."
-- ///
with
shared as (
    select
        d.label,
        d.home,
        d.project_key,
        list(d.cwd order by d.cwd) as directories,
        sum(d.n_began)::bigint as n_sessions,
        list(d.n_began order by d.cwd) as sessions_by_directory,
        min(d.first_ts) as first_ts,
        max(d.last_ts) as last_ts,
        list(d.ref order by d.cwd) as refs
    from colliding_dirs as d
    where d.n_began > 0
    group by
        d.label,
        d.home,
        d.project_key
    having count(*) > 1
),

causes as (
    select
        s.label,
        s.home,
        s.project_key,
        arg_min(c.class, (c.cwd, c.other_cwd)) as class,
        arg_min(c.differing, (c.cwd, c.other_cwd)) as differing
    from shared as s
    inner join collision_causes as c
        on s.label = c.label
        and s.home = c.home
        and s.project_key = c.project_key
        and list_contains(s.directories, c.cwd)
        and list_contains(s.directories, c.other_cwd)
    group by s.label, s.home, s.project_key
)

select
    s.label,
    s.home,
    s.project_key,
    c.class,
    c.differing,
    s.directories,
    s.n_sessions,
    s.sessions_by_directory,
    s.first_ts,
    s.last_ts,
    coalesce(v.agent_versions, []) as agent_versions,
    coalesce(v.continue_takes, []) as continue_takes,
    coalesce(v.resume_takes, []) as resume_takes,
    s.refs
from shared as s
inner join causes as c using (label, home, project_key)
left join key_versions as v using (label, home, project_key)
order by s.label, s.home, s.project_key
