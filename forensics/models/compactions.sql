-- /// model
-- doc = "Compactions of each transcript: boundary and summary, or one without the other."
-- grain = ["file_id", "generation", "position"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- position = "Where the summary stands, else the boundary: what follows is not covered by it."
-- compaction_no = "Number in the file, from 1."
-- line_no = "Line of the summary, else of the boundary."
-- part = "Its part."
-- boundary_line_no = "Line of the boundary, or null."
-- boundary_part = "Its part."
-- summary_line_no = "Line of the summary, or null."
-- summary_part = "Its part."
-- is_paired = "Whether there is a boundary and a summary that follows it."
-- witness = "What shows the summary: flag, transcript_only, opening; boundary when there is none."
-- ts = "Time of the boundary, else of the summary."
-- trigger = "auto or manual, where recorded."
-- pre_tokens = "Tokens before the compaction, where recorded."
-- summary_chars = "Characters of the summary, or null."
-- ///
with
first_summaries as (
    select file_id, generation, line_no, part, position, ts, witness, content_chars, boundary_position
    from compact_summaries
    qualify boundary_position is null
        or row_number() over (partition by file_id, generation, boundary_position order by position) = 1
),

paired as (
    select
        coalesce(b.file_id, s.file_id) as file_id,
        coalesce(b.generation, s.generation) as generation,
        coalesce(s.position, b.position) as position,
        coalesce(s.line_no, b.line_no) as line_no,
        coalesce(s.part, b.part) as part,
        b.line_no as boundary_line_no,
        b.part as boundary_part,
        s.line_no as summary_line_no,
        s.part as summary_part,
        b.line_no is not null and s.line_no is not null as is_paired,
        coalesce(s.witness, 'boundary') as witness,
        coalesce(b.ts, s.ts) as ts,
        b.trigger,
        b.pre_tokens,
        s.content_chars as summary_chars
    from compact_boundaries as b
    full outer join first_summaries as s
        on b.file_id = s.file_id and b.generation = s.generation and b.position = s.boundary_position
)

select
    p.file_id,
    p.generation,
    p.position,
    row_number() over (partition by p.file_id, p.generation order by p.position) as compaction_no,
    p.line_no,
    p.part,
    p.boundary_line_no,
    p.boundary_part,
    p.summary_line_no,
    p.summary_part,
    p.is_paired,
    p.witness,
    p.ts,
    p.trigger,
    p.pre_tokens,
    p.summary_chars
from paired as p
