-- /// model
-- doc = "When each main transcript was last written by its file's time, beside the last time recorded in it."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- label = "The source."
-- path = "Path relative to the root."
-- agent_version = "The last recorded agent version, or empty."
-- later_s = "Seconds by which the file's time is later than the last record; negative when it is earlier."
-- is_copied_guess = "The times of this source's transcripts lie within half the span of their last records: the times of a copy."
-- n_transcripts = "Transcripts of this source with both times."
-- ///
with
timed as (
    select
        s.file_id,
        s.generation,
        s.label,
        s.path,
        coalesce(s.last_version, '') as agent_version,
        epoch_us(s.last_ts) // 1000000 as last_s,
        a.mtime_ns // 1000000000 as mtime_s
    from sessions as s
    inner join acquisition as a
        on s.file_id = a.file_id
        and s.generation = a.generation
    where s.last_ts is not null
        and a.mtime_ns is not null
)

select
    t.file_id,
    t.generation,
    t.label,
    t.path,
    t.agent_version,
    t.mtime_s - t.last_s as later_s,
    2 * (max(t.mtime_s) over by_label - min(t.mtime_s) over by_label)
    < max(t.last_s) over by_label - min(t.last_s) over by_label as is_copied_guess,
    count(*) over by_label as n_transcripts
from timed as t
window by_label as (partition by t.label)
