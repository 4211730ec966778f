-- /// finding
-- id = "F011"
-- kind = "risk"
-- confidence = "observed"
-- title = "A session's file holds no message"
-- claim = "There is no record of type user or assistant in this transcript: nothing can be resumed from it, though lists may show it."
-- does_not_show = "That messages were lost: a session may have been named or queued and never begun."
-- next = "`has_other` says whether the session's history stands in another file of this source."
-- grain = ["label", "path"]
-- denominator = "select count(*) from sessions"
-- denominator_of = "main transcripts"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- stub_reason = "empty, corrupt, title_only, queue_only, summary_only, snapshot_only, subagent_meta or other."
-- types = "Record types it holds."
-- n_lines = "Physical lines."
-- has_other = "Whether another file of the session in this source holds messages."
-- ///
select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    b.stub_reason,
    b.types,
    s.n_lines,
    exists (
        select 1
        from sessions as o
        where o.label = s.label
            and o.session_id = s.session_id
            and o.n_user + o.n_assistant > 0
    ) as has_other,
    [file_ref(s.file_id, s.generation)] as refs
from session_stubs as b
inner join sessions as s
    on b.file_id = s.file_id
    and b.generation = s.generation
order by
    s.label,
    s.path
