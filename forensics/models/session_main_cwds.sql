-- /// model
-- doc = "The main chain's directories of each transcript, summed up."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_cwds = "Distinct directories."
-- dominant_cwd = "The directory of most records; the earlier of equals."
-- ///
select
    c.file_id,
    c.generation,
    count(*) as n_cwds,
    arg_min(c.cwd, (-c.n_main_lines, c.first_main_position)) as dominant_cwd
from session_cwds as c
where c.n_main_lines > 0
group by
    c.file_id,
    c.generation
