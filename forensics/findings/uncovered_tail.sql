-- /// finding
-- id = "F018"
-- kind = "measure"
-- confidence = "observed"
-- title = "What was said after the last compaction"
-- claim = "These records of the session stand after its last summary: what was decided in them is in no summary yet."
-- does_not_show = "That anything was decided there, or that the summary covers well what stands before it."
-- next = "`forensics show REF` reads the summary and the last record."
-- grain = ["label", "path"]
-- denominator = "select count(*) from sessions as s inner join session_tails as t on s.file_id = t.file_id and s.generation = t.generation"
-- denominator_of = "sessions with a compaction"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- session_id = "The session id that the file's name says."
-- n_compactions = "Compactions in the file."
-- witness = "What shows the last one: flag, transcript_only, opening; boundary when it has no summary."
-- n_lines_after = "Physical lines after it."
-- n_human_after = "Requests of a person after it."
-- n_assistant_after = "Records of type assistant after it."
-- n_edits_after = "Calls of an editing tool after it."
-- chars_after = "Characters of the text after it."
-- minutes_after = "Minutes from it to the latest time after it."
-- coverage = "Share of the file's lines that stand before its end."
-- ///
select
    s.label,
    s.path,
    s.session_id,
    t.n_compactions,
    t.witness,
    s.n_lines - t.line_no as n_lines_after,
    coalesce(a.n_human_after, 0) as n_human_after,
    coalesce(a.n_assistant_after, 0) as n_assistant_after,
    (
        select count(*)
        from tool_calls as c
        where c.file_id = s.file_id
            and c.generation = s.generation
            and c.line_no > t.line_no
            and c.tool_name in ('Edit', 'MultiEdit', 'Write', 'NotebookEdit')
    ) as n_edits_after,
    coalesce(a.chars_after, 0) as chars_after,
    round((epoch_us(a.last_ts) - epoch_us(t.ts)) / 60000000.0, 1) as minutes_after,
    round(t.line_no::double / s.n_lines::double, 4) as coverage,
    case
        when a.last_line_no is null then [line_ref(s.file_id, s.generation, t.line_no, t.part)]
        else [
            line_ref(s.file_id, s.generation, t.line_no, t.part),
            line_ref(s.file_id, s.generation, a.last_line_no, a.last_part)
        ]
    end as refs
from sessions as s
inner join session_tails as t using (file_id, generation)
left join tail_counts as a using (file_id, generation)
order by
    s.label,
    s.path
