"""Recorded times as microseconds; the same on every Python version."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))",
    re.ASCII,
)
_FIRST = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_CACHE_LIMIT = 20_000
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_CLOCK = {f"T{n // 60:02d}:{n % 60:02d}": n * 60_000_000 for n in range(24 * 60)}
_SECONDS = {f":{n:02d}": n * 1_000_000 for n in range(60)}
_MILLISECONDS = {f".{n:03d}Z": n * 1000 for n in range(1000)}


class _Recent(dict[str, int]):
    """Recent times to the minute or to the day: neighbouring lines share them."""

    def __init__(self, look_up: Callable[[str], int]) -> None:
        self._look_up = look_up

    def __missing__(self, text: str) -> int:
        found = self._look_up(text)
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        self[text] = found
        return found


def _day_us(text: str) -> int:
    if not _DAY.fullmatch(text):
        raise KeyError(text)
    try:
        return (datetime.fromisoformat(text).replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
    except ValueError as error:
        raise KeyError(text) from error


_days = _Recent(_day_us)
_minutes = _Recent(lambda text: _days[text[:10]] + _CLOCK[text[10:]])


def parse_us(text: str) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time with an offset, or None when it is not one.

    Digits beyond the microsecond are cut. Times that no calendar of four-digit years has are none.
    """
    return parse_each((text,))[0]


def parse_each(texts: Sequence[str | None]) -> list[int | None]:
    """The same of each text; no text is no time."""
    minutes, seconds, milliseconds = _minutes, _SECONDS, _MILLISECONDS
    try:
        # Neighbours are all written alike, nearly always.
        return [
            None if text is None else minutes[text[:16]] + seconds[text[16:19]] + milliseconds[text[19:]]
            for text in texts
        ]
    except KeyError:
        return [None if text is None else _parse_any(text) for text in texts]


def _parse_any(text: str) -> int | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    try:
        result = _minutes[match[1]] + _SECONDS[match[2]] + int((match[3] or "0").ljust(6, "0")[:6])
    except KeyError:
        return None
    if match[4]:
        shift = (int(match[5]) * 60 + int(match[6])) * 60_000_000
        result += -shift if match[4] == "+" else shift
    return result if _FIRST <= result <= _LAST else None
