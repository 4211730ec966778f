-- /// model
-- doc = "Pairs of sessions that worked in one working tree at the same time."
-- grain = ["file_id", "generation", "other_file_id", "other_generation", "tree"]
-- [columns]
-- file_id = "The session that began first there, of equals the one whose path comes first."
-- generation = "Its generation."
-- other_file_id = "The other session."
-- other_generation = "Its generation."
-- tree = "The top of the working tree, or the directory."
-- label = "The source."
-- n_overlaps = "How often a spell of the one met a spell of the other."
-- overlap_s = "How long they met, together."
-- first_ts = "When they met first."
-- last_ts = "When they met last."
-- from_ts = "When the first of these spells began."
-- until_ts = "When the last of these spells ended."
-- line_no = "First line of the one's first such spell."
-- part = "Its part."
-- other_line_no = "First line of the other's."
-- other_part = "Its part."
-- ///
with
begun as (
    select
        a.file_id, a.generation, a.tree, a.spell_no, a.label, a.first_ts, a.last_ts,
        a.first_line_no as line_no, a.first_part as part, f.path,
        min(a.first_ts) over (partition by a.file_id, a.generation, a.tree) as begun_ts
    from activity_spells as a
    inner join files as f
        on a.file_id = f.file_id
        and a.generation = f.generation
)

select
    a.file_id,
    a.generation,
    b.file_id as other_file_id,
    b.generation as other_generation,
    a.tree,
    min(a.label) as label,
    count(*) as n_overlaps,
    sum(date_diff('millisecond', greatest(a.first_ts, b.first_ts), least(a.last_ts, b.last_ts)))::double / 1000
        as overlap_s,
    min(greatest(a.first_ts, b.first_ts)) as first_ts,
    max(least(a.last_ts, b.last_ts)) as last_ts,
    min(least(a.first_ts, b.first_ts)) as from_ts,
    max(greatest(a.last_ts, b.last_ts)) as until_ts,
    arg_min(a.line_no, (a.spell_no, a.line_no)) as line_no,
    arg_min(a.part, (a.spell_no, a.line_no)) as part,
    arg_min(b.line_no, (b.spell_no, b.line_no)) as other_line_no,
    arg_min(b.part, (b.spell_no, b.line_no)) as other_part
from begun as a
inner join begun as b
    on a.label = b.label
    and a.tree = b.tree
    and (a.begun_ts < b.begun_ts or (a.begun_ts = b.begun_ts and a.path < b.path))
    and a.first_ts < b.last_ts
    and b.first_ts < a.last_ts
group by
    a.file_id,
    a.generation,
    b.file_id,
    b.generation,
    a.tree
