-- /// finding
-- id = "F012"
-- kind = "risk"
-- confidence = "observed"
-- title = "A subagent's session has no file"
-- claim = "This subagent belongs to a session of which the home holds no main transcript: what asked for it, and what came of it, cannot be read here."
-- does_not_show = "That the session was deleted: it may have been moved to a home that was not taken in."
-- next = "`forensics session ID`; look in other homes and backups."
-- grain = ["label", "path"]
-- denominator = "select count(*) from subagents"
-- denominator_of = "subagent transcripts"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- session_id = "The session it belongs to; null when nothing says."
-- basis = "folder or record: what says so; null when neither does."
-- agent_id = "The subagent id that the file's name says."
-- is_summariser = "Whether it is the run that made a compaction's summary."
-- ///
select
    a.label,
    a.path,
    a.project_key,
    a.session_id,
    a.basis,
    a.agent_id,
    a.is_summariser,
    case
        when a.first_line_no is null then [file_ref(a.file_id, a.generation)]
        else [line_ref(a.file_id, a.generation, a.first_line_no, 0)]
    end as refs
from subagents as a
where not a.has_session
order by
    a.label,
    a.path
