-- /// model
-- doc = "Agent versions met in the evidence, as numbers."
-- grain = ["agent", "agent_version"]
-- [columns]
-- agent = "The agent."
-- agent_version = "As recorded; empty for records without one."
-- numbers = "Its numbers, to be compared one by one; null when they are not all numbers."
-- ///
select distinct
    v.agent,
    v.agent_version,
    case
        when regexp_full_match(v.agent_version, '[0-9]{1,9}([.][0-9]{1,9})*')
            then list_transform(string_split(v.agent_version, '.'), lambda n: n::integer)
    end as numbers
from version_rules as v
