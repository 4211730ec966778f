-- /// finding
-- id = "F010"
-- kind = "measure"
-- confidence = "observed"
-- title = "A summary line tells of a record that is not in its file"
-- claim = "The summary names a leaf record that stands in another transcript, or in none of this source: the title it gives is another session's."
-- does_not_show = "That anything is wrong: older versions wrote summaries of other sessions into a new file."
-- next = "`forensics show REF`; take no title from such a line."
-- grain = ["label", "path", "line_no", "part"]
-- denominator = "select count(*) from summary_leaves"
-- denominator_of = "summary lines that name a leaf"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- line_no = "Line of the summary."
-- part = "0, or the further record inside the line."
-- leaf_uuid = "The record it names."
-- stands_in = "other_file or nowhere."
-- other_path = "Path of the first other file that holds the leaf, or null."
-- ///
select
    f.label,
    f.path,
    s.line_no,
    s.part,
    s.leaf_uuid,
    s.stands_in,
    s.other_path,
    case
        when s.other_ref is null then [line_ref(s.file_id, s.generation, s.line_no, s.part)]
        else [line_ref(s.file_id, s.generation, s.line_no, s.part), s.other_ref]
    end as refs
from summary_leaves as s
inner join files as f
    on s.file_id = f.file_id
    and s.generation = f.generation
where s.stands_in <> 'own_file'
order by
    f.label,
    f.path,
    s.line_no,
    s.part
