-- /// model
-- doc = "Records that can be read, whole or in part: a line each, or several on a glued line."
-- grain = ["file_id", "generation", "line_no", "part"]
-- stored = false
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line, from 1."
-- part = "0, or the further record inside the line."
-- position = "Orders the records of a file: 2^26 times the line, plus the part."
-- role = "main or subagent, of the file."
-- chain = "main or sidechain; every record of a subagent's file is sidechain."
-- chain_agent_id = "The subagent of a sidechain record; empty on the main chain."
-- status = "ok or salvaged."
-- type = "Record type."
-- subtype = "Record subtype."
-- uuid = "The record's id."
-- parent_uuid = "The record this one follows."
-- logical_parent_uuid = "The record a compaction boundary stands for."
-- recorded_session_id = "The session id recorded in the line."
-- cwd = "The working directory recorded in the line."
-- agent_version = "The agent's version recorded in the line."
-- ts = "Recorded time."
-- is_meta = "The recorded flag."
-- is_compact_summary = "The recorded flag."
-- is_transcript_only = "The recorded flag isVisibleInTranscriptOnly."
-- is_human_prompt = "A person's request; null for lines that are not of type user."
-- prompt_class = "Why a user line counts as human or not; null for other lines."
-- message_id = "The message; one id may be split over several records."
-- line_hash = "xxh3-64 of the line's bytes."
-- content_chars = "Characters of the text."
-- ///
select
    l.file_id,
    l.generation,
    l.line_no,
    l.part,
    l.line_no * 67108864 + l.part as position,
    t.role,
    case
        when t.role = 'subagent' or l.is_sidechain then 'sidechain'
        else 'main'
    end as chain,
    case
        when t.role = 'subagent' then coalesce(t.agent_id, l.agent_id, '')
        when l.is_sidechain then coalesce(l.agent_id, '')
        else ''
    end as chain_agent_id,
    l.status,
    l.type,
    l.subtype,
    l.uuid,
    l.parent_uuid,
    l.logical_parent_uuid,
    l.session_id as recorded_session_id,
    l.cwd,
    l.agent_version,
    l.ts,
    l.is_meta,
    l.is_compact_summary,
    l.is_transcript_only,
    l.is_human_prompt,
    l.prompt_class,
    l.message_id,
    l.line_hash,
    l.content_chars
from lines as l
inner join transcripts as t
    on l.file_id = t.file_id
    and l.generation = t.generation
where l.status in ('ok', 'salvaged')
