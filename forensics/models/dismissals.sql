-- /// model
-- doc = "Sessions that a person declared finished, each once, with the transcripts here that bear the id."
-- grain = ["session_id", "path"]
-- [columns]
-- session_id = "The session id, in lower case."
-- path = "A transcript of it, with its source's name; empty when none is here: the dismissal is stale."
-- file = "The file that says so."
-- line_no = "Its first line that names the session."
-- cwd = "The directory named there."
-- dismissed_ns = "Modification time of that file, nanoseconds since 1970: no line in it is later."
-- file_id = "The transcript, or null."
-- generation = "Its generation."
-- is_stale = "Whether no transcript here bears the id."
-- n_after = "Records of type user or assistant after that time."
-- n_human_after = "Requests of a person among them."
-- first_after_line_no = "Line of the first."
-- last_after_line_no = "Line of the last."
-- last_after_ts = "Time of the last."
-- ///
with
named as (
    select
        d.session_id,
        arg_min(d.file, d.line_no) as file,
        min(d.line_no) as line_no,
        arg_min(d.cwd, d.line_no) as cwd,
        min(a.mtime_ns) as dismissed_ns
    from with_dismissed as d
    left join with_acquisition as a
        on a.kind = 'dismissed'
        and d.file = a.file
    where d.session_id is not null
    group by d.session_id
)

select
    n.session_id,
    coalesce(s.label || '/' || s.path, '') as path,
    min(n.file) as file,
    min(n.line_no) as line_no,
    min(n.cwd) as cwd,
    min(n.dismissed_ns) as dismissed_ns,
    s.file_id,
    s.generation,
    s.file_id is null as is_stale,
    count(r.position) as n_after,
    count(*) filter (where r.is_human_prompt and r.chain = 'main') as n_human_after,
    min(r.line_no) as first_after_line_no,
    max(r.line_no) as last_after_line_no,
    max(r.ts) as last_after_ts
from named as n
left join sessions as s
    on n.session_id = lower(s.session_id)
left join records as r
    on s.file_id = r.file_id
    and s.generation = r.generation
    and r.type in ('user', 'assistant')
    and epoch_us(r.ts) > n.dismissed_ns // 1000
group by
    n.session_id,
    s.label,
    s.path,
    s.file_id,
    s.generation
