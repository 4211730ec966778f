"""Which columns of a finding stand in its table, in which order, and which say nothing new."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forensics.report.model import ColumnDoc, Finding, Row, Value

_FEWEST = 3
# Where a row stands, told last: what is the matter with it comes first.
_PLACE = ("label", "home", "project_key", "path", "session_id", "line_no", "part")
_WITHIN_PATH = ("home", "project_key", "session_id")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that differ, by position, and those that stand above the table once."""

    columns: tuple[tuple[int, ColumnDoc], ...]
    same: tuple[tuple[ColumnDoc, Value], ...]

    def cells(self, row: Row) -> tuple[tuple[str, Value], ...]:
        """The name and value of each cell of a row."""
        return tuple((column.name, row.values[at]) for at, column in self.columns)


def lay_out(finding: Finding) -> Layout:
    """The table of a finding, its own columns first, without what a row repeats; a few always stay."""
    at = list(enumerate(finding.columns))
    same = [n for n, _ in at if len(finding.rows) > 1 and _is_same(finding.rows, n)]
    while len(at) - len(same) < min(_FEWEST, len(at)):
        same.pop()
    repeated = _within_path(finding)
    kept = [(n, column) for n, column in at if n not in same and n not in repeated]
    if len(kept) < min(_FEWEST, len(at)):
        kept = [(n, column) for n, column in at if n not in same]
    return Layout(
        columns=tuple(sorted(kept, key=lambda each: _rank(each[1].name))),
        same=tuple((finding.columns[n], finding.rows[0].values[n]) for n in same),
    )


def _rank(name: str) -> int:
    return _PLACE.index(name) if name in _PLACE else -1


def _within_path(finding: Finding) -> frozenset[int]:
    """The columns that every row's path holds anyway, as a folder, or as the name of the file."""
    names = [column.name for column in finding.columns]
    if "path" not in names:
        return frozenset()
    path = names.index("path")
    return frozenset(
        n
        for n, name in enumerate(names)
        if name in _WITHIN_PATH and all(_holds(row.values[path], row.values[n]) for row in finding.rows)
    )


def _holds(path: Value, part: Value) -> bool:
    return (
        isinstance(path, str)
        and isinstance(part, str)
        and re.search(rf"(?:^|/){re.escape(part)}(?:/|\.jsonl\Z|\Z)", path) is not None
    )


def _is_same(rows: tuple[Row, ...], at: int) -> bool:
    first = rows[0].values[at]
    return all(row.values[at] == first for row in rows)
