-- /// model
-- doc = "Titles that differ from the one of their kind before them, in main transcripts."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Line of the new title."
-- part = "Its part."
-- position = "Its position."
-- kind = "custom-title, ai-title or agent-name."
-- title = "The new title on one line; null in a case without prose."
-- title_before = "The one before it."
-- before_line_no = "Line of that one."
-- before_part = "Its part."
-- ///
with
told as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        t.line_no * 67108864 + t.part as position,
        t.kind,
        t.title_hash,
        x.text
    from session_titles as t
    inner join transcripts as f
        on t.file_id = f.file_id
        and t.generation = f.generation
        and f.role = 'main'
    left join session_texts as x
        on t.file_id = x.file_id
        and t.generation = x.generation
        and t.line_no = x.line_no
        and t.part = x.part
        and x.kind = 'title'
),

paired as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        t.position,
        t.kind,
        t.title_hash,
        t.text as title,
        lag(t.title_hash) over w as hash_before,
        lag(t.text) over w as title_before,
        lag(t.line_no) over w as before_line_no,
        lag(t.part) over w as before_part
    from told as t
    window w as (partition by t.file_id, t.generation, t.kind order by t.position)
)

select
    p.file_id,
    p.generation,
    p.line_no,
    p.part,
    p.position,
    p.kind,
    p.title,
    p.title_before,
    p.before_line_no,
    p.before_part
from paired as p
where p.title_hash <> p.hash_before
