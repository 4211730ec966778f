-- /// finding
-- id = "F005"
-- kind = "fault"
-- confidence = "observed"
-- title = "One session holds records of two directories that share its key"
-- claim = "The session has records of at least two different directories that encode to its key, and no record says that it was moved: it was continued in a directory that is not its own, or went there by a shell command."
-- does_not_show = "Which of the two it belongs to, or that a person did not mean it. Directories are told apart by spelling alone."
-- next = "`forensics show REF` for the first record of each directory; look at what the session did after it."
-- grain = ["label", "path"]
-- denominator = "select count(*) from sessions where project_key is not null and first_cwd is not null"
-- denominator_of = "sessions with a directory under a key"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- directories = "The directories, in the order in which they come first."
-- lines_by_directory = "Records of each."
-- first_cwd = "First directory on the main chain."
-- last_cwd = "Last directory on the main chain."
-- last_version = "Last recorded agent version."
-- ///
with
visits as (
    select
        c.file_id,
        c.generation,
        g.directory_guess,
        arg_min(c.cwd, c.first_main_position) as cwd,
        sum(c.n_main_lines)::bigint as n_lines,
        min(c.first_main_position) as position,
        arg_min(
            line_ref(c.file_id, c.generation, c.first_line_no, c.first_part), c.first_main_position
        ) as ref
    from session_cwds as c
    inner join sessions as s using (file_id, generation)
    inner join directories as g on c.cwd = g.cwd
    inner join colliding_dirs as d
        on s.label = d.label and s.home = d.home and s.project_key = d.project_key
        and g.directory_guess = d.directory_guess
    where c.n_main_lines > 0
    group by c.file_id, c.generation, g.directory_guess
),

mixed as (
    select
        v.file_id,
        v.generation,
        list(v.cwd order by v.position) as directories,
        list(v.n_lines order by v.position) as lines_by_directory,
        list(v.ref order by v.position) as refs
    from visits as v
    group by v.file_id, v.generation
    having count(*) > 1
)

select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    m.directories,
    m.lines_by_directory,
    s.first_cwd,
    s.last_cwd,
    s.last_version,
    m.refs
from mixed as m
inner join sessions as s using (file_id, generation)
where not exists (
    select 1
    from cwd_moves as v
    where v.file_id = m.file_id
        and v.generation = m.generation
        and list_contains(m.directories, v.cwd)
)
order by s.label, s.path
