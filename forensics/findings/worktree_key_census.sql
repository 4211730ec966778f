-- /// finding
-- id = "F023"
-- kind = "measure"
-- confidence = "heuristic"
-- title = "How many keys belong to git worktrees"
-- claim = "Of the keys of this home, so many belong to git worktrees, so many of these hold a single session, and so many are of worktrees that a probe found gone."
-- does_not_show = "Worktrees that no session, side file or probe knows. For comparison, someone counted 62 keys, 41 of worktrees with one session, and 7 of these gone, on one workstation; nobody repeated it."
-- next = "orphaned_worktree_key lists them."
-- grain = ["label", "home"]
-- denominator = "select count(*) from keys where n_sessions > 0"
-- denominator_of = "keys with a session"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- n_keys = "Keys with a session."
-- n_worktree_keys = "Those of worktrees."
-- n_one_session = "Those of them with a single session."
-- n_gone = "Worktree keys whose worktree a probe found gone; null without a probe of this source."
-- n_one_session_gone = "Those of them with a single session; null without a probe."
-- ///
with
worktree_facts as (
    select
        k.label,
        k.home,
        k.project_key,
        bool_or(k.is_one_session) as is_one_session,
        bool_and(w.state = 'gone') as is_gone
    from worktree_keys as k
    inner join worktrees as w using (label, worktree)
    group by k.label, k.home, k.project_key
),

probed as (
    select distinct label
    from probe_paths
)

select
    k.label,
    k.home,
    count(*) as n_keys,
    count(w.project_key) as n_worktree_keys,
    count(*) filter (where w.is_one_session) as n_one_session,
    case when bool_or(p.label is not null) then count(*) filter (where w.is_gone) end as n_gone,
    case
        when bool_or(p.label is not null) then count(*) filter (where w.is_gone and w.is_one_session)
    end as n_one_session_gone,
    list(
        key_ref(k.label, k.home, k.project_key) order by w.project_key is null, k.project_key
    )[1:12] as refs
from keys as k
left join worktree_facts as w using (label, home, project_key)
left join probed as p using (label)
where k.n_sessions > 0
group by
    k.label,
    k.home
order by
    k.label,
    k.home
