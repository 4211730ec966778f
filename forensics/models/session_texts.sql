-- /// model
-- doc = "What may name a session to a person: titles, prompts, summaries and commands, on one line and at most 2,000 characters long."
-- grain = ["file_id", "generation", "line_no", "part", "kind", "ord"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- line_no = "Physical line."
-- part = "0, or the further record inside the line."
-- kind = "human, title, last_prompt, summary or command."
-- ord = "Position when a line has several of a kind."
-- text = "The text, white space and controls as single spaces; of a command its name and arguments."
-- is_meaningful = "Whether it says anything: a title such as Untitled, a prompt such as yes, and what a program put there do not."
-- ///
with
lined as (
    select
        t.file_id,
        t.generation,
        t.line_no,
        t.part,
        t.kind,
        t.ord,
        trim(regexp_replace(left(
            case
                when t.kind <> 'command' then t.text
                else concat(
                    regexp_extract(t.text, '<command-name>([^<]*)', 1), ' ',
                    regexp_extract(t.text, '<command-args>([^<]*)', 1)
                )
            end,
            2000
        ), '[\s\x00-\x1f\x7f-\x9f]+', ' ', 'g')) as text
    from "text" as t
    where t.kind in ('human', 'title', 'last_prompt', 'summary', 'command')
),

reduced as (
    select
        l.file_id,
        l.generation,
        l.line_no,
        l.part,
        l.kind,
        l.ord,
        l.text,
        lower(nfc_normalize(l.text)) as low
    from lined as l
)

select
    r.file_id,
    r.generation,
    r.line_no,
    r.part,
    r.kind,
    r.ord,
    r.text,
    case r.kind
        when 'title' then r.low not in ('', 'untitled', '(untitled)')
        when 'command' then r.low <> ''
        else
            not regexp_matches(
                r.low,
                '^(<system|<!--|<skill |<ide_|base directory for this skill|\[subagent:|\[fork-panel handoff:|/var/folders/|/tmp/)'
            )
            and not regexp_full_match(r.low, '(\[image[^\]]*\]\s*)+')
            and rtrim(r.low, ' .!…。') not in (
                '', '응', 'ㅇㅇ', '넵', '네', '어', '어 해봐', '해줘', '좋아', '1', '2', '3',
                'y', 'yes', 'yes please', 'yep', 'n', 'no', 'ok', 'okay', 'sure', 'go', 'go on', 'go ahead',
                'continue', 'do it', 'thanks', 'thank you'
            )
    end as is_meaningful
from reduced as r
