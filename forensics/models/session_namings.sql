-- /// model
-- doc = "Every line that gives a session a name, with the rank of its source: what a person chose before what an agent did."
-- grain = ["file_id", "generation", "source", "from_file_id", "line_no", "part"]
-- [columns]
-- file_id = "The session's main transcript."
-- generation = "Its generation."
-- source = "custom-title, custom-title-file (a side file), agent-name, ai-title, last-prompt, summary (of a record of this very file)."
-- rank = "1 for the source that counts first; of one source the last that says anything counts."
-- from_file_id = "The file in which it stands."
-- line_no = "Its line."
-- part = "Its part."
-- position = "Orders the lines of a file."
-- text = "The name, on one line."
-- is_meaningful = "Whether it says anything."
-- ref = "Where it stands."
-- ///
with
sourced as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        t.line_no * 67108864 + t.part as position,
        case t.kind
            when 'title' then m.kind
            when 'last_prompt' then 'last-prompt'
            else 'summary'
        end as source,
        t.text,
        t.is_meaningful
    from session_texts as t
    left join (
        select distinct file_id, generation, line_no, part, kind
        from marks
        where name = 'title_hash'
    ) as m using (file_id, generation, line_no, part)
    left join summary_leaves as s using (file_id, generation, line_no, part)
    where t.kind in ('title', 'last_prompt')
        or (t.kind = 'summary' and s.stands_in = 'own_file')
)

select
    n.file_id,
    n.generation,
    s.source,
    case s.source
        when 'custom-title' then 1
        when 'custom-title-file' then 2
        when 'agent-name' then 3
        when 'ai-title' then 4
        when 'last-prompt' then 5
        else 6
    end as rank,
    s.file_id as from_file_id,
    s.line_no,
    s.part,
    s.position,
    s.text,
    s.is_meaningful,
    line_ref(s.file_id, s.generation, s.line_no, s.part) as ref
from sourced as s
left join session_sidecars as b
    on s.file_id = b.from_file_id
    and s.source = 'custom-title-file'
inner join transcripts as n
    on n.role = 'main'
    and n.file_id = coalesce(b.file_id, s.file_id)
    and n.generation = coalesce(b.generation, s.generation)
