"""What speaks for and against a hypothesis, counted from sessions and keys."""

from __future__ import annotations

from typing import Any, cast

import pyarrow as pa

from forensics.case import Case
from forensics.cli.hypotheses import ONLY_BY_RUNNING, Weighed, weigh_hypotheses
from forensics.cli.key_check import KeyVerdict, count_by_version, new_violations
from forensics.keys import Explanation


class Sessions:
    """Answers every query with the same rows."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows = list(rows)

    def sql(self, query: str) -> Any:
        return pa.Table.from_pylist(self.rows, schema=None if self.rows else pa.schema([]))


def _session(path: str, **flags: Any) -> dict[str, Any]:
    blank = {
        "label": "home",
        "path": path,
        "n_keys": 2,
        "match_first": False,
        "match_last": False,
        "match_any": False,
        "match_relocated": False,
        "match_alias": False,
        "is_relocated": False,
    }
    return {**blank, **flags}


def _verdict(key: str, kind: str, *, version: str = "2.1.0", cwd: str | None = None) -> KeyVerdict:
    return KeyVerdict(
        label="home",
        home=".",
        project_key=key,
        version=version,
        ref=f"home/projects/{key}/s.jsonl",
        explanation=Explanation(cast(Any, kind), cwd=cwd),
    )


def _weigh(sessions: list[dict[str, Any]], verdicts: list[KeyVerdict]) -> dict[str, Weighed]:
    weighed = weigh_hypotheses(cast(Case, Sessions(*sessions)), verdicts)
    return {each.id: each for each in weighed}


def test_a_session_that_stayed_speaks_for_first_and_any_and_against_last() -> None:
    weighed = _weigh([_session("a.jsonl", match_first=True, match_any=True)], [])
    assert (weighed["V-01"].n_support, weighed["V-01"].n_against, weighed["V-01"].example) == (
        0,
        1,
        "home/a.jsonl",
    )
    assert (weighed["V-02"].n_support, weighed["V-02"].n_against) == (1, 0)
    assert (weighed["V-03"].n_support, weighed["V-03"].n_against) == (1, 0)


def test_a_session_of_one_key_tells_nothing_about_which_directory_counts() -> None:
    weighed = _weigh([_session("a.jsonl", n_keys=1, match_first=True, match_last=True, match_any=True)], [])
    assert [weighed[name].n_applicable for name in ("V-01", "V-02", "V-03")] == [0, 0, 0]


def test_a_key_that_nothing_explains_decides_nothing() -> None:
    weighed = _weigh([_session("a.jsonl")], [])
    for name in ("V-01", "V-02", "V-03"):
        assert (weighed[name].n_against, weighed[name].n_undecided) == (0, 1)


def test_a_moved_session_is_judged_by_where_it_was_moved_to() -> None:
    moved = _session("a.jsonl", is_relocated=True, match_relocated=True)
    stayed = _session("b.jsonl", is_relocated=True, match_first=True, match_any=True)
    weighed = _weigh([moved, stayed], [])
    assert (weighed["V-14"].n_applicable, weighed["V-14"].n_support, weighed["V-14"].n_against) == (2, 1, 1)
    assert (weighed["V-03"].n_support, weighed["V-03"].n_against) == (1, 1)


def test_long_keys_and_underscores_are_judged_by_what_explains_them() -> None:
    long_key = "-" + "x" * 220
    weighed = _weigh(
        [],
        [
            _verdict(long_key, "exact"),
            _verdict(long_key, "alien_hash"),
            _verdict(long_key, "unexplained"),
            _verdict("-srv-a-b", "exact", cwd="/srv/a_b"),
            _verdict("-srv-a_b", "wrong_rule", cwd="/srv/a_b"),
            _verdict("-srv-c", "exact", cwd="/srv/c"),
        ],
    )
    assert (weighed["V-08"].n_support, weighed["V-08"].n_against, weighed["V-08"].n_undecided) == (1, 1, 1)
    assert (weighed["V-11"].n_applicable, weighed["V-11"].n_support, weighed["V-11"].n_against) == (2, 1, 1)
    assert weighed["V-11"].example == "home/projects/-srv-a_b/s.jsonl"


def test_what_only_a_run_of_the_tool_can_tell_has_no_counts() -> None:
    weighed = _weigh([], [])
    for name, _ in ONLY_BY_RUNNING:
        assert weighed[name].n_applicable is None
        assert weighed[name].note is not None
    assert list(weighed) == [f"V-{number:02}" for number in range(1, 15)]


def test_versions_are_counted_in_their_own_order() -> None:
    verdicts = [
        _verdict("a", "exact", version="2.1.9"),
        _verdict("b", "wrong_rule", version="2.1.10"),
        _verdict("c", "exact", version="2.1.10"),
        _verdict("d", "undecided", version=""),
    ]
    counts = count_by_version(verdicts)
    assert [count.version for count in counts] == ["", "2.1.9", "2.1.10"]
    assert [count.violation_rate for count in counts] == [None, 0.0, 0.5]


def test_a_further_session_of_a_known_violation_is_not_new() -> None:
    known = _verdict("a", "wrong_rule")
    other = _verdict("a", "unexplained")
    assert new_violations([known, known, other], frozenset({known.identity})) == [other]
