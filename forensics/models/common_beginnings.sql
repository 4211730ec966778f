-- /// model
-- doc = "How many lines two transcripts of one session have in common from the start."
-- grain = ["file_id", "generation", "other_file_id", "other_generation"]
-- [columns]
-- file_id = "The file whose path comes first."
-- generation = "Its generation."
-- other_file_id = "The other file."
-- other_generation = "Its generation."
-- n_common = "Lines that are equal, up to the first that is not."
-- ///
with
compared as (
    select
        p.file_id,
        p.generation,
        p.other_file_id,
        p.other_generation,
        least(p.n_lines, p.n_other_lines) as n_least,
        min(a.line_no) filter (where a.line_hash <> b.line_hash) as first_difference
    from same_session_pairs as p
    left join lines as a
        on p.file_id = a.file_id
        and p.generation = a.generation
        and a.part = 0
    left join lines as b
        on p.other_file_id = b.file_id
        and p.other_generation = b.generation
        and a.line_no = b.line_no
        and b.part = 0
    where not p.is_equal
    group by
        p.file_id,
        p.generation,
        p.other_file_id,
        p.other_generation,
        p.n_lines,
        p.n_other_lines
)

select
    c.file_id,
    c.generation,
    c.other_file_id,
    c.other_generation,
    coalesce(c.first_difference - 1, c.n_least) as n_common
from compared as c
union all
select
    p.file_id,
    p.generation,
    p.other_file_id,
    p.other_generation,
    p.n_lines as n_common
from same_session_pairs as p
where p.is_equal
