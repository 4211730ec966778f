-- /// model
-- doc = "Times in which a session worked in a working tree without a pause of a quarter of an hour, by records of its own."
-- grain = ["file_id", "generation", "tree", "spell_no"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- tree = "The top of the working tree, or the directory."
-- spell_no = "Number of the spell, from 1."
-- label = "The source."
-- first_ts = "Its first record."
-- last_ts = "Its last record."
-- n_records = "Records in it."
-- first_line_no = "Line of the first."
-- first_part = "Its part."
-- ///
with
steps as (
    select
        o.label, o.file_id, o.generation, o.tree, o.ts, o.position, o.line_no, o.part,
        o.ts - lag(o.ts) over (partition by o.file_id, o.generation, o.tree order by o.ts, o.position) as pause
    from own_records as o
),

numbered as (
    select
        s.label, s.file_id, s.generation, s.tree, s.ts, s.position, s.line_no, s.part,
        1 + count(*) filter (where s.pause > interval 15 minutes) over (
            partition by s.file_id, s.generation, s.tree
            order by s.ts, s.position
            rows unbounded preceding
        ) as spell_no
    from steps as s
)

select
    n.file_id,
    n.generation,
    n.tree,
    n.spell_no,
    min(n.label) as label,
    min(n.ts) as first_ts,
    max(n.ts) as last_ts,
    count(*) as n_records,
    arg_min(n.line_no, (n.ts, n.position)) as first_line_no,
    arg_min(n.part, (n.ts, n.position)) as first_part
from numbered as n
group by
    n.file_id,
    n.generation,
    n.tree,
    n.spell_no
