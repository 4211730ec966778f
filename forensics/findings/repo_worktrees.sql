-- /// finding
-- id = "F028"
-- kind = "measure"
-- confidence = "heuristic"
-- title = "Sessions of a repository across all its worktrees"
-- claim = "These sessions worked in the repository or in one of its worktrees, also in worktrees that are gone; they lie under so many keys."
-- does_not_show = "Worktrees that the evidence does not name, or whose repository it does not."
-- next = "`forensics sessions --repo DIR` lists them."
-- grain = ["label", "repo_root_guess"]
-- denominator = "select count(*) from worktrees where repo_root_guess is not null"
-- denominator_of = "worktrees with a known repository"
-- [columns]
-- label = "The source."
-- repo_root_guess = "The repository's main working tree."
-- worktrees = "Its worktrees that the evidence names."
-- n_gone = "Those of them that a probe found gone; null without a probe of this source."
-- n_keys = "Keys under which the sessions lie."
-- n_sessions = "Sessions that recorded the repository or one of its worktrees."
-- n_worktree_sessions = "Those that recorded a worktree."
-- first_ts = "Earliest time recorded there."
-- last_ts = "Latest time recorded there."
-- ///
with
trees as (
    select
        w.label,
        w.repo_root_guess,
        list(w.worktree order by w.worktree) as worktrees,
        case
            when bool_or(w.state <> 'unknown') then count(*) filter (where w.state = 'gone')
        end as n_gone
    from worktrees as w
    where w.repo_root_guess is not null
    group by w.label, w.repo_root_guess
)

select
    t.label,
    t.repo_root_guess,
    min(t.worktrees) as worktrees,
    min(t.n_gone) as n_gone,
    count(distinct (v.home, v.project_key)) as n_keys,
    count(*) as n_sessions,
    count(*) filter (where v.is_worktree) as n_worktree_sessions,
    min(v.first_ts) as first_ts,
    max(v.last_ts) as last_ts,
    list(v.ref order by not v.is_worktree, v.path)[1:12] as refs
from trees as t
inner join repo_visits as v using (label, repo_root_guess)
group by
    t.label,
    t.repo_root_guess
order by
    t.label,
    t.repo_root_guess
