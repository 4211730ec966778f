"""Which columns of a finding stand in its table, and which say the same in every row."""

from __future__ import annotations

from dataclasses import dataclass

from forensics.report.model import ColumnDoc, Finding, Row, Value

_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that differ, by position, and those that stand above the table once."""

    columns: tuple[tuple[int, ColumnDoc], ...]
    same: tuple[tuple[ColumnDoc, Value], ...]

    def cells(self, row: Row) -> tuple[tuple[str, Value], ...]:
        """The name and value of each cell of a row."""
        return tuple((column.name, row.values[at]) for at, column in self.columns)


def lay_out(finding: Finding) -> Layout:
    """The table of a finding without what every row repeats; a few columns always stay."""
    at = list(enumerate(finding.columns))
    same = [n for n, _ in at if len(finding.rows) > 1 and _is_same(finding.rows, n)]
    while len(at) - len(same) < min(_FEWEST, len(at)):
        same.pop()
    return Layout(
        columns=tuple((n, column) for n, column in at if n not in same),
        same=tuple((finding.columns[n], finding.rows[0].values[n]) for n in same),
    )


def _is_same(rows: tuple[Row, ...], at: int) -> bool:
    first = rows[0].values[at]
    return all(row.values[at] == first for row in rows)
