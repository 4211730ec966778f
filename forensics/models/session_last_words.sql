-- /// model
-- doc = "The last whole record of a person or of the model on the main chain of each main transcript, and whether the model is to speak next."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- line_no = "Its line."
-- part = "Its part."
-- last_word = "reply, tool_call, request (of a person), tool_result, or other: what a program put there."
-- prompt_class = "Why a user line counts as a person's or not; null for the model's."
-- is_pending = "Whether it is a request or a tool's result that nobody answered."
-- ts = "Recorded time."
-- ///
with
spoken as (
    select
        r.file_id,
        r.generation,
        max(r.position) as position
    from records as r
    where r.role = 'main'
        and r.chain = 'main'
        and r.status = 'ok'
        and r.type in ('user', 'assistant')
    group by
        r.file_id,
        r.generation
),

worded as (
    select
        l.file_id,
        l.generation,
        l.line_no,
        l.part,
        case
            when l.type = 'assistant' and l.n_tool_use > 0 then 'tool_call'
            when l.type = 'assistant' then 'reply'
            when l.is_human_prompt then 'request'
            when l.prompt_class = 'tool_result' then 'tool_result'
            else 'other'
        end as last_word,
        l.prompt_class,
        l.ts
    from lines as l
    inner join spoken as s
        on l.file_id = s.file_id
        and l.generation = s.generation
        and l.line_no * 67108864 + l.part = s.position
)

select
    w.file_id,
    w.generation,
    w.line_no,
    w.part,
    w.last_word,
    w.prompt_class,
    w.last_word in ('request', 'tool_result') as is_pending,
    w.ts
from worded as w
