-- /// model
-- doc = "The directory each main transcript belongs to: the last recorded one that encodes to its key, else the last one."
-- grain = ["file_id", "generation"]
-- [columns]
-- file_id = "The file."
-- generation = "Its generation."
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- project_key = "The folder under `projects/`, or null without one."
-- directory = "The directory as recorded; null when none is."
-- directory_basis = "key when it encodes to the key, else last; null without a directory."
-- ///
with
placed as (
    select
        c.file_id,
        c.generation,
        arg_max(c.cwd, c.last_position) as directory
    from session_cwds as c
    inner join session_keys as k
        on c.file_id = k.file_id
        and c.generation = k.generation
        and c.cwd = k.cwd
    group by
        c.file_id,
        c.generation
),

moved as (
    select
        k.file_id,
        k.generation,
        min(k.cwd) as directory
    from session_keys as k
    group by
        k.file_id,
        k.generation
)

select
    s.file_id,
    s.generation,
    s.label,
    s.home,
    s.project_key,
    coalesce(p.directory, m.directory, s.last_cwd) as directory,
    case
        when coalesce(p.directory, m.directory) is not null then 'key'
        when s.last_cwd is not null then 'last'
    end as directory_basis
from sessions as s
left join placed as p
    on s.file_id = p.file_id
    and s.generation = p.generation
left join moved as m
    on s.file_id = m.file_id
    and s.generation = m.generation
