"""Recorded times as microseconds; the same on every Python version."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ISO = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):?(\d\d))", re.ASCII)
_CACHE_LIMIT = 50_000
_minutes: dict[str, int] = {}


def _minute_us(minute: str) -> int | None:
    known = _minutes.get(minute)
    if known is None:
        try:
            moment = datetime.fromisoformat(minute).replace(tzinfo=UTC)
        except ValueError:
            return None
        known = (moment - _EPOCH) // _MICROSECOND
        if len(_minutes) >= _CACHE_LIMIT:
            _minutes.clear()
        _minutes[minute] = known
    return known


def parse_us(text: str) -> int | None:
    """Microseconds since 1970 of an ISO 8601 time with an offset, or None when it is not one.

    Digits beyond the microsecond are cut.
    """
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    minute = _minute_us(match[1])
    second = int(match[2])
    if minute is None or second > 59:
        return None
    result = minute + second * 1_000_000 + int((match[3] or "0").ljust(6, "0")[:6])
    if match[4]:
        shift = (int(match[5]) * 60 + int(match[6])) * 60_000_000
        result += -shift if match[4] == "+" else shift
    return result
