-- /// model
-- doc = "Refusals of a resume that a tool met: the words of the command line in a tool's error."
-- grain = ["file_id", "generation", "line_no", "part", "ord"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Line of the tool's result."
-- part = "Its part."
-- ord = "Position when a line has several errors."
-- refusal = "not_found or in_background."
-- asked_id = "The session id that was asked for, where the words name one."
-- cwd = "The working directory recorded with the result: not always the one the command ran in."
-- agent_version = "The version recorded with the result: not always the one that refused."
-- ts = "Recorded time."
-- ///
with
matched as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        t.ord,
        contains(t.text, 'is currently running as a background agent') as is_background,
        regexp_extract(t.text, 'No conversation found with session ID: *([0-9A-Za-z_-]+)', 1) as not_found_id,
        regexp_extract(
            t.text, '([0-9a-fA-F]{8}-[0-9a-fA-F-]{27})[^\n]{0,80}is currently running as a background agent', 1
        ) as background_id
    from "text" as t
    where t.kind = 'tool_error'
        and (
            contains(t.text, 'No conversation found with session ID')
            or contains(t.text, 'is currently running as a background agent')
        )
)

select
    m.file_id,
    m.generation,
    m.line_no,
    m.part,
    m.ord,
    case when m.is_background then 'in_background' else 'not_found' end as refusal,
    nullif(case when m.is_background then m.background_id else m.not_found_id end, '') as asked_id,
    l.cwd,
    l.agent_version,
    l.ts
from matched as m
inner join lines as l
    on m.file_id = l.file_id
    and m.generation = l.generation
    and m.line_no = l.line_no
    and m.part = l.part
