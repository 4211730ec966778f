-- /// finding
-- id = "F041"
-- kind = "fault"
-- confidence = "rule"
-- title = "A session lies under the key of another directory"
-- claim = "None of its directories gives this key under any known rule or in any spelling, no record moved it, and `evidence` says what shows that the place is wrong: other sessions own the key, the session's own key stands beside it, or a copy lies there."
-- does_not_show = "Who put it there: a copied file, a restored backup and a renamed directory look the same."
-- next = "`forensics session ID` prints the command that resumes it where it lies; put it back under `own_key` with the agent stopped."
-- grain = ["label", "path"]
-- denominator = "select count(*) from key_matches"
-- denominator_of = "sessions with a directory under a key"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/` it lies under."
-- session_id = "The session id that the file's name says."
-- first_cwd = "First directory on the main chain."
-- own_key = "The key its first directory gives under the rules of its versions; one that exists, if any does."
-- evidence = "other_owner, own_key_exists, copy_elsewhere: those that hold."
-- owners = "Directories of other sessions that give the key it lies under."
-- ///
select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    s.first_cwd,
    m.own_key,
    list_filter(
        [
            case when length(o.owners) > 0 then 'other_owner' end,
            case when m.has_own_key then 'own_key_exists' end,
            case when m.copy_ref is not null then 'copy_elsewhere' end
        ],
        lambda e: e is not null
    ) as evidence,
    coalesce(o.owners, []) as owners,
    list_filter(
        [
            line_ref(f.file_id, f.generation, f.first_line_no, f.first_part),
            o.ref,
            m.copy_ref,
            case when o.ref is null and m.copy_ref is null then key_ref(s.label, s.home, m.own_key) end
        ],
        lambda r: r is not null
    ) as refs
from misplaced_keys as m
inner join sessions as s
    on m.file_id = s.file_id
    and m.generation = s.generation
inner join session_cwds as f
    on s.file_id = f.file_id
    and s.generation = f.generation
    and s.first_cwd = f.cwd
left join key_owners as o
    on s.label = o.label
    and s.home = o.home
    and s.project_key = o.project_key
where m.has_own_key
    or m.copy_ref is not null
    or length(o.owners) > 0
order by
    s.label,
    s.path
