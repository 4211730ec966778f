-- /// finding
-- id = "F003"
-- kind = "fault"
-- confidence = "observed"
-- title = "A line is damaged"
-- claim = "Something of this line cannot be read, or could be read only with a doubt that `classes` names."
-- does_not_show = "What the lost bytes said, who damaged them, or that the agent itself stumbled over them. `kept` says what this case could still take from the line."
-- next = "`forensics show REF` prints the very bytes; `forensics rebuild` gives the whole file back."
-- grain = ["label", "path", "line_no"]
-- denominator = "select count(*) from lines where part = 0 and status <> 'blank'"
-- denominator_of = "lines that are not blank"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- line_no = "Physical line."
-- classes = "What is wrong, each kind once; see the table gaps."
-- fields = "The fields refused, each once."
-- kept = "What is kept at the least: all, fields, record, nothing."
-- status = "salvaged or lost; ok where only a doubt is noted."
-- n_records = "Records that could be read on the line."
-- line_bytes = "Bytes of the line."
-- ///
with
damage as (
    select
        g.file_id,
        g.generation,
        g.line_no,
        list(distinct g.class order by g.class) as classes,
        coalesce(list(distinct g.field order by g.field) filter (where g.field is not null), []) as fields,
        case min(case g.kept when 'nothing' then 1 when 'record' then 2 when 'fields' then 3 else 4 end)
            when 1 then 'nothing'
            when 2 then 'record'
            when 3 then 'fields'
            else 'all'
        end as kept
    from gaps as g
    where g.line_no is not null
        and g.class not in ('crlf', 'no_final_newline', 'bom')
    group by
        g.file_id,
        g.generation,
        g.line_no
),

found as (
    select
        l.file_id,
        l.generation,
        l.line_no,
        arg_min(l.status, l.part) as status,
        count(*) filter (where l.status in ('ok', 'salvaged')) as n_records,
        arg_min(l.n_bytes, l.part) as line_bytes
    from lines as l
    group by
        l.file_id,
        l.generation,
        l.line_no
)

select
    f.label,
    f.path,
    d.line_no,
    d.classes,
    d.fields,
    d.kept,
    n.status,
    n.n_records,
    n.line_bytes,
    [line_ref(d.file_id, d.generation, d.line_no, 0)] as refs
from damage as d
inner join files as f on d.file_id = f.file_id and d.generation = f.generation
inner join found as n
    on d.file_id = n.file_id and d.generation = n.generation and d.line_no = n.line_no
order by f.label, f.path, d.line_no
