"""Recorded times as microseconds; the same on every Python version."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):?(\d\d))", re.ASCII)
_CACHE_LIMIT = 20_000
_MILLISECONDS = {f"{n:03d}": n * 1000 for n in range(1000)}
_seconds: dict[str, int] = {}
"""Recent times to the second: neighbouring lines share them."""


def parse_us(text: str) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time with an offset, or None when it is not one.

    Digits beyond the microsecond are cut.
    """
    if len(text) == 24 and text[19] == "." and text[23] == "Z":
        second, milli = _seconds.get(text[:19]), _MILLISECONDS.get(text[20:23])
        if second is not None and milli is not None:
            return second + milli
    return _parse_any(text)


def _parse_any(text: str) -> int | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(match[1]).replace(tzinfo=UTC)
    except ValueError:
        return None
    second = (moment - _EPOCH) // _MICROSECOND
    if len(_seconds) >= _CACHE_LIMIT:
        _seconds.clear()
    _seconds[match[1]] = second
    result = second + int((match[2] or "0").ljust(6, "0")[:6])
    if match[3]:
        shift = (int(match[4]) * 60 + int(match[5])) * 60_000_000
        result += -shift if match[3] == "+" else shift
    return result
