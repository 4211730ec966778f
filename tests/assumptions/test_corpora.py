"""What the checks say of transcripts that real tools and real people left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.assumptions import KeyVerdict, Tally, judge_keys, weigh_hypotheses
from forensics.case import Case
from tests.assumptions.evidence import open_home

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

RENAMED_BY_HAND = ("/h/", "/h2/", "/s1/", "/m/", "/s2/")
"""Scenarios in which a person gave a folder another name, to see what a lookup makes of it."""


@pytest.fixture(scope="module")
def cli(shared_corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with open_home(shared_corpora / "cli", tmp_path_factory.mktemp("cli") / "case") as case:
        yield case


@pytest.fixture(scope="module")
def verdicts(cli: Case) -> list[KeyVerdict]:
    return judge_keys(cli)


@pytest.fixture(scope="module")
def tallies(cli: Case, verdicts: list[KeyVerdict]) -> dict[str, Tally]:
    return {each.hypothesis.id: each for each in weigh_hypotheses(cli, verdicts)}


def test_every_session_of_the_tool_is_explained_but_for_six_without_a_directory(
    verdicts: list[KeyVerdict],
) -> None:
    undecided = [each for each in verdicts if each.explanation.kind == "undecided"]
    assert [(each.explanation.note, each.ref.split("/")[1]) for each in undecided] == [
        ("no cwd is recorded", "2.0.77")
    ] * 6
    renamed = [each for each in verdicts if each.is_violation]
    assert all(any(f"resume{part}" in each.ref for part in RENAMED_BY_HAND) for each in renamed)
    assert Counter(each.explanation.kind for each in renamed) == {"alien_hash": 9, "untruncated": 6}
    assert all(each.explanation.rule is not None for each in renamed), "the rule that wrote it is named"
    assert sum(each.is_explained for each in verdicts) == len(verdicts) - 6 - 15 > 440


def test_moved_sessions_and_only_those_lie_under_a_later_directory(verdicts: list[KeyVerdict]) -> None:
    moved = [each for each in verdicts if each.explanation.kind == "moved"]
    assert len(moved) == 16
    assert {each.version for each in moved} <= {"2.1.112", "2.1.223", "2.1.332"}


def test_the_tool_contradicts_the_last_directory_and_never_any_directory(tallies: dict[str, Tally]) -> None:
    assert (tallies["V-02"].n_against, tallies["V-14"].n_against, tallies["V-11"].n_against) == (0, 0, 0)
    assert tallies["V-01"].n_against > tallies["V-01"].n_support > 0
    assert tallies["V-03"].n_support > tallies["V-03"].n_against > 0


def test_the_hashes_of_cli_and_sdk_meet_when_the_cli_gives_up_the_64_bit_one(
    tallies: dict[str, Tally],
) -> None:
    by_version = {count.version: count for count in tallies["V-08"].by_version}
    assert by_version["2.1.45"].n_support == by_version["2.1.100"].n_support == 0
    assert by_version["2.1.45"].n_against > 0
    for version in ("2.1.112", "2.1.223", "2.1.332"):
        assert by_version[version].n_support > by_version[version].n_against


def test_titles_given_with_the_option_are_marked_from_2_1_223(tallies: dict[str, Tally]) -> None:
    assert (tallies["V-10"].n_support, tallies["V-10"].n_against) == (4, 0)


def test_a_copy_says_nothing_about_the_times_of_files(tallies: dict[str, Tally]) -> None:
    assert (tallies["V-09"].n_support, tallies["V-09"].n_against) == (0, 0)
    assert list(tallies["V-09"].undecided_because) == ["the files' times are those of a copy"]


def test_every_key_of_the_public_transcripts_is_explained_but_for_one_without_a_directory(
    shared_corpora: Path, tmp_path: Path
) -> None:
    with open_home(shared_corpora / "public", tmp_path / "case") as case:
        verdicts = judge_keys(case)
    assert Counter(each.explanation.kind for each in verdicts) == {"exact": 60, "undecided": 1}
    (undecided,) = [each for each in verdicts if not each.is_explained]
    assert undecided.explanation.note == "no cwd is recorded"
