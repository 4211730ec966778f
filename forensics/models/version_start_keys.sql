-- /// model
-- doc = "Whether the directory that a further version began in gives the key the session lies under."
-- grain = ["file_id", "generation", "agent_version"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- agent_version = "The version that began there."
-- gives_key = "Its directory, as recorded, gives the key under a rule this version may have used."
-- gives_key_by_alias = "Another spelling of its directory does."
-- shares_prefix = "It gives another key with the same 200 characters, both being longer."
-- ///
select
    v.file_id,
    v.generation,
    v.agent_version,
    coalesce(bool_or(k.alias = '' and k.key = t.project_key), false) as gives_key,
    coalesce(bool_or(k.alias <> '' and k.key = t.project_key), false) as gives_key_by_alias,
    coalesce(
        bool_or(
            k.key <> t.project_key
            and length(k.key) > 200
            and length(t.project_key) > 200
            and k.key[:200] = t.project_key[:200]
        ), false
    ) as shares_prefix
from version_starts as v
inner join transcripts as t
    on v.file_id = t.file_id
    and v.generation = t.generation
left join version_rules as r
    on t.agent = r.agent
    and v.agent_version = r.agent_version
left join cwd_keys as k
    on v.cwd = k.cwd
    and r.rule = k.rule
group by
    v.file_id,
    v.generation,
    v.agent_version
