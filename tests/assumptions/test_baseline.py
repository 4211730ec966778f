"""What is known does not fail again, and only that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.assumptions import Baseline, KeyVerdict, baseline_text, read_baseline
from forensics.errors import UsageError
from forensics.keys import Explanation


def verdict(key: str, kind: str, *, label: str = "home", session: str = "s") -> KeyVerdict:
    return KeyVerdict(
        label=label,
        home=".",
        project_key=key,
        version="2.1.332",
        ref=f"{label}/projects/{key}/{session}.jsonl",
        explanation=Explanation(cast(Any, kind)),
    )


KINDS = ["exact", "undecided", "wrong_rule", "unexplained", "alien_hash"]
verdicts = st.builds(
    verdict, st.sampled_from(["-a", "-b"]), st.sampled_from(KINDS), label=st.sampled_from(["x", "y"])
)


def read_back(tmp: Path, text: str) -> Baseline:
    (tmp / "known.json").write_text(text, "utf-8")
    return read_baseline(tmp / "known.json")


def test_a_further_session_of_a_known_kind_under_a_known_key_is_not_new() -> None:
    known = Baseline(frozenset({("home", ".", "-a", "wrong_rule")}))
    same, other = verdict("-a", "wrong_rule", session="t"), verdict("-a", "unexplained")
    elsewhere, fine = verdict("-a", "wrong_rule", label="desk"), verdict("-b", "exact")
    assert known.new_among([same, other, elsewhere, fine]) == [other, elsewhere]


def test_what_is_explained_or_undecided_is_never_new() -> None:
    assert (
        Baseline().new_among([verdict("-a", kind) for kind in ("exact", "moved", "named", "undecided")]) == []
    )


def test_what_is_no_longer_seen_can_be_taken_out() -> None:
    known = Baseline(frozenset({("home", ".", "-a", "wrong_rule"), ("home", ".", "-b", "wrong_rule")}))
    assert known.gone_from([verdict("-a", "wrong_rule"), verdict("-b", "exact")]) == [
        ("home", ".", "-b", "wrong_rule")
    ]


def test_a_baseline_says_what_it_knows_and_nothing_else(tmp_path: Path) -> None:
    text = baseline_text([verdict("-b", "wrong_rule"), verdict("-a", "unexplained"), verdict("-c", "exact")])
    assert json.loads(text) == {
        "violations": [
            {"label": "home", "home": ".", "project_key": "-a", "kind": "unexplained"},
            {"label": "home", "home": ".", "project_key": "-b", "kind": "wrong_rule"},
        ]
    }
    assert read_back(tmp_path, text).known == {
        ("home", ".", "-a", "unexplained"),
        ("home", ".", "-b", "wrong_rule"),
    }


@given(st.lists(verdicts, max_size=8), st.randoms(use_true_random=False))
def test_after_a_baseline_nothing_of_it_is_new_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory, found: list[KeyVerdict], random: Any
) -> None:
    shuffled = random.sample(found, len(found))
    assert baseline_text(shuffled) == baseline_text(found)
    known = read_back(tmp_path_factory.mktemp("known"), baseline_text(found))
    assert known.new_among(found) == []
    assert known.gone_from(found) == []
    assert Baseline().new_among(found) == [each for each in found if each.is_violation]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"violations": 1}',
        '{"violations": [1]}',
        '{"violations": [{"label": "a"}]}',
        '{"violations": [{"label": "a", "home": ".", "project_key": null, "kind": "x"}]}',
    ],
)
def test_another_file_is_no_baseline(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="this is no baseline") as raised:
        read_back(tmp_path, text)
    assert raised.value.where == str(tmp_path / "known.json")


def test_a_baseline_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the baseline"):
        read_baseline(tmp_path / "gone.json")
