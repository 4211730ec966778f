"""Periods and boot times as people and systems write them."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.alive.since import parse_boot, parse_since
from forensics.errors import UsageError


@pytest.mark.parametrize(("text", "seconds"), [("30s", 30), ("45m", 2700), ("6h", 21_600), ("2d", 172_800)])
def test_a_number_and_a_unit_is_a_period(text: str, seconds: int) -> None:
    assert parse_since(text) == seconds


@pytest.mark.parametrize("text", ["6x", "abc", "", "0h", "-1h", "6hh", "h"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_since(text)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(
    "text", ["6", "6 h", " 6h", "6h\n", "6H", "1.5h", "+6h", "６h", "2026-08-27", "20:50"]
)
def test_neither_times_of_day_nor_other_spellings_are_periods(text: str) -> None:
    with pytest.raises(UsageError):
        parse_since(text)


@given(st.integers(1, 10**9 - 1), st.sampled_from("smhd"))
def test_a_period_grows_with_its_number_and_its_unit(number: int, unit: str) -> None:
    assert parse_since(f"{number}{unit}") == number * parse_since(f"1{unit}")


@given(st.text(max_size=12))
def test_no_text_ends_in_another_error(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert parse_since(text) > 0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1788056564", 1_788_056_564),
        ("2026-08-27T23:22:44+09:00", 1_787_840_564),
        ("2026-08-27T14:22:44Z", 1_787_840_564),
        ("2026-08-27T14:22:44", 1_787_840_564),
        ("{ sec = 1787840564, usec = 987654 } Thu Aug 27 23:22:44 2026", 1_787_840_564),
    ],
)
def test_a_boot_time_is_read_in_every_way_systems_print_it(text: str, seconds: int) -> None:
    assert parse_boot(text) == seconds


@pytest.mark.parametrize("text", ["", "yesterday", "-5", "{ usec = 17 }", "25:00"])
def test_no_boot_time_is_made_up(text: str) -> None:
    with pytest.raises(UsageError):
        parse_boot(text)
