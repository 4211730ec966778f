"""Witnesses about files: the time of the file, and what stands in its first lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from forensics.assumptions.witness import Witness, judge
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

NEAR_S: Final = 300
"""How far the time of a file and that of its last record may lie apart and still count as equal.

Units: seconds.
"""

_TIMES: Final = """
select
    m.label,
    m.path,
    m.agent_version as version,
    m.later_s,
    m.is_copied_guess,
    m.n_transcripts
from session_mtimes as m
order by
    m.label,
    m.path,
    m.generation
"""
_TITLES: Final = """
select
    b.label,
    b.path,
    b.line_no,
    b.part,
    b.second_type,
    coalesce(b.first_version, '') as version
from session_beginnings as b
order by
    b.label,
    b.path,
    b.generation
"""


def witnesses_of_files(case: Case) -> Iterator[Witness]:
    """Yield witnesses of V-09 and V-10."""
    for row in case.sql(_TIMES).to_pylist():
        yield _of_time(row)
    for row in case.sql(_TITLES).to_pylist():
        ref = format_ref(Ref(row["label"], row["path"], row["line_no"], row["part"]))
        is_alone = row["second_type"] is None
        holds = None if is_alone else row["second_type"] == "agent-name"
        yield judge("V-10", version=row["version"], ref=ref, holds=holds, why="nothing follows the title")


def _of_time(row: dict[str, Any]) -> Witness:
    later_s = row["later_s"]
    holds: bool | None = abs(later_s) <= NEAR_S
    why = ""
    if row["is_copied_guess"]:
        holds, why = None, "the files' times are those of a copy"
    elif row["n_transcripts"] == 1 and not holds:
        holds, why = None, "one file alone may have been copied"
    elif later_s < -NEAR_S:
        holds, why = None, "the file is older than its last record"
    return judge(
        "V-09", version=row["version"], ref=format_ref(Ref(row["label"], row["path"])), holds=holds, why=why
    )
