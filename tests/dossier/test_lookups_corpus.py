"""Predicted lookups against what the real command line did, question by question."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.dossier.lookups_seen import compare_all

pytestmark = pytest.mark.corpus


def test_every_lookup_that_was_seen_is_predicted_and_the_same_file_is_taken(shared_corpora: Path) -> None:
    compared = list(compare_all(shared_corpora / "cli"))
    assert [each for each in compared if each.agrees is False] == []
    assert Counter(each.version for each in compared) == {"2.1.332": 53, "2.1.223": 53, "2.1.112": 51}


def test_only_sessions_that_were_given_a_used_id_are_left_out(shared_corpora: Path) -> None:
    left_out = [each for each in compare_all(shared_corpora / "cli") if each.agrees is None]
    assert {each.scenario for each in left_out} == {"n_session-id reuse same", "n_session-id reuse other"}
    assert len(left_out) == 6


def test_the_questions_tell_versions_apart(shared_corpora: Path) -> None:
    taken = {
        (each.version, each.scenario): each.seen == "taken" for each in compare_all(shared_corpora / "cli")
    }
    assert not taken["2.1.112", "b_other"]
    assert taken["2.1.223", "b_other"]
    assert taken["2.1.223", "d_continue a-b"]
    assert not taken["2.1.332", "d_continue a-b"]
