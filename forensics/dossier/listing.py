"""Sessions as a list: what a person knows them by, where they belong, when they were last at work."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from forensics.case import Case
from forensics.dossier.identity import unique_labels
from forensics.errors import UsageError
from forensics.paths import canonical_guess

_SESSIONS = """
with
placed as (
    select
        c.file_id,
        c.generation,
        bool_or(
            starts_with(d.canonical_guess || '/', $repo) or starts_with(d.repo_root_guess || '/', $repo)
            or starts_with(w.repo || '/', $repo)
        ) as is_in_repo,
        bool_or(
            starts_with(d.canonical_guess || '/', $worktree)
            or starts_with(d.worktree_root_guess || '/', $worktree)
        ) as is_in_worktree
    from session_cwds as c
    inner join cwds as d using (cwd)
    inner join transcripts as t using (file_id, generation)
    left join (
        select label, worktree, min(repo_root_guess) as repo
        from worktrees
        where $repo is not null
        group by label, worktree
    ) as w
        on t.label = w.label
        and starts_with(c.cwd || '/', w.worktree || '/')
    where $repo is not null
        or $worktree is not null
    group by c.file_id, c.generation
)

select
    s.session_id,
    s.last_ts,
    s.n_human as n_requests,
    n.title,
    n.title_source,
    n.last_request,
    n.last_request_ts,
    coalesce(r.resume_cwd, s.last_cwd) as workspace,
    s.last_cwd,
    l.is_listed_by_sdk,
    l.has_messages,
    l.is_title_only,
    s.project_key,
    s.label,
    s.home,
    s.size_bytes,
    s.path
from sessions as s
inner join session_names as n using (file_id, generation)
inner join resume_places as r using (file_id, generation)
inner join session_listing as l using (file_id, generation)
left join placed as p using (file_id, generation)
where ($repo is null or p.is_in_repo)
    and ($worktree is null or p.is_in_worktree)
    and ($since is null or s.last_ts >= $since::timestamp with time zone)
    and ($project_key is null or s.project_key = $project_key)
order by s.last_ts desc nulls last, s.label, s.path
"""
_ROOTS = """
select repo_root_guess as directory from worktrees where repo_root_guess is not null
union
select repo_root_guess from cwds where repo_root_guess is not null
union
select first_cwd from sessions where first_cwd is not null
union
select resume_cwd from resume_places where resume_cwd is not null
"""
_AS_OF = "select as_of from case_info"
_DURATION = re.compile(r"([1-9][0-9]{0,5})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}

COLUMNS = (
    *("row_label", "session_id", "last_ts", "n_requests", "title", "title_source", "last_request"),
    *("last_request_ts", "workspace", "last_cwd", "is_listed_by_sdk", "has_messages", "is_title_only"),
    *("project_key", "label", "home", "size_bytes", "path"),
)


Sort = Literal["when", "title", "workspace", "turns", "size"]
SORTS: tuple[Sort, ...] = get_args(Sort)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which sessions are listed; None leaves a side open. `since` is a moment."""

    repo: str | None = None
    worktree: str | None = None
    project_key: str | None = None
    since: dt.datetime | None = None


def list_sessions(case: Case, scope: Scope, *, sort: Sort = "when") -> list[dict[str, Any]]:
    """The sessions of a scope, a row each with the keys of `COLUMNS`; no `row_label` stands there twice."""
    values = {
        "repo": _below(scope.repo),
        "worktree": _below(scope.worktree),
        "project_key": scope.project_key,
        "since": None if scope.since is None else scope.since.isoformat(),
    }
    rows = _sorted(case.sql(_SESSIONS, values).to_pylist(), sort)
    labels = unique_labels(row["title"] for row in rows)
    return [
        {name: label if name == "row_label" else row[name] for name in COLUMNS}
        for label, row in zip(labels, rows, strict=True)
    ]


def find_repositories(case: Case, name: str) -> list[str]:
    """The repositories and sessions' directories with this last folder, without those that lie in another."""
    known = {canonical_guess(row) for row in case.sql(_ROOTS).column(0).to_pylist()}
    named = sorted(path for path in known if path.rsplit("/", 1)[-1] == name)
    return [path for path in named if not any(path.startswith(f"{outer}/") for outer in named)]


def _below(directory: str | None) -> str | None:
    return None if directory is None else canonical_guess(directory).rstrip("/") + "/"


def _sorted(rows: Sequence[Mapping[str, Any]], sort: Sort) -> list[Mapping[str, Any]]:
    # The rows come latest first; each sort is stable and keeps that among equals.
    match sort:
        case "title":
            return sorted(rows, key=lambda row: (row["title"] is None, (row["title"] or "").casefold()))
        case "workspace":
            return sorted(rows, key=lambda row: (row["workspace"] is None, row["workspace"] or ""))
        case "turns":
            return sorted(rows, key=lambda row: -row["n_requests"])
        case "size":
            return sorted(rows, key=lambda row: -row["size_bytes"])
    return list(rows)


def parse_since(text: str) -> dt.datetime | dt.timedelta:
    """The time, or the duration such as `6h`, that a text names; a time without a zone is in UTC.

    Raises:
        UsageError: it names neither.
    """
    if match := _DURATION.fullmatch(text):
        return dt.timedelta(**{_UNITS[match[2]]: int(match[1])})
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is not a time", hint="for example 2026-03-01, 2026-03-01T12:00, or 6h (s, m, h, d)"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)


def moment_of(since: dt.datetime | dt.timedelta, case: Case) -> dt.datetime:
    """The moment meant: a duration counts back from the time for which the case speaks.

    Raises:
        UsageError: the case has no time to count from, or the duration reaches back before all dates.
    """
    if isinstance(since, dt.datetime):
        return since
    as_of: dt.datetime | None = case.sql(_AS_OF).column(0).to_pylist()[0]
    if as_of is None:
        raise UsageError("the evidence has no time to count back from", hint="give a time instead")
    try:
        return as_of - since
    except OverflowError as error:
        raise UsageError("this reaches back before all dates", hint="give fewer days") from error
