-- /// finding
-- id = "F045"
-- kind = "measure"
-- confidence = "heuristic"
-- title = "A session got another title as it was taken up again"
-- claim = "Between the last record before a restart and the first lines after it stands a title that differs from the one before it: whoever looks for the old name will not find it."
-- does_not_show = "That the resume itself renamed it: a person may have, just before leaving or just after coming back."
-- next = "`forensics session ID` shows the history of its titles; resume without `-n` to keep a name."
-- grain = ["label", "path", "line_no", "part"]
-- denominator = "select count(distinct (file_id, generation)) from session_restarts"
-- denominator_of = "sessions that were taken up again"
-- [params]
-- n_lines = { default = 10, doc = "How many lines after the restart still count as its beginning." }
-- gap_minutes = { default = 60, doc = "Silence that counts as a restart where the version stays the same." }
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- session_id = "The session id that the file's name says."
-- line_no = "Line of the new title."
-- part = "Its part."
-- title_kind = "custom-title, ai-title or agent-name."
-- title_before = "The title of that kind before it; null in a case without prose."
-- title_after = "The new one."
-- restart_line_no = "First record after the restart."
-- has_new_version = "Whether the agent's version changed there; else a silence is all that shows it."
-- gap_s = "Seconds of silence."
-- ///
select
    f.label,
    f.path,
    f.session_id,
    t.line_no,
    t.part,
    t.kind as title_kind,
    t.title_before,
    t.title as title_after,
    r.line_no as restart_line_no,
    r.has_new_version,
    r.gap_s,
    [
        line_ref(t.file_id, t.generation, t.before_line_no, t.before_part),
        line_ref(t.file_id, t.generation, t.line_no, t.part),
        line_ref(r.file_id, r.generation, r.line_no, r.part)
    ] as refs
from title_changes as t
inner join session_restarts as r
    on t.file_id = r.file_id
    and t.generation = r.generation
    and t.position > r.before_position
    and t.line_no <= r.line_no + $n_lines
inner join transcripts as f
    on t.file_id = f.file_id
    and t.generation = f.generation
where r.has_new_version
    or r.gap_s >= $gap_minutes * 60
qualify row_number() over (partition by t.file_id, t.generation, t.line_no, t.part order by r.position desc) = 1
order by
    f.label,
    f.path,
    t.line_no,
    t.part
