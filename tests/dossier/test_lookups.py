"""The facts about lookups: spans of versions, and what is said between and beyond them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.case import open_case
from forensics.dossier.lookups import Facts, Span, load_facts, number_of
from tests.case_builder import write_case

FACTS = load_facts()


@pytest.mark.parametrize(
    ("version", "reaches", "basis"),
    [
        ("1.0.0", ["folder"], "observed"),
        ("2.0.77", ["folder"], "observed"),
        ("2.1.100", ["folder"], "interpolated"),
        ("2.1.112", ["folder"], "observed"),
        ("2.1.170", ["folder"], "observed"),
        ("2.1.200", ["folder", "home"], "interpolated"),
        ("2.1.223", ["home"], "observed"),
        ("2.1.300", ["home"], "interpolated"),
        ("2.1.332", ["home"], "observed"),
        ("2.2.0", ["home"], "beyond_observed"),
        ("0.1.0", ["folder"], "beyond_observed"),
        (None, ["folder", "home"], "unversioned"),
        ("nightly", ["folder", "home"], "unversioned"),
    ],
)
def test_where_a_resume_looks_by_version(version: str | None, reaches: list[str], basis: str) -> None:
    rules, seen = FACTS.resume_rules(version)
    assert ([rule.reach for rule in rules], seen) == (reaches, basis)


@pytest.mark.parametrize(
    ("version", "colliding", "prefixes"),
    [
        ("2.1.112", ["take"], ["none"]),
        ("2.1.150", ["take"], ["any"]),
        ("2.1.223", ["take"], ["any"]),
        ("2.1.224", ["take"], ["same_cwd"]),
        ("2.1.300", ["take", "pass_while_there"], ["same_cwd", "same_cwd"]),
        ("2.1.332", ["pass_while_there"], ["same_cwd"]),
    ],
)
def test_what_a_continue_takes_by_version(version: str, colliding: list[str], prefixes: list[str]) -> None:
    rules, _ = FACTS.continue_rules(version)
    assert [rule.colliding for rule in rules] == colliding
    assert [rule.prefix for rule in rules] == prefixes


@pytest.mark.parametrize("rules", [FACTS.resume, FACTS.continue_], ids=["resume", "continue"])
def test_spans_follow_each_other_and_hold_the_versions_seen_in_them(rules: tuple[Span, ...]) -> None:
    for rule in rules:
        low, high = rule.bounds()
        assert low <= high
        assert all(low <= number_of(text) <= high for text in rule.observed)
        assert rule.source
    assert all(one.bounds()[1] < other.bounds()[0] for one, other in pairwise(rules))


@given(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 400)))
def test_every_version_has_a_rule_and_observed_ones_have_just_one(version: tuple[int, int, int]) -> None:
    text = ".".join(map(str, version))
    for rules, basis in (FACTS.resume_rules(text), FACTS.continue_rules(text)):
        assert 1 <= len(rules) <= 2
        assert basis != "unversioned"
        if basis in ("observed", "beyond_observed"):
            assert len(rules) == 1


@pytest.mark.parametrize(("version", "can"), [("2.1.186", False), ("2.1.187", True), (None, None)])
def test_a_session_without_an_answer_can_be_resumed_from_a_version_on(
    version: str | None, can: bool | None
) -> None:
    assert FACTS.takes_user_only(version) is can


def test_a_version_is_three_numbers() -> None:
    with pytest.raises(ValueError, match="'soon' is not a version"):
        number_of("soon")


def _spans(facts: Facts) -> dict[tuple[str, str], list[tuple[list[int], list[int], object]]]:
    """The facts in the words of the model `lookup_rules`: what takes a session of another directory."""
    told: dict[tuple[str, str], list[tuple[list[int], list[int], object]]] = {}

    def tell(situation: str, lookup: str, span: Span, takes: object) -> None:
        low, high = span.bounds()
        told.setdefault((situation, lookup), []).append((list(low), list(high), takes))

    for rule in facts.resume:
        tell("elsewhere", "resume", rule, rule.reach == "home")
    for each in facts.continue_:
        tell("colliding", "continue", each, True if each.colliding == "take" else None)
        tell("prefix", "continue", each, each.prefix == "any")
    return told


def test_the_model_of_lookups_in_sql_says_the_same(tmp_path: Path) -> None:
    with open_case(write_case(tmp_path / "case", {})) as case:
        rows = case.sql(
            'select situation, lookup, "first", "last", takes_other from lookup_rules order by all'
        )
    told = _spans(FACTS)
    for row in rows.to_pylist():
        if (row["situation"], row["lookup"]) == ("colliding", "resume"):
            continue
        spans = told[row["situation"], row["lookup"]]
        inside = [takes for low, high, takes in spans if row["first"] <= high and low <= row["last"]]
        assert set(inside) == {row["takes_other"]}, row
