-- /// finding
-- id = "F030"
-- kind = "fault"
-- confidence = "observed"
-- title = "A file of the evidence could not be read"
-- claim = "This file was listed and not read, or changed while it was read: what it holds is not in the answers of any other finding."
-- does_not_show = "What it holds. Links, devices and credentials are left alone by intent and not listed here."
-- next = "Give permission or copy the evidence while nothing writes to it, and convert again."
-- grain = ["label", "path"]
-- denominator = "select count(*) from files where kind = 'file'"
-- denominator_of = "files"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- classes = "unreadable, read_error, vanished or changed."
-- role = "main, subagent, sidecar, index or other, as far as the place tells."
-- kind = "file or folder."
-- ///
select
    f.label,
    f.path,
    list(distinct g.class order by g.class) as classes,
    f.role,
    f.kind,
    [file_ref(f.file_id, f.generation)] as refs
from gaps as g
inner join files as f
    on g.file_id = f.file_id
    and g.generation = f.generation
where g.line_no is null
    and g.class in ('unreadable', 'read_error', 'vanished', 'changed')
group by
    f.file_id,
    f.generation,
    f.label,
    f.path,
    f.role,
    f.kind
order by
    f.label,
    f.path
