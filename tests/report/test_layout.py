"""Which columns a table of the report shows, and in which order."""

from __future__ import annotations

from forensics.report.layout import lay_out
from forensics.report.model import ColumnDoc, Finding, Row, Value

ID = "0c4f2f5e-6f5a-4c53-9a3e-6c0a3a1b2c3d"
PATH = f"desk/.claude/projects/-srv-kit/{ID}.jsonl"


def _finding(columns: tuple[str, ...], *rows: tuple[Value, ...]) -> Finding:
    return Finding(
        name="invented",
        id="F999",
        kind="risk",
        confidence="observed",
        title="Invented",
        claim="A claim.",
        does_not_show="Anything.",
        next="Nothing.",
        grain=("label", "path"),
        columns=tuple(ColumnDoc(name, "") for name in columns),
        status="assessed",
        reason=None,
        n_rows=len(rows),
        n_shown=len(rows),
        denominator=None,
        denominator_of="",
        rows=tuple(Row(f"{n}", values, (), ()) for n, values in enumerate(rows)),
    )


def _names(finding: Finding) -> list[str]:
    return [name for name, _ in lay_out(finding).cells(finding.rows[0])]


def test_the_columns_of_the_finding_come_first_and_its_place_last() -> None:
    finding = _finding(
        ("label", "home", "project_key", "class", "n_sessions"), ("home", "desk", "-srv-kit", "dot", 2)
    )
    assert _names(finding) == ["class", "n_sessions", "label", "home", "project_key"]


def test_what_the_path_holds_in_every_row_has_no_column_of_its_own() -> None:
    finding = _finding(
        ("label", "path", "project_key", "session_id", "line_no", "reason"),
        ("home", PATH, "-srv-kit", ID, 4, "none"),
    )
    assert _names(finding) == ["reason", "label", "path", "line_no"]


def test_a_session_id_that_differs_from_the_name_of_the_file_in_one_row_stays() -> None:
    finding = _finding(
        ("path", "project_key", "session_id", "reason", "n"),
        (PATH, "-srv-kit", ID, "none", 1),
        (PATH, "-srv-kit", "another", "some", 2),
    )
    assert _names(finding) == ["reason", "n", "session_id"]


def test_a_part_of_a_folder_name_is_not_held_by_the_path() -> None:
    finding = _finding(("path", "project_key", "reason", "n"), (PATH, "-srv", "none", 1))
    assert _names(finding) == ["reason", "n", "project_key", "path"]


def test_a_few_columns_always_stay() -> None:
    finding = _finding(("path", "project_key", "session_id"), (PATH, "-srv-kit", ID))
    assert _names(finding) == ["project_key", "path", "session_id"]
