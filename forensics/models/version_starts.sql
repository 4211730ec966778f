-- /// model
-- doc = "Where a further agent version first speaks on the main chain of a session: another process found and continued it."
-- grain = ["file_id", "generation", "agent_version"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- agent_version = "The version, not the first of this transcript."
-- first_position = "Position of its first record."
-- line_no = "Line of that record."
-- part = "Its part."
-- cwd = "The directory the version began in; null when its first record cannot say so (an answer, or a tool's result)."
-- n_requests_before = "Requests of a person before it."
-- n_answers_before = "Records of type assistant before it."
-- ///
with
begun as (
    select
        v.file_id,
        v.generation,
        v.agent_version,
        min(v.position) as first_position
    from records as v
    where v.role = 'main'
        and v.chain = 'main'
        and v.agent_version is not null
    group by
        v.file_id,
        v.generation,
        v.agent_version
    qualify row_number() over (partition by v.file_id, v.generation order by first_position) > 1
)

select
    b.file_id,
    b.generation,
    b.agent_version,
    b.first_position,
    min(r.line_no) filter (where r.position = b.first_position) as line_no,
    min(r.part) filter (where r.position = b.first_position) as part,
    min(r.cwd) filter (
        where r.position = b.first_position
            and r.type is distinct from 'assistant'
            and r.prompt_class is distinct from 'tool_result'
    ) as cwd,
    count(*) filter (where r.is_human_prompt and r.position < b.first_position) as n_requests_before,
    count(*) filter (where r.type = 'assistant' and r.position < b.first_position) as n_answers_before
from begun as b
inner join records as r
    on b.file_id = r.file_id
    and b.generation = r.generation
    and b.first_position >= r.position
where r.chain = 'main'
group by
    b.file_id,
    b.generation,
    b.agent_version,
    b.first_position
