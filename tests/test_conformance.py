"""What every model and finding keeps to; a new file is held to it without being named here."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from forensics.case import Case, open_case
from forensics.results import FindingResult
from forensics.spec import FindingSpec, ModelSpec, load_findings, load_models, without_parameters
from forensics.testing.scenario import load_scenarios
from tests.sql_lint import faults, order_columns, parse, walk
from tests.worlds import lay_out_everything

FINDINGS = load_findings()
MODELS = load_models()
SCENARIOS = Path(__file__).resolve().parents[1] / "fixtures" / "scenarios"
QUERIES = {**FINDINGS, **MODELS}


@pytest.fixture(scope="module")
def case_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out_everything(tmp_path_factory.mktemp("world"))[1]


@pytest.fixture(scope="module")
def case(case_path: Path) -> Iterator[Case]:
    with open_case(case_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def results(case: Case) -> dict[str, FindingResult]:
    return {result.spec.name: result for result in case.findings()}


@pytest.mark.parametrize("spec", QUERIES.values(), ids=lambda spec: spec.name)
def test_no_query_answers_differently_tomorrow(spec: FindingSpec | ModelSpec) -> None:
    assert faults(without_parameters(spec.sql)) == []


@pytest.mark.parametrize("spec", FINDINGS.values(), ids=lambda spec: spec.name)
def test_what_was_looked_at_is_counted_in_one_query(spec: FindingSpec) -> None:
    sql = without_parameters(spec.denominator)
    assert faults(sql) == []
    assert sql.startswith("select count(")
    assert not spec.denominator_of.startswith(("a ", "the ")), "it completes: there are no …"


@pytest.mark.parametrize("spec", QUERIES.values(), ids=lambda spec: spec.name)
def test_no_common_table_expression_hides_a_model(spec: FindingSpec | ModelSpec) -> None:
    tree = parse(without_parameters(spec.sql))
    named = {each["key"] for node in walk(tree) if "cte_map" in node for each in node["cte_map"]["map"]}
    assert not named & set(MODELS)


@pytest.mark.parametrize("spec", FINDINGS.values(), ids=lambda spec: spec.name)
def test_rows_of_a_finding_stand_in_a_total_order(spec: FindingSpec) -> None:
    assert set(spec.grain) <= set(order_columns(parse(without_parameters(spec.sql))))


@pytest.mark.parametrize("spec", FINDINGS.values(), ids=lambda spec: spec.name)
def test_a_finding_has_scenarios_that_fire_and_scenarios_that_do_not(spec: FindingSpec) -> None:
    scenarios = load_scenarios(SCENARIOS / f"{spec.name}.toml")
    assert any(scenario.is_positive for scenario in scenarios)
    # Some measures give a row whenever there is something to measure: then there must be a case without.
    quiet = [s for s in scenarios if s.expect == () or (spec.kind == "measure" and s.not_assessed)]
    assert quiet, "a near miss"


def test_every_scenario_file_is_of_a_finding() -> None:
    assert {path.stem for path in SCENARIOS.glob("*.toml")} <= set(FINDINGS)


def test_every_claim_has_limits_of_its_own() -> None:
    for field in ("title", "claim", "does_not_show"):
        texts = [getattr(spec, field) for spec in FINDINGS.values()]
        assert len(set(texts)) == len(texts), field
        assert all(len(text) >= 15 for text in texts), field


def test_a_need_is_a_table_that_a_case_can_leave_out() -> None:
    optional = {"text", "raw"} | {
        name for spec in FINDINGS.values() for name in spec.needs if name.startswith(("probe_", "with_"))
    }
    assert {name for spec in FINDINGS.values() for name in spec.needs} <= optional


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_columns_it_documents_and_its_grain(case: Case, name: str) -> None:
    table = case.arrow(name)
    assert table.column_names == list(MODELS[name].columns)
    grain = MODELS[name].grain
    rows = list(zip(*(map(str, table.column(column).to_pylist()) for column in grain), strict=True))
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_has_rows_with_unique_grain_and_evidence(
    case: Case, results: dict[str, FindingResult], name: str
) -> None:
    result = results[name]
    assert result.status == "assessed", result.reason
    assert result.n_rows > 0, "the world holds each phenomenon"
    assert result.denominator is not None
    assert result.denominator > 0
    rows = result.rows.to_pylist()
    assert len({row["row_id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["refs"], row
        for ref in row["refs"]:
            assert case.show(ref).verified, ref


def test_no_column_is_always_empty_or_always_a_copy_of_another(results: dict[str, FindingResult]) -> None:
    for name, result in results.items():
        columns = {c: result.rows.column(c).to_pylist() for c in result.spec.columns}
        empty = [c for c, values in columns.items() if all(value is None for value in values)]
        assert not empty, (name, empty)


def test_one_column_name_has_one_type(case: Case, results: dict[str, FindingResult]) -> None:
    seen: dict[str, tuple[pa.DataType, str]] = {}
    tables = {name: case.arrow(name) for name in MODELS}
    tables |= {name: result.rows.drop_columns(["refs"]) for name, result in results.items()}
    for where, table in tables.items():
        for field in table.schema:
            if field.name == "refs":
                continue
            known, first = seen.setdefault(field.name, (field.type, where))
            assert field.type == known, f"{field.name} in {where} and in {first}"


def test_types_are_plain(case: Case, results: dict[str, FindingResult]) -> None:
    for name, table in [*((n, case.arrow(n)) for n in MODELS), *((n, r.rows) for n, r in results.items())]:
        for field in table.schema:
            assert not pa.types.is_decimal(field.type), (name, field.name)


def test_booleans_and_counts_are_named_as_such(results: dict[str, FindingResult]) -> None:
    for name, result in results.items():
        for field in result.rows.schema:
            if pa.types.is_boolean(field.type):
                prefixes = ("is_", "has_", "match_")
                assert field.name.startswith(prefixes) or field.name.endswith("_exists"), (name, field.name)
            if field.name.startswith("n_"):
                assert pa.types.is_integer(field.type), (name, field.name)


def shuffle_parts(case_path: Path, copy: Path, seed: int) -> Path:
    """A copy of a case whose manifest lists the parts of each table in another order."""
    shutil.copytree(case_path, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    for table in manifest["tables"].values():
        random.Random(seed).shuffle(table["files"])
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


def answers(path: Path, threads: int) -> dict[str, list[dict[str, Any]]]:
    with open_case(path, threads=threads) as case:
        found = {result.spec.name: result.rows.to_pylist() for result in case.findings()}
        found |= {name: case.arrow(name).to_pylist() for name in MODELS}
    return found


def test_answers_are_equal_at_one_and_eight_threads_and_in_any_order_of_parts(
    case_path: Path, tmp_path: Path
) -> None:
    expected = answers(case_path, 1)
    for number, threads in enumerate((8, 8, 1)):
        other = answers(shuffle_parts(case_path, tmp_path / str(number), number), threads)
        for name, rows in expected.items():
            assert other[name] == rows, (name, threads)
