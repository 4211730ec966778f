-- /// finding
-- id = "F054"
-- kind = "risk"
-- confidence = "observed"
-- title = "A session that was declared finished went on"
-- claim = "A person's list of dismissed sessions names this one, and its transcript holds messages later than the last change of that list."
-- does_not_show = "When or why it was dismissed: closing a session and not choosing it leave the same line. A restore would have taken the line out."
-- next = "Take the line out of the list if the session is wanted: otherwise it stays hidden after the next shutdown."
-- grain = ["label", "path"]
-- needs = ["with_dismissed"]
-- denominator = "select count(*) from dismissals where not is_stale"
-- denominator_of = "dismissed sessions with a transcript"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- session_id = "The session id."
-- dismissed_line_no = "The line of the list that names it."
-- dismissed_at = "Last change of the list."
-- n_after = "Messages in the transcript after that."
-- n_human_after = "Requests of a person among them."
-- last_after_ts = "Time of the last message."
-- ///
select
    s.label,
    s.path,
    s.session_id,
    d.line_no as dismissed_line_no,
    make_timestamp(d.dismissed_ns // 1000) at time zone 'UTC' as dismissed_at,
    d.n_after,
    d.n_human_after,
    d.last_after_ts,
    sort_refs([
        line_ref(d.file_id, d.generation, d.first_after_line_no, 0),
        line_ref(d.file_id, d.generation, d.last_after_line_no, 0)
    ]) as refs
from dismissals as d
inner join sessions as s
    on d.file_id = s.file_id
    and d.generation = s.generation
where d.n_after > 0
order by
    s.label,
    s.path
