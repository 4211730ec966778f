"""How deep a line nests and how much it holds, counted by us: parsers' own limits depend on the machine."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec
from stringzilla import count

MAX_LINE_BYTES = 18 << 20
"""Longer lines are kept as bytes only: of a line several copies are in memory at once."""

MAX_DEPTH = 512
MAX_VALUES = 300_000
"""Values in one line that are held at once; each costs some hundred bytes, whatever its own size."""
_FEW_BYTES = 1 << 20
_LITTLE_ROOM = 4 << 20

_OPENERS = b"[{"
_KEEP = b'[]{}"'
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
_DROP = bytes(set(range(256)) - set(_KEEP))


def _brackets_outside_strings(line: bytes) -> bytes:
    bare = line.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _DROP)
    return b"".join(bare.split(b'"')[::2])


def _nests_beyond(value: object, depth: int) -> bool:
    """Whether containers nest beyond so many levels."""
    level: list[Any] = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def is_too_deep(line: bytes | memoryview) -> bool:
    """Whether brackets outside strings nest beyond MAX_DEPTH levels.

    A line too short to hold that many pairs, or with fewer openers, is settled without a count. One that is
    written again just as it was parsed, nothing of it lost to a key that stands twice, tells its depth by its
    shape. The rest is counted bracket by bracket.
    """
    if len(line) <= 2 * MAX_DEPTH or count(line, b"[") + count(line, b"{") <= MAX_DEPTH:
        return False
    line = bytes(line)
    if len(line) <= _LITTLE_ROOM:
        with suppress(msgspec.MsgspecError, ValueError, RecursionError):
            value = msgspec.json.decode(line)
            if msgspec.json.encode(value) == line:
                return _nests_beyond(value, MAX_DEPTH)
    depth = 0
    for byte in _brackets_outside_strings(line):
        depth = depth + 1 if byte in _OPENERS else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            return True
    return False


def holds_too_much(line: bytes) -> bool:
    """Whether a line has more values than MAX_VALUES, about: two bytes outside strings are one at least."""
    if len(line) <= _FEW_BYTES:
        return False
    n_strings = (line.count(b'"') - line.count(b'\\"')) // 2
    if n_strings > MAX_VALUES:
        return True
    pieces = line.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
    return n_strings + sum(map(len, pieces[::2])) // 2 > MAX_VALUES


def is_balanced(text: str, at: int, end: int) -> bool:
    """Whether every bracket outside strings is closed: such an object has its end, whatever else is wrong."""
    depth = 0
    for match in _TOKEN.finditer(text, at, end):
        found = match[0]
        depth += (found in "{[") - (found in "}]")
    return depth == 0
