-- /// finding
-- id = "F016"
-- kind = "risk"
-- confidence = "heuristic"
-- title = "One directory has several project keys"
-- claim = "By its spelling this is one directory, and its sessions lie under several keys of one home: a listing under one of them does not show the others."
-- does_not_show = "That the spellings are one directory on that machine: links, mounts, normal forms and the case of letters are known only there."
-- next = "`forensics sessions --repo DIR` lists them together."
-- grain = ["label", "home", "directory_guess"]
-- denominator = "select count(distinct (label, home, directory_guess)) from key_dirs where encodes"
-- denominator_of = "directories that encode to a key"
-- [columns]
-- label = "The source."
-- home = "The folder that holds `projects/`, relative to the root."
-- directory_guess = "One spelling for the directory, by spelling alone."
-- cause = "drive_letter, case, normal_form, private_tmp, wsl, unc, rule (one spelling under several rules) or spelling."
-- keys = "Its keys."
-- spellings = "As recorded, one for each key, in the order of the keys."
-- sessions_by_key = "Sessions that began in it, for each key."
-- ///
with
by_key as (
    select
        d.label,
        d.home,
        d.directory_guess,
        d.project_key,
        arg_min(d.cwd, (d.how <> 'exact', -d.n_sessions, d.cwd)) as cwd,
        sum(d.n_began)::bigint as n_began,
        arg_min(d.first_ref, (d.how <> 'exact', -d.n_sessions, d.cwd)) as ref
    from key_dirs as d
    where d.encodes
    group by d.label, d.home, d.directory_guess, d.project_key
),

shared as (
    select
        b.label,
        b.home,
        b.directory_guess,
        list(b.project_key order by b.project_key) as keys,
        list(b.cwd order by b.project_key) as spellings,
        list(b.n_began order by b.project_key) as sessions_by_key,
        list(b.ref order by b.project_key) as refs
    from by_key as b
    group by b.label, b.home, b.directory_guess
    having count(*) > 1
)

select
    s.label,
    s.home,
    s.directory_guess,
    case
        when length(list_distinct(s.spellings)) = 1 then 'rule'
        when list_bool_or(list_transform(s.spellings, lambda c: starts_with(c, '/mnt/'))) then 'wsl'
        when list_bool_or(list_transform(s.spellings, lambda c: starts_with(c, '/private/'))) then 'private_tmp'
        when regexp_matches(s.directory_guess, '^[/\\]{2}') then 'unc'
        when length(list_distinct(list_transform(s.spellings, lambda c: nfc_normalize(c)))) = 1 then 'normal_form'
        when length(list_distinct(list_transform(s.spellings, lambda c: c[2:]))) = 1 then 'drive_letter'
        when length(list_distinct(list_transform(s.spellings, lambda c: lower(c)))) = 1 then 'case'
        else 'spelling'
    end as cause,
    s.keys,
    s.spellings,
    s.sessions_by_key,
    s.refs
from shared as s
order by s.label, s.home, s.directory_guess
