-- /// model
-- doc = "Project keys that belong to git worktrees: a directory of a session in the key encodes to it and lies in one."
-- grain = ["label", "home", "project_key", "worktree"]
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`."
-- worktree = "The worktree's top directory."
-- cwd = "The directory that encodes to the key: the worktree or a folder in it."
-- n_sessions = "Sessions of the key that record it, or were relocated to it; none when only subagents lie there."
-- is_one_session = "Whether the key holds a single session."
-- size_bytes = "Bytes of all files below the key."
-- last_ts = "Latest time recorded in these sessions."
-- ref = "First record with the directory in the latest of these sessions, else the line that sent it there."
-- ///
with
sent as (
    select
        v.file_id,
        v.generation,
        v.cwd,
        arg_max(line_ref(v.file_id, v.generation, v.line_no, v.part), v.position) as ref
    from cwd_moves as v
    where v.cwd is not null
    group by v.file_id, v.generation, v.cwd
),

dirs as (
    select
        t.label,
        t.home,
        t.project_key,
        k.cwd,
        count(*) filter (where t.role = 'main') as n_sessions,
        max(f.last_ts) as last_ts,
        arg_max(
            case
                when c.first_line_no is null then v.ref
                else line_ref(k.file_id, k.generation, c.first_line_no, c.first_part)
            end,
            (coalesce(f.last_ts, '-infinity'::timestamp with time zone), t.path)
        ) as ref
    from session_keys as k
    inner join transcripts as t using (file_id, generation)
    inner join session_facts as f using (file_id, generation)
    left join session_cwds as c using (file_id, generation, cwd)
    left join sent as v using (file_id, generation, cwd)
    where k.how in ('exact', 'alias')
    group by t.label, t.home, t.project_key, k.cwd
)

select
    d.label,
    d.home,
    d.project_key,
    w.worktree,
    arg_min(d.cwd, (length(d.cwd), d.cwd)) as cwd,
    max(d.n_sessions) as n_sessions,
    min(k.n_sessions) = 1 as is_one_session,
    min(z.size_bytes) as size_bytes,
    max(d.last_ts) as last_ts,
    arg_max(d.ref, (coalesce(d.last_ts, '-infinity'::timestamp with time zone), d.cwd)) as ref
from dirs as d
inner join worktrees as w
    on d.label = w.label
    and lies_in(d.cwd, w.worktree)
left join keys as k
    on d.label = k.label and d.home = k.home and d.project_key = k.project_key
left join key_sizes as z
    on d.label = z.label and d.home = z.home and d.project_key = z.project_key
group by
    d.label,
    d.home,
    d.project_key,
    w.worktree
