"""Predicted lookups against what the real command line did, question by question."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.dossier.dossier import Question, read_dossiers
from forensics.dossier.find import find_sessions
from forensics.ingest.convert import ConvertOptions, convert
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


def _moved(folder: Path) -> list[dict[str, Any]]:
    """The resumes by id of sessions that moved, were named or lie under a chosen name."""
    rows = json.loads((folder / "sessions.json").read_text("utf-8"))
    ids = {(row["version"], row["scenario"]): row["session"] for row in rows}
    return [
        {**row, "session": ids[row["version"], row["scenario"].split("/")[0]]}
        for row in rows
        if row["kind"] == "moves" and re.search(r"/resume(?!_by_name)", row["scenario"])
    ]


@pytest.mark.parametrize("version", ["2.0.77", "2.1.112", "2.1.223", "2.1.332"])
def test_dossiers_of_sessions_that_moved_say_what_was_seen(
    shared_corpora: Path, tmp_path: Path, version: str
) -> None:
    folder = shared_corpora / "cli"
    options = ConvertOptions(workers=1, raw=False)
    convert([f"cli={folder / version / 'moves'}"], tmp_path / "case", options=options)
    rows = [row for row in _moved(folder) if row["version"] == version]
    assert len(rows) >= 3
    with open_case(tmp_path / "case") as case:
        for row in rows:
            question = Question(asked_in=row["cwd"], version=version)
            (dossier,) = read_dossiers(case, find_sessions(case, row["session"]).matches, question)
            assert (dossier.plan.command_here is not None) == (row["exit"] == 0), row["scenario"]
            assert dossier.plan.command is not None, row["scenario"]
