-- /// model
-- doc = "Working directories of each transcript, with how often and where they are recorded."
-- grain = ["file_id", "generation", "cwd"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- cwd = "The directory as recorded."
-- canonical_guess = "One spelling for each directory, by spelling alone."
-- n_lines = "Records that carry it."
-- n_main_lines = "Those on the main chain."
-- first_line_no = "Line of the first."
-- first_part = "Part of the first."
-- first_position = "Position of the first."
-- last_position = "Position of the last."
-- first_main_position = "Position of the first on the main chain, or null."
-- first_ts = "Earliest recorded time."
-- last_ts = "Latest recorded time."
-- ///
select
    r.file_id,
    r.generation,
    r.cwd,
    min(c.canonical_guess) as canonical_guess,
    count(*) as n_lines,
    count(*) filter (where r.chain = 'main') as n_main_lines,
    arg_min(r.line_no, r.position) as first_line_no,
    arg_min(r.part, r.position) as first_part,
    min(r.position) as first_position,
    max(r.position) as last_position,
    min(r.position) filter (where r.chain = 'main') as first_main_position,
    min(r.ts) as first_ts,
    max(r.ts) as last_ts
from records as r
left join cwds as c
    on r.cwd = c.cwd
where r.cwd is not null
group by
    r.file_id,
    r.generation,
    r.cwd
