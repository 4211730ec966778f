-- /// model
-- doc = "The main chain's runs of each transcript, counted."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_runs = "Runs of one directory."
-- n_returns = "Runs that come back to an earlier directory."
-- ///
select
    r.file_id,
    r.generation,
    count(*) as n_runs,
    count(*) filter (where r.is_return) as n_returns
from cwd_runs as r
where r.chain = 'main'
group by
    r.file_id,
    r.generation
