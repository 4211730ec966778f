-- /// model
-- doc = "Where the record stands that a compaction boundary names as its logical parent."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The boundary's file."
-- generation = "Its generation."
-- line_no = "Line of the boundary."
-- part = "Its part."
-- stands_in = "own_file, other_file (of the same source), nowhere, or none when it names none."
-- other_ref = "One such record in another file."
-- ///
with
named as (
    select
        b.file_id,
        b.generation,
        b.line_no,
        b.part,
        b.logical_parent_uuid,
        t.label
    from compact_boundaries as b
    inner join transcripts as t
        on b.file_id = t.file_id
        and b.generation = t.generation
),

found as (
    select
        n.file_id,
        n.generation,
        n.line_no,
        n.part,
        bool_or(r.file_id = n.file_id) as is_own,
        arg_min(
            line_ref(r.file_id, r.generation, r.line_no, r.part), (t.path, r.position)
        ) filter (where r.file_id <> n.file_id) as other_ref
    from named as n
    inner join records as r
        on n.logical_parent_uuid = r.uuid
    inner join transcripts as t
        on r.file_id = t.file_id
        and r.generation = t.generation
        and n.label = t.label
    group by
        n.file_id,
        n.generation,
        n.line_no,
        n.part
)

select
    n.file_id,
    n.generation,
    n.line_no,
    n.part,
    case
        when n.logical_parent_uuid is null then 'none'
        when f.is_own then 'own_file'
        when f.other_ref is not null then 'other_file'
        else 'nowhere'
    end as stands_in,
    f.other_ref
from named as n
left join found as f
    on n.file_id = f.file_id
    and n.generation = f.generation
    and n.line_no = f.line_no
    and n.part = f.part
