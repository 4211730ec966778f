"""Recorded times: to the microsecond in UTC, or none at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.sources.claude_code.times import parse_each, parse_time

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
USUAL = "2026-05-04T09:00:00.000Z"


def us(*moment: int) -> int:
    """Microseconds since 1970 of a moment in UTC."""
    return (datetime(*moment, tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)  # type: ignore[misc, arg-type]


def parse_us(text: str) -> int | None:
    """Microseconds since 1970: of a text by itself, and the same among others of the usual form."""
    found = parse_time(text)
    assert parse_each((text,)) == [found]
    assert parse_each((USUAL, text, None)) == [parse_time(USUAL), found, None]
    return None if found is None else found // timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.000Z", 0),
        ("1969-12-31T23:59:59.999Z", -1000),
        ("2026-05-04T09:00:00.000Z", us(2026, 5, 4, 9)),
        ("2026-05-04T09:00:00.123Z", us(2026, 5, 4, 9, 0, 0, 123_000)),
        ("2026-05-04T09:00:00.1Z", us(2026, 5, 4, 9, 0, 0, 100_000)),
        ("2026-05-04T09:00:00.123456Z", us(2026, 5, 4, 9, 0, 0, 123_456)),
        ("2026-05-04T09:00:00.123456789Z", us(2026, 5, 4, 9, 0, 0, 123_456)),
        ("2026-05-04T09:00:00+02:00", us(2026, 5, 4, 7)),
        ("2026-05-04T09:00:00-0530", us(2026, 5, 4, 14, 30)),
        ("2026-05-04T00:30:00.5+01:00", us(2026, 5, 3, 23, 30, 0, 500_000)),
        ("2024-02-29T23:59:59Z", us(2024, 2, 29, 23, 59, 59)),
        ("0001-01-01T00:00:00Z", us(1, 1, 1)),
        ("9999-12-31T23:59:59.999999Z", us(9999, 12, 31, 23, 59, 59, 999_999)),
    ],
)
def test_a_time_with_an_offset_is_taken_to_the_microsecond(text: str, expected: int) -> None:
    assert parse_us(text) == expected
    assert parse_us(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-05-04",
        "2026-05-04T09:00:00",
        "2026-05-04 09:00:00Z",
        "2026-05-04T09:00Z",
        "2026-05-04T09:00:00.Z",
        "2026-05-04T09:00:00.1234567890Z",
        "2026-05-04T09:00:00z",
        "2026-05-04T09:00:60Z",
        "2026-05-04T09:60:00Z",
        "2026-05-04T24:00:00Z",
        "2026-02-29T09:00:00Z",
        "2026-13-01T09:00:00Z",
        "2026-00-01T09:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-05-04T09:00:00+24:00",
        "2026-05-04T09:00:00+02:60",
        "2026-05-04T09:00:00+2:00",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
        " 2026-05-04T09:00:00Z",
        "2026-05-04T09:00:00Z\n",
        "２０２６-05-04T09:00:00Z",
        "1700000000000",
        "+2026-05-04T09:00:00Z",
        "2026-02-30T09:00:00.000Z",
        "2026-05-04T24:00:00.000Z",
        "2026-05-04T23:59:60.000Z",
        "2026-05-04T09:00:00.000z",
        "2026-05-04T09:00:00,000Z",
        "2026-05-04T09:00:00.0 0Z",
        "2026-05-04 09:00:00.000Z",
        "2026-05-04t09:00:00.000Z",
        "2026-W19-1T09:00:00.000Z",
        "2026-05-0４T09:00:00.000Z",
        "0000-01-01T00:00:00.000Z",
        "20260504T090000.0000000Z",
    ],
)
def test_what_is_no_time_with_an_offset_is_none(text: str) -> None:
    parse_us("2026-05-04T09:00:00.000Z")  # what was seen before must not help
    assert parse_us(text) is None


class Lenient(datetime):
    """A library that takes every text for a time, as a later one may take the hour 24."""

    @classmethod
    def fromisoformat(cls, text: str) -> datetime:  # type: ignore[override]
        return EPOCH


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-04T24:00:00.000Z",
        "2026-W19-1T09:00:00.000Z",
        "2026-05-04T09:00:00,000Z",
        "20260504T090000.0000000Z",
    ],
)
def test_what_the_library_takes_decides_nothing(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forensics.sources.claude_code.times.datetime", Lenient)
    assert parse_each((USUAL, text)) == [EPOCH - EPOCH, None]


moments = st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1 < moment.year < 9999)
offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(moments, offsets, st.sampled_from(["seconds", "milliseconds", "microseconds"]))
def test_every_moment_comes_back(moment: datetime, offset: timezone, digits: str) -> None:
    text = moment.replace(tzinfo=offset).isoformat(timespec=digits)
    expected = (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)
    assert parse_us(text) == expected
    if offset == UTC or offset.utcoffset(None) == timedelta(0):
        assert parse_us(text.replace("+00:00", "Z")) == expected


@given(st.lists(st.tuples(st.integers(0, 23), st.characters()), max_size=2))
def test_near_the_usual_form_nothing_is_taken_that_is_not_taken_elsewhere(
    changes: list[tuple[int, str]],
) -> None:
    text = [*USUAL]
    for i, char in changes:
        text[i] = char
    parse_us("".join(text))


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = parse_us(text)
    assert found is None or isinstance(found, int)
