-- /// model
-- doc = "How a person would know each session: its title with its source and history, its first and last request."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- title = "The name that counts, on one line; null when nothing says anything."
-- title_source = "custom-title, custom-title-file, agent-name, ai-title, last-prompt, summary, first-request or first-command."
-- title_ref = "Where it stands."
-- first_title = "The first title that says anything."
-- n_titles = "Different titles over time; prompts and summaries do not count."
-- named_at_line = "Line of the first title in the transcript itself, or null."
-- first_request = "The first request that says anything, else the first."
-- last_request = "The last request that says anything, else the last."
-- last_request_ts = "Its time."
-- last_request_ref = "Where it stands."
-- ///
with
asked as (
    select
        r.file_id,
        r.generation,
        coalesce(
            arg_min(r.text, r.position) filter (where r.is_meaningful), arg_min(r.text, r.position)
        ) as first_request,
        arg_max(
            {'text': r.text, 'ts': r.ts, 'ref': line_ref(r.file_id, r.generation, r.line_no, r.part)},
            (coalesce(r.is_meaningful, false), r.position)
        ) as latest
    from session_requests as r
    group by r.file_id, r.generation
),

chosen as (
    select
        c.file_id,
        c.generation,
        arg_min(c.text, (c.rank, c.nearness, c.position)) as title,
        arg_min(c.source, (c.rank, c.nearness, c.position)) as title_source,
        arg_min(c.ref, (c.rank, c.nearness, c.position)) as title_ref,
        arg_min(c.text, (c.rank = 2, c.position, c.rank)) filter (where c.rank <= 4) as first_title,
        count(distinct c.text) filter (where c.rank <= 4) as n_titles,
        min(c.line_no) filter (where c.rank <= 4 and c.rank <> 2) as named_at_line
    from session_name_candidates as c
    group by c.file_id, c.generation
)

select
    s.file_id, s.generation, c.title, c.title_source, c.title_ref, c.first_title,
    coalesce(c.n_titles, 0) as n_titles, c.named_at_line, a.first_request,
    a.latest.text as last_request, a.latest.ts as last_request_ts, a.latest.ref as last_request_ref
from transcripts as s
left join chosen as c using (file_id, generation)
left join asked as a using (file_id, generation)
where s.role = 'main'
