"""Witnesses about which sessions a lookup finds: a further version in one transcript is another process.

A process that resumes in the version that wrote the session leaves no such trace, and a lookup that found
nothing leaves none at all: a refusal is never witnessed, only what was found can speak.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from forensics.assumptions.witness import Witness, judge
from forensics.keys import parse_version
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

_STARTS: Final = """
select
    p.label,
    p.path,
    p.agent_version as version,
    p.line_no,
    p.part,
    p.place,
    p.n_requests_before,
    p.n_answers_before
from version_start_places as p
order by
    p.label,
    p.path,
    p.generation,
    p.agent_version
"""
_UNANSWERED: Final = """
select
    s.label,
    s.path,
    coalesce(s.last_version, '') as version
from sessions as s
anti join version_starts as v
    on s.file_id = v.file_id and s.generation = v.generation
where s.project_key is not null
    and s.n_human > 0
    and s.n_assistant = 0
order by
    s.label,
    s.path,
    s.generation
"""
_OUTSIDE: Final = ("prefix", "worktree", "elsewhere", "unknown")


def witnesses_of_starts(case: Case) -> Iterator[Witness]:
    """Yield witnesses of V-04 to V-07, V-12 and V-13."""
    for row in case.sql(_STARTS).to_pylist():
        yield from _of_start(row)
    for row in case.sql(_UNANSWERED).to_pylist():
        ref = format_ref(Ref(row["label"], row["path"]))
        yield judge("V-12", version=row["version"], ref=ref, holds=None, why="no other version took it up")


def _of_start(row: dict[str, Any]) -> Iterator[Witness]:
    place, version = row["place"], row["version"]
    at = {"version": version, "ref": format_ref(Ref(row["label"], row["path"], row["line_no"], row["part"]))}
    why = "the directory of the key is not known for that moment"
    if place in _OUTSIDE:
        is_known = place != "unknown"
        yield judge("V-04", holds=False if is_known else None, why=why, **at)
        yield judge("V-05", holds=place == "worktree" if is_known else None, why=why, **at)
        if place == "worktree":
            yield judge("V-06", holds=None, why="a worktree of the same repository", **at)
        else:
            yield judge("V-06", holds=True if is_known else None, why=why, **at)
    if place == "colliding":
        yield judge("V-07", holds=_is_within(version, "0.0.0", "2.1.238"), why=_NO_VERSION, **at)
    if place == "prefix":
        yield judge("V-13", holds=_is_within(version, "2.1.113", "2.1.223"), why=_NO_VERSION, **at)
    if row["n_requests_before"] and not row["n_answers_before"]:
        yield judge("V-12", holds=_is_within(version, "2.1.187", None), why=_NO_VERSION, **at)


_NO_VERSION: Final = "the version is not recorded"


def _is_within(version: str, first: str, last: str | None) -> bool | None:
    number, low, high = (parse_version(text) for text in (version, first, last))
    if number is None:
        return None
    return (low is None or low <= number) and (high is None or number <= high)
