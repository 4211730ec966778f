"""Values read as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from forensics.errors import UsageError
from forensics.report.model import Value
from forensics.report.text import count_of, format_bytes, format_seconds, format_time, format_value, read_zone


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1 kB"),
        (1_574_112, "1.57 MB"),
        (99_499_999, "99.5 MB"),
        (123_456_789, "123 MB"),
        (999_600_000, "1 GB"),
        (5_000_000_000_000_000, "5000 TB"),
    ],
)
def test_sizes_have_three_digits(n: int, said: str) -> None:
    assert format_bytes(n) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (0.4, "0 s"),
        (59, "59 s"),
        (60, "1 min 0 s"),
        (3_725, "1 h 2 min"),
        (86_400 * 3 + 60, "3 d 0 h"),
        (-5, "−5 s"),
    ],
)
def test_durations_have_two_units(seconds: float, said: str) -> None:
    assert format_seconds(seconds) == said


def test_a_time_shows_its_offset() -> None:
    assert format_time(datetime(2026, 3, 1, 9, 5, 7, tzinfo=UTC)) == "2026-03-01 09:05:07Z"
    india = timezone(timedelta(hours=5, minutes=30))
    assert format_time(datetime(2026, 3, 1, 9, 5, 7, tzinfo=india)) == "2026-03-01 09:05:07 +05:30"


@pytest.mark.parametrize(
    ("value", "column", "said"),
    [
        (None, "x", "–"),
        ("", "x", "–"),
        (True, "is_x", "yes"),
        (1_234, "n_x", "1,234"),
        (1_234, "line_no", "1234"),
        (1_234, "first_line_no", "1234"),
        (1_234, "size_bytes", "1.23 kB"),
        (90, "age_s", "1 min 30 s"),
        (0.1234, "share_lost", "12.3 %"),
        (0.5, "x", "0.5"),
        (("a", None, 3), "x", "a, –, 3"),
        ((), "x", "–"),
        ({"a": 1, "b": "c"}, "x", "a=1, b=c"),
        ("one\ntwo\x1b[31m", "x", "one two"),
    ],
)
def test_a_cell_says_what_its_column_means(value: Value, column: str, said: str) -> None:
    assert format_value(value, column) == said


def test_a_cell_is_cut_at_its_width() -> None:
    assert format_value("x" * 1_000_000, width=10) == "x" * 9 + "…"


def test_counts_come_with_their_noun() -> None:
    assert count_of(1, "file") == "1 file"
    assert count_of(0, "file") == "0 files"
    assert count_of(1_204, "directory", "directories") == "1,204 directories"


@pytest.mark.parametrize("name", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", ""])
def test_a_name_that_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        read_zone(name)
