-- /// finding
-- id = "F052"
-- kind = "risk"
-- confidence = "heuristic"
-- title = "Two conversations were alive in one directory"
-- claim = "Several sessions of this directory were alive at once: `basis` last_group when the machine went down with them (or, without a boot time, when the source was written last), registry when several processes ran there."
-- does_not_show = "That they wrote to the same files; see overlapping_sessions. Groups in which nobody had said anything for an hour are left out, as copies look like that; so are modification times that cannot be believed."
-- next = "Restore one of them at a time, or give each a worktree of its own."
-- grain = ["label", "directory", "basis"]
-- denominator = "select count(*) from (select distinct label, canonical_guess from trusted_ends)"
-- denominator_of = "directories of sessions with a modification time to go by"
-- [params]
-- window_s = { default = 300, doc = "Seconds before the last writing that still belong to the group." }
-- boot_s = { default = 0, doc = "When the machine booted, seconds since 1970; 0 for what a probe says." }
-- [columns]
-- label = "The source."
-- directory = "The directory, in one spelling."
-- basis = "last_group or registry."
-- session_ids = "The sessions, in the order of their paths; of a registry those with a transcript here."
-- n_writers = "How many sessions, or processes."
-- boot_basis = "given, probed or unknown."
-- ///
with
booted as (
    select
        t.label, t.canonical_guess, t.session_id, t.path, t.mtime_ns, t.idle_gap_s,
        case when $boot_s > 0 then $boot_s::bigint else t.boot_s end as boot_s,
        case when $boot_s > 0 then 'given' when t.boot_s is null then 'unknown' else 'probed' end as boot_basis,
        line_ref(t.file_id, t.generation, t.last_content_line_no, t.last_content_part) as ref
    from trusted_ends as t
),

alive as (
    select b.label, b.canonical_guess, b.session_id, b.path, b.idle_gap_s, b.boot_basis, b.ref
    from booted as b
    where b.boot_s is null or b.mtime_ns < b.boot_s * 1000000000
    qualify b.mtime_ns >= max(b.mtime_ns) over (partition by b.label) - $window_s::bigint * 1000000000
),

crowds as (
    select r.source_label, r.cwd, count(distinct r.pid) as n_pids
    from live_processes as r
    where r.cwd <> ''
    group by r.source_label, r.cwd
    having count(distinct r.pid) > 1
),

witnessed as (
    select
        a.label, a.canonical_guess, 'last_group' as basis, a.session_id, a.path, a.boot_basis, a.ref,
        count(*) over (partition by a.label, a.canonical_guess) as n_writers,
        min(a.idle_gap_s) over (partition by a.label) <= 3600 as is_lively
    from alive as a
    union all
    select b.label, b.canonical_guess, 'registry', b.session_id, b.path, b.boot_basis, b.ref, c.n_pids, true
    from booted as b
    inner join live_processes as r on b.session_id = r.session_id and r.source_label in ('', b.label)
    inner join crowds as c on r.source_label = c.source_label and r.cwd = c.cwd
    where b.boot_s is null or coalesce(r.started_at_ms >= b.boot_s * 1000, true)
)

select
    w.label,
    w.canonical_guess as directory,
    w.basis,
    list(w.session_id order by w.path) as session_ids,
    max(w.n_writers) as n_writers,
    min(w.boot_basis) as boot_basis,
    list(w.ref order by w.path) as refs
from witnessed as w
where w.is_lively and w.n_writers > 1
group by w.label, w.canonical_guess, w.basis
order by w.label, directory, w.basis
