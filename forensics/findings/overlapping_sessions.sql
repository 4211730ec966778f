-- /// finding
-- id = "F053"
-- kind = "risk"
-- confidence = "observed"
-- title = "Two sessions worked in one working tree at once"
-- claim = "Records of these two sessions alternate in time in one directory or worktree: neither paused for a quarter of an hour while the other went on. `shared_files` are those that both wrote or changed meanwhile."
-- does_not_show = "That one undid the other's work; without shared files they may have worked side by side in peace. Commands that changed files in a shell are not seen."
-- next = "Compare both sessions at the times given (`forensics show` the references); give each session a worktree of its own."
-- grain = ["label", "path", "other_path", "tree"]
-- denominator = "select count(distinct (file_id, generation)) from activity_spells"
-- denominator_of = "main transcripts with a time and a directory"
-- [params]
-- min_overlap_s = { default = 30, doc = "Seconds that they must have been at work together." }
-- [columns]
-- label = "The source."
-- path = "The session that began first there."
-- other_path = "The other one."
-- tree = "The top of the working tree, or the directory."
-- first_ts = "When they met first."
-- last_ts = "When they met last."
-- overlap_s = "How long they were at work together."
-- n_shared_files = "Files that both wrote or changed in those spells."
-- shared_files = "These files, in order."
-- ///
with
edits as (
    select distinct o.file_id, o.other_file_id, o.generation, o.other_generation, o.tree, a.file_path
    from session_overlaps as o
    inner join file_edits as a
        on o.file_id = a.file_id
        and o.generation = a.generation
        and a.ts between o.from_ts and o.until_ts
    inner join file_edits as b
        on o.other_file_id = b.file_id
        and o.other_generation = b.generation
        and a.file_path = b.file_path
        and b.ts between o.from_ts and o.until_ts
),

shared as (
    select
        e.file_id, e.generation, e.other_file_id, e.other_generation, e.tree,
        list(e.file_path order by e.file_path) as shared_files
    from edits as e
    group by e.file_id, e.generation, e.other_file_id, e.other_generation, e.tree
)

select
    o.label,
    f.path,
    g.path as other_path,
    o.tree,
    o.first_ts,
    o.last_ts,
    o.overlap_s,
    coalesce(len(s.shared_files), 0) as n_shared_files,
    coalesce(s.shared_files, []) as shared_files,
    [
        line_ref(o.file_id, o.generation, o.line_no, o.part),
        line_ref(o.other_file_id, o.other_generation, o.other_line_no, o.other_part)
    ] as refs
from session_overlaps as o
inner join files as f on o.file_id = f.file_id and o.generation = f.generation
inner join files as g on o.other_file_id = g.file_id and o.other_generation = g.generation
left join shared as s
    on o.file_id = s.file_id
    and o.generation = s.generation
    and o.other_file_id = s.other_file_id
    and o.other_generation = s.other_generation
    and o.tree = s.tree
where o.overlap_s >= $min_overlap_s
order by o.label, f.path, other_path, o.tree
