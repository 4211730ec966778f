-- /// model
-- doc = "Main transcripts with content, and how many of their source were written in the same second."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_same_second = "Main transcripts of the source whose modification time lies in the same second, this one too."
-- nearest_content_s = "Seconds between that time and the nearest last content among them."
-- ///
select
    e.file_id,
    e.generation,
    count(*) over same_second as n_same_second,
    min(abs(e.idle_gap_s)) over same_second as nearest_content_s
from session_ends as e
where e.idle_gap_s is not null
window same_second as (partition by e.label, e.mtime_ns // 1000000000)
