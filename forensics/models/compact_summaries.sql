-- /// model
-- doc = "Summaries that stand for what was compacted, each id once, with the witness that shows it."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- position = "Orders the records of a file."
-- uuid = "The summary's id."
-- ts = "Recorded time."
-- witness = "flag; transcript_only (shown only there, and its parent is a boundary); opening (the known first words)."
-- content_chars = "Characters of the summary."
-- boundary_position = "Position of the boundary it follows, or null."
-- ///
with
candidates as (
    select
        r.file_id,
        r.generation,
        r.line_no,
        r.part,
        r.position,
        r.uuid,
        r.ts,
        case
            when r.is_compact_summary then 'flag'
            when r.is_transcript_only and b.position is not null then 'transcript_only'
            when r.prompt_class = 'compact_summary' then 'opening'
        end as witness,
        r.content_chars,
        b.position as boundary_position
    from records as r
    left join compact_boundaries as b
        on r.file_id = b.file_id
        and r.generation = b.generation
        and r.parent_uuid = b.uuid
    where r.type = 'user'
        and (r.is_compact_summary or r.is_transcript_only or r.prompt_class = 'compact_summary')
)

select
    c.file_id,
    c.generation,
    c.line_no,
    c.part,
    c.position,
    c.uuid,
    c.ts,
    c.witness,
    c.content_chars,
    c.boundary_position
from candidates as c
where c.witness is not null
qualify c.uuid is null
    or row_number() over (
        partition by c.file_id, c.generation, c.uuid
        order by c.position
    ) = 1
