-- /// finding
-- id = "F027"
-- kind = "measure"
-- confidence = "observed"
-- title = "Sessions that changed their directory"
-- claim = "The main chain of this session was in these directories, one after the other, for so many records each."
-- does_not_show = "What stands between: records without a directory neither count nor end a run, and subagents are counted by themselves."
-- next = "`forensics session ID`."
-- grain = ["label", "path"]
-- denominator = "select count(*) from sessions where first_cwd is not null"
-- denominator_of = "sessions with a directory"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- n_cwds = "Distinct directories."
-- n_runs = "Runs of one directory."
-- n_returns = "Runs that come back to an earlier directory."
-- run_cwds = "The directory of each run, at most 100."
-- run_lines = "Records of each run, at most 100."
-- dominant_cwd = "The directory of most records."
-- common_ancestor_guess = "The deepest directory above all of them, by spelling; null when there is none."
-- n_without_cwd = "Records of the main chain without a directory."
-- ///
select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    s.n_cwds,
    s.n_runs,
    s.n_returns,
    list(r.cwd order by r.run_no)[1:100] as run_cwds,
    list(r.n_lines order by r.run_no)[1:100] as run_lines,
    s.dominant_cwd,
    min(a.common_ancestor_guess) as common_ancestor_guess,
    s.n_without_cwd,
    list(
        line_ref(r.file_id, r.generation, r.first_line_no, r.first_part) order by r.run_no
    )[1:12] as refs
from sessions as s
inner join cwd_runs as r
    on s.file_id = r.file_id
    and s.generation = r.generation
    and r.chain = 'main'
left join session_ancestors as a
    on s.file_id = a.file_id
    and s.generation = a.generation
where s.n_cwds > 1
group by
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    s.n_cwds,
    s.n_runs,
    s.n_returns,
    s.dominant_cwd,
    s.n_without_cwd
order by
    s.label,
    s.path
