-- /// model
-- doc = "Compaction boundaries, each id once: a later compaction may write earlier records again."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- position = "Orders the records of a file."
-- uuid = "The boundary's id."
-- ts = "Recorded time."
-- recorded_session_id = "The session id recorded in it."
-- logical_parent_uuid = "The record it stands for, or null."
-- trigger = "auto or manual, where recorded."
-- pre_tokens = "Tokens before the compaction, where recorded."
-- ///
with
facts as (
    select
        m.file_id,
        m.generation,
        m.line_no,
        m.part,
        max(m.value) filter (where m.name = 'trigger') as trigger,
        max(try_cast(m.value as bigint)) filter (where m.name = 'pre_tokens') as pre_tokens
    from marks as m
    where m.kind = 'compact'
    group by
        m.file_id,
        m.generation,
        m.line_no,
        m.part
)

select
    r.file_id,
    r.generation,
    r.line_no,
    r.part,
    r.position,
    r.uuid,
    r.ts,
    r.recorded_session_id,
    r.logical_parent_uuid,
    f.trigger,
    f.pre_tokens
from records as r
left join facts as f
    on r.file_id = f.file_id
    and r.generation = f.generation
    and r.line_no = f.line_no
    and r.part = f.part
where r.subtype = 'compact_boundary'
qualify r.uuid is null
    or row_number() over (
        partition by r.file_id, r.generation, r.uuid
        order by r.position
    ) = 1
