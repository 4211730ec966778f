"""Recorded times; the same on every Python version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC) - _EPOCH, datetime.max.replace(tzinfo=UTC) - _EPOCH
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))",
    re.ASCII,
)
_USUAL = "0000-00-00T00:00:00.000Z"
"""How the agent writes every time, digits standing for any."""
_USUAL_SIZES = frozenset({len(_USUAL)})
_SIGNS = tuple((i, sign) for i, sign in enumerate(_USUAL) if sign != "0")


def parse_time(text: str) -> timedelta | None:
    """The time since 1970 of an ISO 8601 time with an offset, or None when it is not one.

    Digits beyond the microsecond are cut. Times that no calendar of four-digit years has are none.
    """
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    try:
        since = datetime.fromisoformat(match[1]).replace(tzinfo=UTC) - _EPOCH
    except ValueError:
        return None
    since += timedelta(microseconds=int((match[2] or "0").ljust(6, "0")[:6]))
    if match[3]:
        offset = timedelta(hours=int(match[4]), minutes=int(match[5]))
        since += -offset if match[3] == "+" else offset
    return since if _FIRST <= since <= _LAST else None


def parse_each(texts: Sequence[str | None]) -> list[timedelta | None]:
    """The same of each text; no text is no time."""
    if _are_usual([text for text in texts if text is not None]):
        parse = datetime.fromisoformat
        try:
            return [None if text is None else parse(text) - _EPOCH for text in texts]
        except ValueError:
            pass
    return [None if text is None else parse_time(text) for text in texts]


def _are_usual(texts: Sequence[str]) -> bool:
    """Whether all have the signs of the usual form where they belong: of these every Python says the same.

    But for the hour 24, which some take for the next day's first.
    """
    if not _USUAL_SIZES.issuperset(map(len, texts)):
        return False
    joined = "".join(texts)
    n, size = len(texts), len(_USUAL)
    return joined.isascii() and "T24" not in joined and all(joined[i::size] == sign * n for i, sign in _SIGNS)
