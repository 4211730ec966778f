"""Archived in the app, and opened again by a person."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from forensics.alive.archived import (
    Archive,
    Said,
    Sidecar,
    find_archive,
    load_patterns,
    parse_at,
)
from forensics.errors import UsageError

T1 = datetime(2026, 9, 1, 10, 0, tzinfo=UTC)
T2 = datetime(2026, 9, 1, 11, 0, tzinfo=UTC)
CLOSED = "Remote Control disconnected — the session was archived"
NOTICE = Said(10, T1, CLOSED, "informational")
PACKAGED = load_patterns()


def test_a_disconnect_by_archiving_closes_a_session() -> None:
    assert find_archive([NOTICE], [], None, PACKAGED) == Archive(T1, "notice")


@pytest.mark.parametrize(
    "text",
    [
        "Remote Control disconnected — archived",
        "Remote Control disconnected — session deleted",
        "Remote Control disconnected — closed with code 4090",
    ],
)
def test_archiving_and_deleting_are_told_in_several_ways(text: str) -> None:
    assert find_archive([Said(3, T1, text, "informational")], [], None, PACKAGED) is not None


@pytest.mark.parametrize(
    ("subtype", "text"),
    [
        ("informational", "Remote Control disconnected — network unreachable"),
        ("informational", "Remote Control connected"),
        ("informational", "I archived the old notes"),
        ("compact_boundary", CLOSED),
        ("informational", "Remote Control disconnected — code 14090 lines"),
    ],
)
def test_other_notices_close_nothing(subtype: str, text: str) -> None:
    assert find_archive([Said(3, T1, text, subtype)], [], None, PACKAGED) is None


def test_a_persons_later_request_opens_it_again() -> None:
    assert find_archive([NOTICE], [Said(11, T2, "go on")], None, PACKAGED) is None


def test_an_earlier_request_does_not() -> None:
    assert find_archive([NOTICE], [Said(9, T2, "go on")], None, PACKAGED) is not None


def test_what_the_hub_types_does_not() -> None:
    assert find_archive([NOTICE], [Said(11, T2, "[hub] please report")], None, PACKAGED) is not None


def test_a_second_archiving_after_a_request_counts() -> None:
    again = Said(12, T2, CLOSED, "informational")
    assert find_archive([NOTICE, again], [Said(11, T2, "go on")], None, PACKAGED) == Archive(T2, "notice")


def test_a_sidecar_closes_until_a_person_asks_later() -> None:
    sidecar = Sidecar(is_archived=True, at=T1)
    assert find_archive([], [Said(1, T1, "hello")], sidecar, PACKAGED) == Archive(T1, "sidecar")
    assert find_archive([], [Said(1, T2, "hello")], sidecar, PACKAGED) is None


def test_a_sidecar_that_says_no_closes_nothing() -> None:
    assert find_archive([], [], Sidecar(is_archived=False, at=T1), PACKAGED) is None


def test_a_sidecar_without_a_time_cannot_be_outlived() -> None:
    assert find_archive([], [Said(1, T2, "hello")], Sidecar(True, None), PACKAGED) == Archive(None, "sidecar")


def test_a_request_whose_text_is_not_kept_counts_as_a_persons() -> None:
    assert find_archive([NOTICE], [Said(11, T2, None)], None, PACKAGED) is None


def test_times_in_a_sidecar_carry_their_offset() -> None:
    assert parse_at("2026-09-01T19:00:00+09:00") == T1
    assert parse_at("2026-09-01T10:00:00") == T1
    assert parse_at("soon") is None
    assert parse_at(None) is None


def test_patterns_can_be_replaced_by_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[[notice]]\npattern = 'verabschiedet'\n[[not_a_person]]\npattern = '^Zentrale:'\n")
    mine = load_patterns(file)
    assert find_archive([NOTICE], [], None, mine) is None
    notice = Said(5, T1, "Sitzung verabschiedet", "anything")
    assert find_archive([notice], [Said(6, T2, "Zentrale: weiter")], None, mine) is not None


@pytest.mark.parametrize(
    "text",
    [
        "[[notice]]\npattern = '('\n",
        "[[notice]]\n",
        "[[notice]]\npattern = 5\n",
        "[[notice]]\npattern = 'x'\nsubtypes = 'y'\n",
        "not toml",
    ],
)
def test_patterns_that_cannot_be_used_are_a_wrong_call(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(UsageError):
        load_patterns(file)
