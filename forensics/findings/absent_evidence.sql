-- /// finding
-- id = "F013"
-- kind = "risk"
-- confidence = "observed"
-- title = "The evidence refers to something that is not there"
-- claim = "This line or side file names a session or record, and no transcript of this source holds it."
-- does_not_show = "That it ever was there, or when it went: agents delete old transcripts, and other homes were not looked at."
-- next = "`forensics session ID`; take in other homes and backups under the same label to look there too."
-- grain = ["label", "path", "line_no", "part", "kind", "missing"]
-- denominator = "select count(*) from references_to_others"
-- denominator_of = "references to sessions and records"
-- [columns]
-- label = "The source."
-- path = "Path of the referring file."
-- line_no = "The referring line; null for a side file."
-- part = "0, or the further record inside the line."
-- kind = "indexed_session, continued_session, summary_leaf or boundary_parent."
-- missing = "The session id or record id that is not there."
-- ///
select
    f.label,
    f.path,
    r.line_no,
    r.part,
    r.kind,
    r.referred as missing,
    case
        when r.line_no is null then [file_ref(r.file_id, r.generation)]
        else [line_ref(r.file_id, r.generation, r.line_no, r.part)]
    end as refs
from references_to_others as r
inner join files as f
    on r.file_id = f.file_id
    and r.generation = f.generation
where not r.is_there
order by
    f.label,
    f.path,
    r.line_no,
    r.part,
    r.kind,
    missing
