-- /// model
-- doc = "Requests of a person on the main chain of each main transcript."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- position = "Orders the records of a file."
-- ts = "Recorded time."
-- text = "Its first text that says anything, else its first, on one line; null in a case without prose."
-- is_meaningful = "Whether it says anything; null in a case without prose."
-- ///
with
told as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        arg_min(t.text, (not t.is_meaningful, t.ord)) as text,
        bool_or(t.is_meaningful) as is_meaningful
    from session_texts as t
    where t.kind = 'human'
    group by
        t.file_id,
        t.generation,
        t.line_no,
        t.part
)

select
    r.file_id,
    r.generation,
    r.line_no,
    r.part,
    r.position,
    r.ts,
    t.text,
    t.is_meaningful
from records as r
left join told as t
    on r.file_id = t.file_id
    and r.generation = t.generation
    and r.line_no = t.line_no
    and r.part = t.part
where r.role = 'main'
    and r.chain = 'main'
    and r.is_human_prompt
