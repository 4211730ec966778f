"""Recorded times as microseconds; the same on every Python version."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
_SECONDS = {f":{n:02d}": n * 1_000_000 for n in range(60)}
_MILLISECONDS = {f".{n:03d}Z": n * 1000 for n in range(1000)}
_minutes: dict[str, int] = {}
"""Recent times to the minute: neighbouring lines share them."""


def parse_us(text: str) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time with an offset, or None when it is not one.

    Digits beyond the microsecond are cut. Times that no calendar of four-digit years has are none.
    """
    return parse_each((text,))[0]


def parse_each(texts: Iterable[str | None]) -> list[int | None]:
    """The same of each text; no text is no time."""
    minutes, seconds, milliseconds = _minutes, _SECONDS, _MILLISECONDS
    times: list[int | None] = []
    for text in texts:
        if text is None:
            times.append(None)
            continue
        try:
            times.append(minutes[text[:16]] + seconds[text[16:19]] + milliseconds[text[19:]])
        except KeyError:
            times.append(_parse_any(text))
    return times


def _minute_us(minute: str) -> int | None:
    try:
        moment = datetime.fromisoformat(minute).replace(tzinfo=UTC)
    except ValueError:
        return None
    if len(_minutes) >= _CACHE_LIMIT:
        _minutes.clear()
    _minutes[minute] = (moment - _EPOCH) // _MICROSECOND
    return _minutes[minute]


def _parse_any(text: str) -> int | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    minute, second = _minute_us(match[1]), _SECONDS.get(match[2])
    if minute is None or second is None:
        return None
    result = minute + second + int((match[3] or "0").ljust(6, "0")[:6])
    if match[4]:
        shift = (int(match[5]) * 60 + int(match[6])) * 60_000_000
        result += -shift if match[4] == "+" else shift
    return result if _FIRST <= result <= _LAST else None
