-- /// finding
-- id = "F019"
-- kind = "measure"
-- confidence = "observed"
-- title = "Sessions that were never compacted"
-- claim = "So many sessions of this home with a message have no compaction: nothing of them is in any summary."
-- does_not_show = "That they needed one: most are short. For comparison, someone counted 3 of 9 once, on one machine."
-- next = "`forensics sessions`; the largest one is cited."
-- grain = ["label", "home"]
-- denominator = "select count(*) from sessions where n_user + n_assistant > 0"
-- denominator_of = "sessions with a message"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- n_sessions = "Sessions with a message."
-- n_never = "Those without a compaction."
-- share = "The one by the other."
-- most_human = "Most requests of a person in one of them."
-- largest_bytes = "Bytes of the largest of them."
-- ///
select
    s.label,
    s.home,
    count(*) as n_sessions,
    count(*) filter (where t.file_id is null) as n_never,
    round((count(*) filter (where t.file_id is null))::double / count(*)::double, 4) as share,
    max(s.n_human) filter (where t.file_id is null) as most_human,
    max(s.size_bytes) filter (where t.file_id is null) as largest_bytes,
    [
        coalesce(
            arg_max(file_ref(s.file_id, s.generation), (s.size_bytes, s.path)) filter (where t.file_id is null),
            arg_max(file_ref(s.file_id, s.generation), (s.size_bytes, s.path))
        )
    ] as refs
from sessions as s
left join session_tails as t
    on s.file_id = t.file_id
    and s.generation = t.generation
where s.n_user + s.n_assistant > 0
group by
    s.label,
    s.home
order by
    s.label,
    s.home
