"""Periods that people write (`30s`, `45m`, `6h`, `2d`), and boot times in the ways systems print them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from forensics.errors import UsageError
from forensics.host.registry import parse_boottime

_PERIOD = re.compile(r"([0-9]{1,9})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_EPOCH = re.compile(r"[0-9]{1,12}")


def parse_since(text: str) -> int:
    """How many seconds back a period reaches: a number above zero and one of s, m, h, d.

    Times of day are refused: a period says the same on every machine.

    Raises:
        UsageError: it is written in another way.
    """
    found = _PERIOD.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise UsageError(f"{text!r} is no period", hint="a number and one of s, m, h, d: 30s, 45m, 6h, 2d")
    return int(found[1]) * _SECONDS[found[2]]


def parse_boot(text: str) -> int:
    """When the machine booted, in seconds since 1970: from such seconds, an ISO time, or what sysctl prints.

    Raises:
        UsageError: it is none of these.
    """
    if _EPOCH.fullmatch(text):
        return int(text)
    if (printed := parse_boottime(text)) is not None:
        return printed
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is no time of a boot", hint="seconds since 1970, or 2026-08-27T23:22:44+09:00"
        ) from error
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
