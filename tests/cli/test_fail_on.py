"""`--fail-on`: what is forbidden, and that not looking counts as a failure."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from forensics.cli import fail_on
from forensics.errors import UsageError
from forensics.results import FindingResult
from forensics.spec import FindingSpec


def _spec(name: str, finding_id: str, kind: str) -> FindingSpec:
    return FindingSpec(
        name=name,
        id=finding_id,
        kind=kind,
        confidence="observed",
        title="A title",
        claim="A claim.",
        does_not_show="The rest.",
        next="Look.",
        grain=("a",),
        needs=(),
        params={},
        columns={"a": "A column."},
        denominator="select 1",
        denominator_of="things",
        sql="select 1",
        path=Path(__file__),
    )


SPECS = {
    spec.name: spec
    for spec in (
        _spec("torn", "F001", "fault"),
        _spec("shared", "F002", "fault"),
        _spec("lonely", "F003", "risk"),
        _spec("counts", "F004", "measure"),
    )
}


def _result(name: str, *row_ids: str, reason: str | None = None) -> FindingResult:
    table = pa.table({"a": ["x"] * len(row_ids), "row_id": list(row_ids), "refs": [["r"]] * len(row_ids)})
    status = "assessed" if reason is None else "not_assessed"
    return FindingResult(SPECS[name], status, reason, table, 5, "things")  # type: ignore[arg-type]


def _judge(
    words: list[str], *results: FindingResult, n_gaps: int = 0, known: frozenset[str] | None = None
) -> list[str]:
    return fail_on.failures(fail_on.parse_conditions(words, SPECS), results, n_gaps=n_gaps, known_rows=known)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["torn"], ("torn",)),
        (["F003", "torn"], ("torn", "lonely")),
        (["fault"], ("torn", "shared")),
        (["measure", "F001"], ("torn", "counts")),
        (["all"], ("torn", "shared", "lonely", "counts")),
        ([], ()),
    ],
)
def test_names_ids_kinds_and_all_stand_for_findings_in_the_order_of_the_registry(
    words: list[str], names: tuple[str, ...]
) -> None:
    assert fail_on.select_findings(words, SPECS) == names


@pytest.mark.parametrize("word", ["torm", "F099", "faults", "", "new:", "new:torm"])
def test_a_word_that_stands_for_nothing_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="no finding is called"):
        fail_on.parse_conditions([word], SPECS)


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(UsageError) as caught:
        fail_on.select_findings(["lonly"], SPECS)
    assert caught.value.hint == "did you mean lonely?"


def test_rows_of_what_was_named_fail_and_others_do_not() -> None:
    results = (_result("torn", "1", "2"), _result("shared"), _result("lonely", "3"))
    assert _judge(["torn"], *results) == ["torn: 2"]
    assert _judge(["shared"], *results) == []
    assert _judge(["fault"], *results) == ["torn: 2"]
    assert _judge(["risk", "F001"], *results) == ["lonely: 1", "torn: 2"]
    assert _judge(["torn", "fault"], *results) == ["torn: 2"]


def test_what_was_not_assessed_fails() -> None:
    results = (_result("lonely", reason="this case has no probe_paths"),)
    assert _judge(["risk"], *results) == ["lonely: not assessed (this case has no probe_paths)"]
    assert _judge(["new:lonely"], *results, known=frozenset()) == [
        "lonely: not assessed (this case has no probe_paths)"
    ]


def test_only_new_rows_fail_where_new_is_asked_for() -> None:
    result = _result("torn", "1", "2")
    assert _judge(["new:torn"], result, known=frozenset({"1", "2"})) == []
    assert _judge(["new:torn"], result, known=frozenset({"1"})) == ["torn: 1 new"]
    assert _judge(["new:torn"], result, known=None) == ["torn: 2 new"]


def test_gaps_fail_only_where_there_are_some() -> None:
    assert _judge(["gaps"], n_gaps=0) == []
    assert _judge(["gaps"], n_gaps=1200) == ["gaps: 1,200"]


def test_a_baseline_gives_the_row_ids_of_an_earlier_result(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps({"findings": [{"rows": [{"row_id": "1"}]}, {"rows": [{"row_id": "2"}]}]}))
    assert fail_on.read_baseline(path) == {"1", "2"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"findings": [{"name": "torn"}]}', "\udcff"])
def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match="this is not a result"):
        fail_on.read_baseline(path)


def test_a_baseline_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the baseline"):
        fail_on.read_baseline(tmp_path / "none.json")
