-- /// finding
-- id = "F044"
-- kind = "risk"
-- confidence = "observed"
-- title = "A session ends with a request or a tool's result that nobody answered"
-- claim = "The last whole record on the main chain waits for the model: taken up again, the session would go on working at once."
-- does_not_show = "Why it ended there: a crash, a closed terminal and a session that was still at work when the evidence was taken look the same. A call of a tool without its result does not count."
-- next = "`forensics show REF` for the last word; resume it only where that work is still wanted."
-- grain = ["label", "path"]
-- denominator = "select count(*) from session_last_words"
-- denominator_of = "sessions with a message on their main chain"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- waits_on = "request (of a person) or tool_result."
-- line_no = "Line of the last word."
-- last_word_ts = "Its time."
-- last_version = "Last recorded agent version."
-- ///
select
    s.label,
    s.path,
    s.project_key,
    s.session_id,
    w.last_word as waits_on,
    w.line_no,
    w.ts as last_word_ts,
    s.last_version,
    [line_ref(w.file_id, w.generation, w.line_no, w.part)] as refs
from session_last_words as w
inner join sessions as s
    on w.file_id = s.file_id
    and w.generation = s.generation
where w.is_pending
order by
    s.label,
    s.path
