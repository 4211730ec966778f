-- /// model
-- doc = "How each main transcript ends: when it was written last, when its last content is from, and what stands after that."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- path = "Path relative to the root."
-- mtime_ns = "Modification time, nanoseconds since 1970; when it was last alive, unless a copy changed it."
-- mtime = "The same as a time."
-- last_content_ts = "Latest time of a record of type user or assistant; null without one."
-- last_content_line_no = "Its line."
-- last_content_part = "Its part."
-- idle_gap_s = "Seconds from the last content to the modification time; negative when the file is older than what it holds."
-- tail_types = "Types of the records after the last one with a time, in file order."
-- has_untimed_tail = "Whether there are such records."
-- ///
with
timed as (
    select
        r.file_id,
        r.generation,
        max(r.position) filter (where r.ts is not null) as last_position,
        max(r.ts) filter (where r.type in ('user', 'assistant')) as last_content_ts,
        arg_max(r.line_no, (r.ts, r.position)) filter (
            where r.type in ('user', 'assistant') and r.ts is not null
        ) as last_content_line_no,
        arg_max(r.part, (r.ts, r.position)) filter (
            where r.type in ('user', 'assistant') and r.ts is not null
        ) as last_content_part
    from records as r
    group by
        r.file_id,
        r.generation
),

tails as (
    select
        r.file_id,
        r.generation,
        list(coalesce(r.type, '') order by r.position) as tail_types
    from records as r
    inner join timed as t
        on r.file_id = t.file_id
        and r.generation = t.generation
    where r.position > coalesce(t.last_position, -1)
    group by
        r.file_id,
        r.generation
)

select
    s.file_id,
    s.generation,
    s.label,
    s.home,
    s.path,
    a.mtime_ns,
    make_timestamp(a.mtime_ns // 1000) at time zone 'UTC' as mtime,
    t.last_content_ts,
    t.last_content_line_no,
    t.last_content_part,
    a.mtime_ns / 1e9 - epoch_us(t.last_content_ts) / 1e6 as idle_gap_s,
    coalesce(e.tail_types, []) as tail_types,
    e.tail_types is not null as has_untimed_tail
from transcripts as s
left join acquisition as a on s.file_id = a.file_id and s.generation = a.generation
left join timed as t on s.file_id = t.file_id and s.generation = t.generation
left join tails as e on s.file_id = e.file_id and s.generation = e.generation
where s.role = 'main'
