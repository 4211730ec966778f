-- /// finding
-- id = "F014"
-- kind = "fault"
-- confidence = "rule"
-- title = "A session says that it was moved, and its file is not where it says"
-- claim = "The last relocation in this session names a directory that does not give the key the file lies under, and the home holds no file of this session anywhere that it would."
-- does_not_show = "Why: the move may have failed, or the file may have been put back or copied without the new folder."
-- next = "`forensics show REF`; look for the session in other homes or backups with `forensics session ID`."
-- grain = ["label", "path"]
-- denominator = "select count(*) from last_relocations"
-- denominator_of = "sessions with a relocation"
-- [columns]
-- label = "The source."
-- path = "Path relative to the root."
-- project_key = "The folder under `projects/`."
-- session_id = "The session id that the file's name says."
-- relocated_cwd = "The directory that the last relocation names."
-- has_key = "Whether a key of that directory is in the home."
-- target_exists = "Whether a probe found the directory; null without a probe."
-- last_version = "Last recorded agent version."
-- ///
with
lost as (
    select
        s.file_id,
        s.generation,
        s.label,
        s.home,
        s.path,
        s.project_key,
        s.session_id,
        v.cwd as relocated_cwd,
        s.last_version,
        line_ref(v.file_id, v.generation, v.line_no, v.part) as ref
    from sessions as s
    inner join last_relocations as v using (file_id, generation)
    where s.project_key is not null
        and not exists (
            select 1
            from sessions as o
            inner join session_keys as k using (file_id, generation)
            where o.label = s.label
                and o.home = s.home
                and o.session_id = s.session_id
                and k.cwd = v.cwd
        )
)

select
    l.label,
    l.path,
    l.project_key,
    l.session_id,
    l.relocated_cwd,
    exists (
        select 1
        from keys as f
        inner join cwd_keys as k on f.project_key = k.key
        where f.label = l.label
            and f.home = l.home
            and k.cwd = l.relocated_cwd
            and k.alias = ''
    ) as has_key,
    p."exists" as target_exists,
    l.last_version,
    [l.ref] as refs
from lost as l
left join probe_paths as p
    on l.label = p.label
    and l.relocated_cwd = p.path
order by
    l.label,
    l.path
