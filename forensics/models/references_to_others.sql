-- /// model
-- doc = "What records and side files refer to that ought to be in the same source."
-- grain = ["file_id", "generation", "line_no", "part", "kind", "referred"]
-- [columns]
-- file_id = "The referring file."
-- generation = "Its generation."
-- line_no = "The referring line; null for a side file, which is not read by lines."
-- part = "Its part."
-- kind = "indexed_session, continued_session, summary_leaf, boundary_parent."
-- referred = "The session id or record id."
-- is_there = "Whether it is in the same source."
-- ///
with
sessions_named as (
    select
        m.file_id,
        m.generation,
        f.label,
        case when m.kind = 'index' then null else m.line_no end as line_no,
        m.part,
        case when m.kind = 'index' then 'indexed_session' else 'continued_session' end as kind,
        m.value as referred
    from marks as m
    inner join files as f
        on m.file_id = f.file_id
        and m.generation = f.generation
    where (m.kind = 'index' and m.name = 'session_id')
        or (m.kind = 'continued-in' and m.name = 'continued_in')
)

select distinct
    n.file_id,
    n.generation,
    n.line_no,
    n.part,
    n.kind,
    n.referred,
    exists (
        select 1
        from transcripts as t
        where t.label = n.label
            and t.role = 'main'
            and t.session_id = n.referred
    ) as is_there
from sessions_named as n
union all
select s.file_id, s.generation, s.line_no, s.part, 'summary_leaf', s.leaf_uuid, s.stands_in <> 'nowhere'
from summary_leaves as s
union all
select p.file_id, p.generation, p.line_no, p.part, 'boundary_parent', b.logical_parent_uuid, p.stands_in <> 'nowhere'
from boundary_parents as p
inner join compact_boundaries as b
    on p.file_id = b.file_id
    and p.generation = b.generation
    and p.line_no = b.line_no
    and p.part = b.part
where p.stands_in <> 'none'
