"""The report as JSON fulfils its published schema and holds everything."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # no stubs are published for it
import pytest

from forensics.case import Case
from forensics.report import ReportContext, build_context, report_schema
from forensics.report.jsonfile import to_json, write_json


def _is_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


def _check(said: Any) -> None:
    checker = jsonschema.FormatChecker([])
    checker.checks("date-time", ValueError)(_is_time)
    jsonschema.Draft202012Validator(report_schema(), format_checker=checker).validate(said)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("which", ["demo", "hostile"])
def test_reports_fulfil_the_schema(which: str, request: pytest.FixtureRequest) -> None:
    _check(json.loads(write_json(request.getfixturevalue(which))))


def test_an_empty_report_has_the_same_names(plain_case: Case, demo: ReportContext) -> None:
    empty = json.loads(write_json(build_context(plain_case, findings=[], pictures=False)))
    _check(empty)
    assert list(empty) == list(json.loads(write_json(demo)))
    assert empty["findings"] == []
    assert empty["sessions"]["cited"] == []
    assert empty["gaps"]["classes"] == []


def test_the_schema_refuses_a_field_it_does_not_know(demo: ReportContext) -> None:
    said = to_json(demo)
    said["findings"][0]["surprise"] = 1
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        _check(said)


def test_every_row_and_every_reference_is_there(demo_case: Case, demo: ReportContext) -> None:
    said = json.loads(write_json(demo))
    for result in demo_case.findings():
        finding = next(f for f in said["findings"] if f["name"] == result.spec.name)
        rows = result.rows.to_pylist()
        assert [row["refs"] for row in finding["rows"]] == [row["refs"] for row in rows]
        assert [row["row_id"] for row in finding["rows"]] == [row["row_id"] for row in rows]
        assert finding["n_rows"] == len(rows)


def test_a_row_that_no_page_shows_is_in_the_json(demo: ReportContext) -> None:
    cut = replace(demo, findings=tuple(replace(finding, n_shown=0) for finding in demo.findings))
    said = to_json(cut)
    assert [len(f["rows"]) for f in said["findings"]] == [f.n_rows for f in demo.findings]
    assert sum(len(f["rows"]) for f in said["findings"]) > 5


def test_numbers_that_json_does_not_know_become_null(demo: ReportContext) -> None:
    finding = next(f for f in demo.findings if f.n_rows)
    values = (float("nan"), float("inf"), datetime(2026, 1, 1, tzinfo=UTC), *finding.rows[0].values[3:])
    row = replace(finding.rows[0], values=values)
    said = json.loads(write_json(replace(demo, findings=(replace(finding, rows=(row,), n_rows=1),))))
    names = [column.name for column in finding.columns]
    shown = said["findings"][0]["rows"][0]["values"]
    assert shown[names[0]] is None
    assert shown[names[1]] is None
    assert shown[names[2]] == "2026-01-01T00:00:00+00:00"


def test_nothing_a_terminal_would_obey_stands_unescaped(hostile: ReportContext) -> None:
    text = write_json(hostile)
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text) == []
    assert any(
        "\u202e" in str(f["rows"]) or "\\u202e" in str(f["rows"]) for f in json.loads(text)["findings"]
    )
