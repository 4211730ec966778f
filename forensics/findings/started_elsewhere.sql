-- /// finding
-- id = "F026"
-- kind = "measure"
-- confidence = "rule"
-- title = "A session began in another directory than the one its key is of"
-- claim = "The first directory of the session does not give its key and a later one does: reading the first one as the session's project is a mistake here."
-- does_not_show = "That anything is wrong: versions from 2.1.223 on move a session into a worktree."
-- next = "Resume it from `key_cwd`."
-- grain = ["label", "path"]
-- denominator = "select count(*) from key_matches"
-- denominator_of = "sessions with a directory under a key"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- first_cwd = "First directory on the main chain."
-- last_cwd = "Last directory on the main chain."
-- key_cwd = "The last recorded directory that gives the key."
-- moved_by = "relocated or worktree-state, whichever names that directory last; null when no record does."
-- last_version = "Last recorded agent version."
-- ///
with
giving as (
    select
        k.file_id,
        k.generation,
        arg_max(k.cwd, c.last_position) as key_cwd,
        arg_max(
            line_ref(c.file_id, c.generation, c.first_line_no, c.first_part), c.last_position
        ) as ref
    from session_keys as k
    inner join session_cwds as c using (file_id, generation, cwd)
    where k.how in ('exact', 'alias')
        and c.n_main_lines > 0
    group by k.file_id, k.generation
),

moves as (
    select v.file_id, v.generation, v.cwd, arg_max(v.kind, v.position) as kind
    from cwd_moves as v
    where v.cwd is not null
    group by v.file_id, v.generation, v.cwd
)

select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    s.first_cwd,
    s.last_cwd,
    g.key_cwd,
    v.kind as moved_by,
    s.last_version,
    [line_ref(f.file_id, f.generation, f.first_line_no, f.first_part), g.ref] as refs
from key_matches as m
inner join sessions as s using (file_id, generation)
inner join giving as g using (file_id, generation)
inner join session_cwds as f
    on s.file_id = f.file_id and s.generation = f.generation and s.first_cwd = f.cwd
left join session_keys as b
    on s.file_id = b.file_id and s.generation = b.generation and s.first_cwd = b.cwd
left join moves as v
    on s.file_id = v.file_id and s.generation = v.generation and g.key_cwd = v.cwd
where b.cwd is null
order by s.label, s.path
