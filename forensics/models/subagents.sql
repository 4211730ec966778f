-- /// model
-- doc = "Transcripts of subagents with the session they belong to."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- path = "Path relative to the root."
-- agent_id = "The subagent id that the file's name says."
-- session_id = "The session that the file's folder says, else the first one recorded in its lines."
-- basis = "folder or record; null when neither says."
-- is_summariser = "Whether it is the run that made a compaction's summary."
-- has_session = "Whether a main transcript of that session lies in the same home."
-- first_line_no = "Line of the first record, or null."
-- ///
with
recorded as (
    select
        r.file_id,
        r.generation,
        arg_min(r.recorded_session_id, r.position) as session_id,
        min(r.line_no) as first_line_no
    from records as r
    where r.role = 'subagent'
        and r.recorded_session_id is not null
    group by
        r.file_id,
        r.generation
)

select
    t.file_id,
    t.generation,
    t.label,
    t.home,
    t.project_key,
    t.path,
    t.agent_id,
    coalesce(t.session_id, r.session_id) as session_id,
    case
        when t.session_id is not null then 'folder'
        when r.session_id is not null then 'record'
    end as basis,
    coalesce(starts_with(t.agent_id, 'acompact-'), false) as is_summariser,
    exists (
        select 1
        from transcripts as m
        where m.role = 'main'
            and m.label = t.label
            and m.home = t.home
            and m.session_id = coalesce(t.session_id, r.session_id)
    ) as has_session,
    r.first_line_no
from transcripts as t
left join recorded as r
    on t.file_id = r.file_id
    and t.generation = r.generation
where t.role = 'subagent'
