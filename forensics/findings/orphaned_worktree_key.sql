-- /// finding
-- id = "F002"
-- kind = "risk"
-- confidence = "heuristic"
-- title = "A key belongs to a git worktree that may be gone"
-- claim = "This key holds the sessions of a git worktree; the repository's own key does not list them. `state` is gone or unregistered where a probe of the machine says so, else unknown: existence was not assessed."
-- does_not_show = "With state unknown, nothing about whether the worktree still exists. A worktree known by its path pattern alone (`witnesses`) may be an ordinary folder. That the sessions were wanted, or are lost: the key can still be resumed from its path."
-- next = "Take a probe on that machine (`forensics probe`), keep the recorded path with the session ids, and resume from a folder made again at that path."
-- grain = ["label", "home", "project_key", "worktree"]
-- denominator = "select count(*) from keys where not is_empty"
-- denominator_of = "keys that are not empty"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- worktree = "The worktree's top directory, as recorded: the path from which its sessions can be found."
-- state = "gone, unregistered (there, but git does not list it), or unknown without a probe."
-- witnesses = "What shows that it is a worktree: git_list, worktree_state, agent_meta, relocated, pattern."
-- repo_root_guess = "The repository it belongs to."
-- repo_basis = "The witness that names the repository."
-- n_sessions = "Sessions of the key that record it, or were relocated to it."
-- is_one_session = "Whether the key holds a single session."
-- size_bytes = "Bytes of all files below the key."
-- last_ts = "Latest time recorded in these sessions."
-- ///
select
    k.label,
    k.home,
    k.project_key,
    k.worktree,
    w.state,
    w.witnesses,
    w.repo_root_guess,
    w.repo_basis,
    k.n_sessions,
    k.is_one_session,
    k.size_bytes,
    k.last_ts,
    list_concat([k.ref], w.refs) as refs
from worktree_keys as k
inner join worktrees as w
    on k.label = w.label
    and k.worktree = w.worktree
where w.state <> 'registered'
order by
    k.label,
    k.home,
    k.project_key,
    k.worktree
