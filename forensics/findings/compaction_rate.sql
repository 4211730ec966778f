-- /// finding
-- id = "F020"
-- kind = "measure"
-- confidence = "observed"
-- title = "How often sessions are compacted"
-- claim = "So many compactions were recorded in this home, by the hour and by a person's request."
-- does_not_show = "Compactions in transcripts that are gone. Copies of a record are counted once a file. For comparison, someone counted 11 in 48 hours and one for every 6 requests, on one machine."
-- next = "`forensics sql 'select * from compactions'`."
-- grain = ["label", "home"]
-- denominator = "select count(*) from sessions"
-- denominator_of = "main transcripts"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- n_compactions = "Compactions in main transcripts."
-- n_paired = "Those with boundary and summary."
-- n_auto = "Those that the agent began."
-- n_sessions = "Sessions with one."
-- n_human = "Requests of a person in all sessions of the home."
-- human_per_compaction = "The one by the other."
-- most_in_48h = "The most compactions within 48 hours."
-- first_ts = "Time of the first."
-- last_ts = "Time of the last."
-- ///
with
placed as (
    select
        s.label,
        s.home,
        s.path,
        c.file_id,
        c.position,
        c.ts,
        c.is_paired,
        c.trigger,
        line_ref(c.file_id, c.generation, c.line_no, c.part) as ref,
        count(c.ts) over (
            partition by s.label, s.home
            order by c.ts
            range between interval 48 hours preceding and current row
        ) as in_48h
    from compactions as c
    inner join sessions as s using (file_id, generation)
),

asked as (
    select s.label, s.home, sum(s.n_human)::bigint as n_human
    from sessions as s
    group by s.label, s.home
)

select
    p.label,
    p.home,
    count(*) as n_compactions,
    count(*) filter (where p.is_paired) as n_paired,
    count(*) filter (where p.trigger = 'auto') as n_auto,
    count(distinct p.file_id) as n_sessions,
    min(a.n_human) as n_human,
    round(min(a.n_human)::double / count(*)::double, 2) as human_per_compaction,
    max(p.in_48h) as most_in_48h,
    min(p.ts) as first_ts,
    max(p.ts) as last_ts,
    list(p.ref order by p.path, p.position)[1:12] as refs
from placed as p
inner join asked as a using (label, home)
group by p.label, p.home
order by p.label, p.home
