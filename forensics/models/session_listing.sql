-- /// model
-- doc = "Whether lists show a session and whether there is anything to resume in it: three questions with three answers."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- is_listed_by_sdk = "Whether the Agent SDK's listing shows it: a file with a UUID as its name, whose first record is of the main chain and in which a title, a prompt or a summary stands."
-- has_messages = "Whether it holds a record of type user or assistant: without one there is nothing to resume."
-- is_title_only = "Whether it holds titles or tags and no message."
-- stub_reason = "Why it holds no message, or null."
-- ///
with
first_records as (
    select
        l.file_id,
        l.generation,
        arg_min(coalesce(l.is_sidechain, false), (l.line_no, l.part)) as begins_aside
    from lines as l
    where l.status in ('ok', 'salvaged')
    group by
        l.file_id,
        l.generation
),

shown as (
    select
        m.file_id,
        m.generation
    from marks as m
    where m.name in ('title_hash', 'last_prompt_hash', 'summary_hash')
    union
    select
        r.file_id,
        r.generation
    from session_requests as r
)

select
    s.file_id,
    s.generation,
    regexp_matches(s.path, '(^|/)[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}[.]jsonl$')
        and not coalesce(f.begins_aside, true)
        and w.file_id is not null as is_listed_by_sdk,
    s.n_user + s.n_assistant > 0 as has_messages,
    coalesce(b.stub_reason = 'title_only', false) as is_title_only,
    b.stub_reason
from sessions as s
left join first_records as f
    on s.file_id = f.file_id
    and s.generation = f.generation
left join shown as w
    on s.file_id = w.file_id
    and s.generation = w.generation
left join session_stubs as b
    on s.file_id = b.file_id
    and s.generation = b.generation
