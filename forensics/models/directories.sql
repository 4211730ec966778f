-- /// model
-- doc = "Recorded directories with the one spelling by which two records of one directory are known."
-- grain = ["cwd"]
-- [columns]
-- cwd = "As recorded."
-- directory_guess = "Canonical spelling; in lower case where file systems usually ignore case."
-- ignores_case_guess = "Whether it looks like a path of Windows or macOS."
-- ///
with
seen as (
    select
        c.cwd,
        c.canonical_guess,
        c.style <> 'posix' or regexp_matches(c.cwd, '^/(Users|Volumes|private)/') as ignores_case_guess
    from cwds as c
)

select
    s.cwd,
    case
        when s.ignores_case_guess then lower(s.canonical_guess)
        else s.canonical_guess
    end as directory_guess,
    s.ignores_case_guess
from seen as s
