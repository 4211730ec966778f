-- /// finding
-- id = "F007"
-- kind = "risk"
-- confidence = "observed"
-- title = "A compaction boundary carries another session's id"
-- claim = "The boundary records a session id that is not the one of its file: the conversation before it belongs to another session."
-- does_not_show = "That anything is lost: a session that goes on under a new id after a compaction writes this."
-- next = "`forensics session ID` of the recorded id."
-- grain = ["label", "path", "line_no", "part"]
-- denominator = "select count(*) from compact_boundaries where recorded_session_id is not null"
-- denominator_of = "boundaries with a session id"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- line_no = "Line of the boundary."
-- part = "0, or the further record inside the line."
-- session_id = "The session id that the file's name or folder says."
-- recorded_session_id = "The session id that the boundary records."
-- has_session = "Whether a main transcript of that session is in this source."
-- parent_in = "Where its logical parent stands: own_file, other_file, nowhere, none."
-- ts = "Time of the boundary."
-- ///
select
    t.label,
    t.path,
    b.line_no,
    b.part,
    t.session_id,
    b.recorded_session_id,
    exists (
        select 1
        from sessions as s
        where s.label = t.label
            and s.session_id = b.recorded_session_id
    ) as has_session,
    p.stands_in as parent_in,
    b.ts,
    case
        when p.stands_in = 'other_file'
            then [line_ref(b.file_id, b.generation, b.line_no, b.part), p.other_ref]
        else [line_ref(b.file_id, b.generation, b.line_no, b.part)]
    end as refs
from compact_boundaries as b
inner join boundary_parents as p
    on b.file_id = p.file_id
    and b.generation = p.generation
    and b.line_no = p.line_no
    and b.part = p.part
inner join transcripts as t
    on b.file_id = t.file_id
    and b.generation = t.generation
where t.session_id is not null
    and b.recorded_session_id <> t.session_id
order by
    t.label,
    t.path,
    b.line_no,
    b.part
