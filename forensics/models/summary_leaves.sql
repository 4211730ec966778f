-- /// model
-- doc = "Summary lines and where the record stands that they name as their leaf."
-- grain = ["file_id", "generation", "line_no", "part"]
-- [columns]
-- file_id = "The file of the summary line."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- leaf_uuid = "The record it names."
-- stands_in = "own_file, other_file (of the same source) or nowhere."
-- other_path = "Path of the first other file that holds it, or null."
-- other_ref = "The record there."
-- ///
with
leaves as (
    select
        m.file_id,
        m.generation,
        m.line_no,
        m.part,
        m.value as leaf_uuid,
        f.label
    from marks as m
    inner join files as f
        on m.file_id = f.file_id
        and m.generation = f.generation
    where m.kind = 'summary'
        and m.name = 'leaf_uuid'
),

found as (
    select
        l.file_id,
        l.generation,
        l.line_no,
        l.part,
        bool_or(r.file_id = l.file_id) as is_own,
        min(t.path) filter (where r.file_id <> l.file_id) as other_path,
        arg_min(
            line_ref(r.file_id, r.generation, r.line_no, r.part), (t.path, r.position)
        ) filter (where r.file_id <> l.file_id) as other_ref
    from leaves as l
    inner join records as r on l.leaf_uuid = r.uuid
    inner join transcripts as t
        on r.file_id = t.file_id and r.generation = t.generation and l.label = t.label
    group by l.file_id, l.generation, l.line_no, l.part
)

select
    l.file_id,
    l.generation,
    l.line_no,
    l.part,
    l.leaf_uuid,
    case
        when f.is_own then 'own_file'
        when f.other_ref is not null then 'other_file'
        else 'nowhere'
    end as stands_in,
    f.other_path,
    f.other_ref
from leaves as l
left join found as f using (file_id, generation, line_no, part)
