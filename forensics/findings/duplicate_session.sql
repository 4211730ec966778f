-- /// finding
-- id = "F008"
-- kind = "risk"
-- confidence = "observed"
-- title = "The same history stands in several files"
-- claim = "These two files of one source hold the same records: `relation` says whether they are equal, one is the beginning of the other, both went on, one holds no message, or one session was forked into another."
-- does_not_show = "Which of the two a lookup would take, or which one is wanted. Copies of a whole home are left out, see copied_home; so are files of one id that have no line in common. Of more than 30 files with one id, each is held against the longest alone; of a record in more than 30 files, the first of them against the others."
-- next = "`forensics session ID` shows both; keep the one with the lines that the other lacks."
-- grain = ["label", "path", "other_path"]
-- denominator = "select count(*) from sessions"
-- denominator_of = "main transcripts"
-- [columns]
-- label = "The source."
-- path = "The shorter file, the stub, or the one whose path comes first."
-- other_path = "The other file."
-- relation = "equal, prefix, diverged, stub or fork."
-- session_id = "The session id of the first, by its name."
-- other_session_id = "The session id of the other."
-- n_common = "Lines that are equal from the start; for a fork, record ids that stand in both."
-- n_only = "Further lines of the first; null for a fork."
-- n_other_only = "Further lines of the other; null for a fork."
-- ///
with
pairs as (
    select
        c.label, c.file_id, c.generation, c.other_file_id, c.other_generation, c.relation,
        c.n_common, c.n_only, c.n_other_only,
        [file_ref(c.file_id, c.generation), file_ref(c.other_file_id, c.other_generation)] as refs
    from session_copies as c
    where not c.is_home_copy
        and c.relation <> 'unrelated'
    union all
    select
        f.label, f.file_id, f.generation, f.other_file_id, f.other_generation, 'fork', f.n_shared, null, null,
        [
            line_ref(f.file_id, f.generation, f.line_no, f.part),
            line_ref(f.other_file_id, f.other_generation, f.other_line_no, f.other_part)
        ]
    from session_forks as f
)

select
    p.label,
    a.path,
    b.path as other_path,
    p.relation,
    a.session_id,
    b.session_id as other_session_id,
    p.n_common,
    p.n_only,
    p.n_other_only,
    p.refs
from pairs as p
inner join transcripts as a
    on p.file_id = a.file_id
    and p.generation = a.generation
inner join transcripts as b
    on p.other_file_id = b.file_id
    and p.other_generation = b.generation
order by p.label, a.path, other_path
