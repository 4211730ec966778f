-- /// finding
-- id = "F004"
-- kind = "risk"
-- confidence = "rule"
-- title = "No recorded directory explains the key a session lies under"
-- claim = "None of the session's directories gives this key under the rules of its agent versions, in no spelling, and no relocation names one that does. `reason` says what may explain it."
-- does_not_show = "That the session was misplaced: a key may be chosen by name, a version may follow a rule that was never observed, and the directory may have been recorded under a spelling that only its machine knows."
-- next = "`forensics encode CWD` shows the keys of a directory under every rule; `forensics check-keys` counts this by version."
-- grain = ["label", "path"]
-- denominator = "select count(*) from key_matches"
-- denominator_of = "sessions with a directory under a key"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- reason = "moved, named, rule (one of another version), foreign_rule, case, other_sessions, ancestor or unknown: the first that holds."
-- best_candidate = "The directory that comes nearest, of this session or, for other_sessions, of another."
-- rule_guess = "The rule under which it gives the key; null for other reasons."
-- first_cwd = "First directory on the main chain."
-- last_cwd = "Last directory on the main chain."
-- last_version = "Last recorded agent version."
-- ///
select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    case
        when v.file_id is not null then 'moved'
        when k.form = 'named' then 'named'
        else coalesce(c.reason, 'unknown')
    end as reason,
    case
        when v.file_id is not null then v.cwd
        when k.form = 'named' then s.first_cwd
        else coalesce(c.cwd, s.first_cwd)
    end as best_candidate,
    case when v.file_id is null and k.form is distinct from 'named' then c.rule end as rule_guess,
    s.first_cwd,
    s.last_cwd,
    s.last_version,
    [line_ref(f.file_id, f.generation, f.first_line_no, f.first_part)] as refs
from key_matches as m
inner join sessions as s using (file_id, generation)
inner join session_cwds as f
    on s.file_id = f.file_id
    and s.generation = f.generation
    and s.first_cwd = f.cwd
left join keys as k
    on s.label = k.label
    and s.home = k.home
    and s.project_key = k.project_key
left join outside_key_reasons as c
    on s.file_id = c.file_id
    and s.generation = c.generation
left join last_moves as v
    on s.file_id = v.file_id
    and s.generation = v.generation
where not m.match_any
    and not m.match_relocated
    and not m.match_alias
order by
    s.label,
    s.path
