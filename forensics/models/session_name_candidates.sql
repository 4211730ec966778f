-- /// model
-- doc = "Everything by which a person may know a session and that says anything, with its rank."
-- grain = ["file_id", "generation", "source", "from_file_id", "line_no", "position"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- source = "As in session_namings, then first-request and first-command: what a person asked or called."
-- rank = "1 for the source that counts first."
-- from_file_id = "The file in which it stands."
-- line_no = "Its line."
-- position = "Orders the lines of a file."
-- nearness = "Orders those of one source: the last title counts, the first request."
-- text = "The text, on one line."
-- ref = "Where it stands."
-- ///
select
    n.file_id,
    n.generation,
    n.source,
    n.rank,
    n.from_file_id,
    n.line_no,
    n.position,
    -n.position as nearness,
    n.text,
    n.ref
from session_namings as n
where n.is_meaningful
union all
select
    r.file_id,
    r.generation,
    'first-request' as source,
    7 as rank,
    r.file_id as from_file_id,
    r.line_no,
    r.position,
    r.position as nearness,
    r.text,
    line_ref(r.file_id, r.generation, r.line_no, r.part) as ref
from session_requests as r
where r.is_meaningful
union all
select
    t.file_id,
    t.generation,
    'first-command' as source,
    8 as rank,
    t.file_id as from_file_id,
    t.line_no,
    t.line_no * 67108864 + t.part as position,
    t.line_no * 67108864 + t.part as nearness,
    t.text,
    line_ref(t.file_id, t.generation, t.line_no, t.part) as ref
from session_texts as t
where t.kind = 'command'
    and t.ord = 0
    and t.is_meaningful
