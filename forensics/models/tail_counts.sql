-- /// model
-- doc = "What stands after the last compaction of each main transcript, counted."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- n_records_after = "Records after it on the main chain."
-- n_human_after = "Requests of a person after it."
-- n_assistant_after = "Records of type assistant after it."
-- chars_after = "Characters of their text."
-- last_ts = "Latest time recorded after it."
-- last_line_no = "Line of the last record of type user or assistant, or null."
-- last_part = "Its part."
-- ///
select
    s.file_id,
    s.generation,
    count(*) as n_records_after,
    count(*) filter (where r.is_human_prompt) as n_human_after,
    count(*) filter (where r.type = 'assistant') as n_assistant_after,
    coalesce(sum(r.content_chars), 0)::bigint as chars_after,
    max(r.ts) as last_ts,
    arg_max(r.line_no, r.position) filter (where r.type in ('user', 'assistant')) as last_line_no,
    arg_max(r.part, r.position) filter (where r.type in ('user', 'assistant')) as last_part
from session_tails as s
inner join records as r
    on s.file_id = r.file_id
    and s.generation = r.generation
    and r.position > s.position
where r.chain = 'main'
group by
    s.file_id,
    s.generation
