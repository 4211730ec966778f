-- /// finding
-- id = "F043"
-- kind = "risk"
-- confidence = "rule"
-- title = "--continue in a directory would take up another directory's session"
-- claim = "The newest session under this directory's key belongs to another directory. `reason` says how that can be; `continue_takes` lists the recorded versions that were seen to take such a session."
-- does_not_show = "That anyone did so. Newest is by modification time, which a copy of the evidence may have lost. From 2.1.332 a colliding session is only taken once its own directory is gone."
-- next = "Resume by id instead: `forensics session ID` prints the command; `forensics key KEY` lists what lies there."
-- grain = ["label", "home", "project_key", "cwd"]
-- denominator = "select count(*) from continue_picks"
-- denominator_of = "keys with a session that holds messages"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- cwd = "The directory in which it would be asked: sessions under the key belong to it."
-- n_own_sessions = "Sessions that belong to it."
-- session_id = "The session that would be taken."
-- taken_cwd = "The directory that one belongs to."
-- reason = "colliding: both directories give the key; misplaced: no directory of the session does."
-- newest_by = "mtime, or last_ts where no file of the key has one."
-- agent_versions = "Agent versions recorded under the key."
-- continue_takes = "Those of them whose `--continue` was seen to take such a session."
-- ///
with
owners as (
    select
        s.label,
        s.home,
        s.project_key,
        g.directory_guess,
        min(p.owner_cwd) as cwd,
        count(*) as n_sessions,
        arg_max(p.resume_ref, (coalesce(s.last_ts, '-infinity'::timestamp with time zone), s.path)) as ref
    from sessions as s
    inner join resume_places as p using (file_id, generation)
    inner join directories as g on p.owner_cwd = g.cwd
    where s.project_key is not null
    group by s.label, s.home, s.project_key, g.directory_guess
)

select
    c.label,
    c.home,
    c.project_key,
    o.cwd,
    o.n_sessions as n_own_sessions,
    c.session_id,
    coalesce(c.owner_cwd, c.head_cwd) as taken_cwd,
    case when c.is_misplaced then 'misplaced' else 'colliding' end as reason,
    c.newest_by,
    coalesce(v.agent_versions, []) as agent_versions,
    coalesce(case when c.is_misplaced then v.agent_versions else v.continue_takes end, []) as continue_takes,
    [p.resume_ref, o.ref] as refs
from continue_picks as c
inner join resume_places as p using (file_id, generation)
inner join owners as o using (label, home, project_key)
left join directories as g on c.owner_cwd = g.cwd
left join key_versions as v using (label, home, project_key)
where c.is_misplaced
    or g.directory_guess <> o.directory_guess
order by
    c.label,
    c.home,
    c.project_key,
    o.cwd
