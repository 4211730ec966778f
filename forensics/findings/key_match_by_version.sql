-- /// finding
-- id = "F022"
-- kind = "measure"
-- confidence = "rule"
-- title = "Which directory of a session gives its key, by version"
-- claim = "Among the sessions of this version whose directories give at least two different keys, so many lie under the key of the first, of the last, of any, of a relocation, or of none of them."
-- does_not_show = "A rule: sessions whose directories all give one key decide nothing and are counted apart."
-- next = "`forensics check-keys` weighs the rules with these counts; session_outside_key lists the unexplained."
-- grain = ["label", "agent_version"]
-- denominator = "select count(*) from key_matches"
-- denominator_of = "sessions with a directory under a key"
-- [columns]
-- label = "The source."
-- agent_version = "The last recorded agent version; empty when none is."
-- n_sessions = "Sessions with a directory under a key."
-- n_explained = "Those whose key some directory or relocation gives, in whatever spelling."
-- n_telling = "Those whose directories give at least two different keys."
-- n_first = "Of the telling: the first directory gives the key."
-- n_last = "Of the telling: the last one does."
-- n_any = "Of the telling: some directory does."
-- n_relocated = "Of the telling: a relocation names one that does."
-- n_alias = "Of the telling: only another spelling does."
-- n_none = "Of the telling: nothing does."
-- n_lost_by_last = "Of the telling: some directory does, and the last does not; a search by the last loses them."
-- ///
with
judged as (
    select
        m.label,
        m.agent_version,
        m.n_keys >= 2 as is_telling,
        m.match_first,
        m.match_last,
        m.match_any,
        m.match_relocated,
        m.match_alias,
        m.match_any or m.match_relocated or m.match_alias as is_explained,
        s.path,
        file_ref(m.file_id, m.generation) as ref
    from key_matches as m
    inner join sessions as s using (file_id, generation)
)

select
    j.label,
    j.agent_version,
    count(*) as n_sessions,
    count(*) filter (where j.is_explained) as n_explained,
    count(*) filter (where j.is_telling) as n_telling,
    count(*) filter (where j.is_telling and j.match_first) as n_first,
    count(*) filter (where j.is_telling and j.match_last) as n_last,
    count(*) filter (where j.is_telling and j.match_any) as n_any,
    count(*) filter (where j.is_telling and j.match_relocated) as n_relocated,
    count(*) filter (where j.is_telling and j.match_alias) as n_alias,
    count(*) filter (where j.is_telling and not j.is_explained) as n_none,
    count(*) filter (where j.is_telling and j.match_any and not j.match_last) as n_lost_by_last,
    list(j.ref order by not j.is_telling, j.is_explained, j.path)[1:12] as refs
from judged as j
group by
    j.label,
    j.agent_version
order by
    j.label,
    j.agent_version
