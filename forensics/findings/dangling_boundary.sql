-- /// finding
-- id = "F006"
-- kind = "risk"
-- confidence = "observed"
-- title = "A compaction points at a record that is nowhere"
-- claim = "The boundary names the last record before the compaction, and no transcript of this source holds that record: the chain of records is broken here."
-- does_not_show = "That anything was lost: records before the boundary may stand in the file all the same (`n_records_before`), and an agent may name a record that it never wrote."
-- next = "`forensics show REF`; look for the earlier transcript in other homes or backups."
-- grain = ["label", "path", "line_no", "part"]
-- denominator = "select count(*) from compact_boundaries where logical_parent_uuid is not null"
-- denominator_of = "boundaries that name a record"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- line_no = "Line of the boundary."
-- part = "0, or the further record inside the line."
-- session_id = "The session id that the file's name says."
-- logical_parent_uuid = "The record that is missing."
-- trigger = "auto or manual, where recorded."
-- ts = "Time of the boundary."
-- n_records_before = "Records of the file that stand before the boundary."
-- ///
select
    t.label,
    t.path,
    b.line_no,
    b.part,
    t.session_id,
    b.logical_parent_uuid,
    b.trigger,
    b.ts,
    (
        select count(*)
        from records as r
        where r.file_id = b.file_id
            and r.generation = b.generation
            and r.position < b.position
    ) as n_records_before,
    [line_ref(b.file_id, b.generation, b.line_no, b.part)] as refs
from compact_boundaries as b
inner join boundary_parents as p
    on b.file_id = p.file_id
    and b.generation = p.generation
    and b.line_no = p.line_no
    and b.part = p.part
inner join transcripts as t
    on b.file_id = t.file_id
    and b.generation = t.generation
where p.stands_in = 'nowhere'
order by
    t.label,
    t.path,
    b.line_no,
    b.part
