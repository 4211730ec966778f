-- /// finding
-- id = "F021"
-- kind = "measure"
-- confidence = "heuristic"
-- title = "Where sessions went, by kind of directory"
-- claim = "So many sessions of this home recorded a directory of this kind, and in so many it was the last one: a lookup by the last directory would search for them there."
-- does_not_show = "Why a session went there. The kind is guessed from the path alone."
-- next = "`forensics sql` over session_cwds; cwd_history lists the runs of each session."
-- grain = ["label", "home", "class"]
-- denominator = "select count(*) from sessions where first_cwd is not null"
-- denominator_of = "sessions with a directory"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- class = "project, worktree, claude_uploads, claude_skills, scratchpad, home or other."
-- n_sessions = "Sessions that recorded such a directory."
-- n_last = "Those in which it was the last."
-- n_last_elsewhere = "Those of them whose last directory does not give the key the session lies under."
-- n_directories = "Different directories of this kind."
-- ///
with
visits as (
    select
        s.label,
        s.home,
        s.path,
        c.excursion_class_guess as class,
        s.file_id,
        v.cwd,
        v.cwd = s.last_cwd as is_last,
        k.cwd is null and s.project_key is not null as is_elsewhere,
        v.first_main_position as position,
        line_ref(v.file_id, v.generation, v.first_line_no, v.first_part) as ref
    from session_cwds as v
    inner join sessions as s using (file_id, generation)
    inner join cwds as c on v.cwd = c.cwd
    left join session_keys as k
        on v.file_id = k.file_id
        and v.generation = k.generation
        and v.cwd = k.cwd
    where v.n_main_lines > 0
)

select
    v.label,
    v.home,
    v.class,
    count(distinct v.file_id) as n_sessions,
    count(*) filter (where v.is_last) as n_last,
    count(*) filter (where v.is_last and v.is_elsewhere) as n_last_elsewhere,
    count(distinct v.cwd) as n_directories,
    list(v.ref order by not v.is_last, v.path, v.position)[1:12] as refs
from visits as v
group by
    v.label,
    v.home,
    v.class
order by
    v.label,
    v.home,
    v.class
