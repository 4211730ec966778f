-- /// model
-- doc = "Records that are older than the record they follow in the same file."
-- grain = ["file_id", "generation", "position"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- position = "Orders the records of a file."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- parent_line_no = "Line of the record it follows."
-- parent_part = "Its part."
-- ts = "Its time."
-- parent_ts = "The earlier record's time, which is later."
-- back_s = "Seconds between them."
-- ///
with
parents as (
    select
        r.file_id,
        r.generation,
        r.uuid,
        arg_min(r.ts, r.position) as ts,
        arg_min(r.line_no, r.position) as line_no,
        arg_min(r.part, r.position) as part
    from records as r
    where r.uuid is not null
        and r.ts is not null
    group by
        r.file_id,
        r.generation,
        r.uuid
)

select
    r.file_id,
    r.generation,
    r.position,
    r.line_no,
    r.part,
    p.line_no as parent_line_no,
    p.part as parent_part,
    r.ts,
    p.ts as parent_ts,
    date_diff('millisecond', r.ts, p.ts)::double / 1000 as back_s
from records as r
inner join parents as p
    on r.file_id = p.file_id
    and r.generation = p.generation
    and r.parent_uuid = p.uuid
where r.ts < p.ts
