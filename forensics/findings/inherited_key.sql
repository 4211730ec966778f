-- /// finding
-- id = "F015"
-- kind = "risk"
-- confidence = "heuristic"
-- title = "A directory has taken over the key of an earlier one"
-- claim = "All sessions of the one directory ended before the first of the other began, and both encode to this key: the later one was handed the earlier one's history, as after a rename or a new start in its place."
-- does_not_show = "That the earlier directory is gone, unless `old_exists` is false: that takes a probe. Two directories that were used in turn look the same."
-- next = "`forensics key KEY`; move the earlier sessions away if they confuse `--continue`."
-- grain = ["label", "home", "project_key", "old_cwd", "new_cwd"]
-- denominator = "select count(distinct (label, home, project_key)) from key_dirs"
-- denominator_of = "keys with a recorded directory"
-- [params]
-- min_gap_s = { default = 86400, doc = "Seconds between the two at the least, where no probe says that the earlier one is gone." }
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- old_cwd = "The earlier directory."
-- new_cwd = "The later one."
-- old_exists = "Whether a probe found the earlier one; null without a probe."
-- n_old_sessions = "Sessions that began in the earlier one."
-- n_new_sessions = "Sessions that began in the later one."
-- old_last_ts = "Latest time of the earlier one's sessions."
-- new_first_ts = "Earliest time of the later one's sessions."
-- gap_s = "Seconds between them."
-- ///
select
    a.label,
    a.home,
    a.project_key,
    a.cwd as old_cwd,
    b.cwd as new_cwd,
    p."exists" as old_exists,
    a.n_began as n_old_sessions,
    b.n_began as n_new_sessions,
    a.last_ts as old_last_ts,
    b.first_ts as new_first_ts,
    (epoch_us(b.first_ts) - epoch_us(a.last_ts)) // 1000000 as gap_s,
    [a.ref, b.ref] as refs
from colliding_dirs as a
inner join colliding_dirs as b
    on a.label = b.label
    and a.home = b.home
    and a.project_key = b.project_key
    and a.last_ts < b.first_ts
left join probe_paths as p
    on a.label = p.label
    and a.cwd = p.path
where a.n_began > 0
    and b.n_began > 0
    and case
        when p."exists" is null then (epoch_us(b.first_ts) - epoch_us(a.last_ts)) // 1000000 >= $min_gap_s
        else not p."exists"
    end
order by
    a.label,
    a.home,
    a.project_key,
    old_cwd,
    new_cwd
