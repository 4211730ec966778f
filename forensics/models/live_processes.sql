-- /// model
-- doc = "Processes of sessions that lived when somebody looked: by a probe, or by a registry given beside the evidence."
-- grain = ["source_label", "pid", "session_id", "cwd"]
-- [columns]
-- source_label = "The source whose machine it is; empty for a registry given by itself."
-- pid = "Process id."
-- session_id = "Session id, in lower case; empty when none is told."
-- cwd = "Working directory; empty when none is told."
-- started_at_ms = "Start, milliseconds since 1970."
-- tmux = "The session of tmux that it runs in, with window and pane; null when none is told."
-- ///
select
    r.label as source_label,
    r.pid,
    lower(coalesce(r.session_id, '')) as session_id,
    coalesce(r.cwd, '') as cwd,
    max(r.started_at_ms) as started_at_ms,
    max(r.tmux) as tmux
from probe_registry as r
where r.is_alive
group by
    r.label,
    r.pid,
    lower(coalesce(r.session_id, '')),
    coalesce(r.cwd, '')
union all
select
    '' as source_label,
    w.pid,
    lower(coalesce(w.session_id, '')) as session_id,
    coalesce(w.cwd, '') as cwd,
    max(w.started_at_ms) as started_at_ms,
    max(w.tmux) as tmux
from with_registry as w
where w.session_id is not null or w.cwd is not null
group by
    w.pid,
    lower(coalesce(w.session_id, '')),
    coalesce(w.cwd, '')
