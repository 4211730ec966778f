-- /// model
-- doc = "Where a further version of the agent stood when it took a session up, seen from the key the session lies under."
-- grain = ["file_id", "generation", "agent_version"]
-- [columns]
-- file_id = "The main transcript."
-- generation = "Its generation."
-- label = "The source."
-- path = "Path relative to the root."
-- agent_version = "The version that began there."
-- line_no = "Line of its first record."
-- part = "Its part."
-- cwd = "The directory it began in, or null."
-- place = "own: it gives the key; colliding: so it does, but another directory began the session; prefix: only the first 200 characters; worktree: of one repository with a directory that gives the key; elsewhere; unknown: no directory is recorded, another spelling of it gives the key, no directory does, or the session was moved later."
-- n_requests_before = "Requests of a person before it."
-- n_answers_before = "Records of type assistant before it."
-- ///
with
facts as (
    select
        v.file_id,
        v.generation,
        v.agent_version,
        exists (
            select 1
            from cwd_moves as m
            where m.file_id = v.file_id and m.generation = v.generation and m.position > v.first_position
        ) as is_moved_later,
        count(k.cwd) > 0 as is_explained,
        coalesce(bool_or(h.repo_root_guess = o.repo_root_guess), false) as is_same_repository,
        coalesce(bool_or(k.cwd = s.first_cwd and b.directory_guess <> d.directory_guess), false) as is_others
    from version_starts as v
    inner join sessions as s on v.file_id = s.file_id and v.generation = s.generation
    left join session_keys as k
        on v.file_id = k.file_id and v.generation = k.generation and k.how in ('exact', 'alias')
    left join directory_repositories as h on s.label = h.label and v.cwd = h.cwd
    left join directory_repositories as o on s.label = o.label and k.cwd = o.cwd
    left join directories as d on v.cwd = d.cwd
    left join directories as b on k.cwd = b.cwd
    group by v.file_id, v.generation, v.agent_version, v.first_position
)

select
    v.file_id,
    v.generation,
    s.label,
    s.path,
    v.agent_version,
    v.line_no,
    v.part,
    v.cwd,
    case
        when v.cwd is null or f.is_moved_later then 'unknown'
        when k.gives_key and f.is_others then 'colliding'
        when k.gives_key then 'own'
        when k.gives_key_by_alias or not f.is_explained then 'unknown'
        when k.shares_prefix then 'prefix'
        when f.is_same_repository then 'worktree'
        else 'elsewhere'
    end as place,
    v.n_requests_before,
    v.n_answers_before
from version_starts as v
inner join sessions as s on v.file_id = s.file_id and v.generation = s.generation
inner join facts as f
    on v.file_id = f.file_id and v.generation = f.generation and v.agent_version = f.agent_version
inner join version_start_keys as k
    on v.file_id = k.file_id and v.generation = k.generation and v.agent_version = k.agent_version
where s.project_key is not null
