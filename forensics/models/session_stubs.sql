-- /// model
-- doc = "Main transcripts without a message, and why: there is nothing to resume."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- stub_reason = "empty, corrupt, title_only, queue_only, summary_only, snapshot_only, subagent_meta or other."
-- types = "Record types it holds."
-- ///
with
census as (
    select
        t.file_id,
        t.generation,
        list(t.type order by t.type) as types,
        list(t.type order by t.type) filter (
            where t.type not in ('mode', 'permission-mode', 'last-prompt', 'bridge-session', 'atis-latch', 'cost-state')
        ) as telling
    from session_types as t
    group by
        t.file_id,
        t.generation
)

select
    s.file_id,
    s.generation,
    case
        when s.size_bytes = 0 then 'empty'
        when s.n_records = 0 then 'corrupt'
        when list_has_all(['custom-title', 'ai-title', 'agent-name', 'tag'], c.telling) then 'title_only'
        when list_has_all(['queue-operation', 'custom-title', 'agent-name'], c.telling) then 'queue_only'
        when list_has_all(['summary', 'custom-title'], c.telling) then 'summary_only'
        when list_has_all(['file-history-snapshot', 'file-history-delta'], c.telling) then 'snapshot_only'
        when list_has_all(['agent-setting', 'agent-name', 'tools-used'], c.telling) then 'subagent_meta'
        else 'other'
    end as stub_reason,
    coalesce(c.types, []) as types
from sessions as s
left join census as c
    on s.file_id = c.file_id
    and s.generation = c.generation
where s.n_user + s.n_assistant = 0
