-- /// model
-- doc = "Encoding rules that may have named the key of each transcript, by the versions it records."
-- grain = ["file_id", "generation", "rule"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- rule = "The rule's name."
-- basis = "observed, interpolated or beyond_observed: the firmest of its versions."
-- ///
select
    v.file_id,
    v.generation,
    r.rule,
    case min(
        case r.basis
            when 'observed' then 1
            when 'interpolated' then 2
            else 3
        end
    )
        when 1 then 'observed'
        when 2 then 'interpolated'
        else 'beyond_observed'
    end as basis
from session_versions as v
inner join transcripts as t
    on v.file_id = t.file_id
    and v.generation = t.generation
inner join version_rules as r
    on v.agent_version = r.agent_version
    and t.agent = r.agent
group by
    v.file_id,
    v.generation,
    r.rule
