-- /// model
-- doc = "The firmest of what may explain the key of a session whose own directories do not give it."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- reason = "rule, foreign_rule, case, other_sessions or ancestor."
-- cwd = "The directory concerned."
-- rule = "The rule under which it gives the key, or null."
-- ///
select
    c.file_id,
    c.generation,
    arg_min(c.reason, (c.rank, c.cwd, c.rule)) as reason,
    arg_min(c.cwd, (c.rank, c.cwd, c.rule)) as cwd,
    nullif(arg_min(c.rule, (c.rank, c.cwd, c.rule)), '') as rule
from outside_key_candidates as c
group by
    c.file_id,
    c.generation
