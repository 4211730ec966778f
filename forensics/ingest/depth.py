"""How deep a line nests, counted by us: parsers' own limits depend on interpreter and stack."""

from __future__ import annotations

MAX_DEPTH = 512

_OPENERS = b"[{"
_KEEP = b'[]{}"'
_DROP = bytes(set(range(256)) - set(_KEEP))


def _brackets_outside_strings(line: bytes) -> bytes:
    bare = line.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _DROP)
    return b"".join(bare.split(b'"')[::2])


def is_too_deep(line: bytes) -> bool:
    """Whether brackets outside strings nest beyond MAX_DEPTH levels.

    A line too short to hold that many pairs, or with fewer openers, is settled without a count.
    """
    if len(line) <= 2 * MAX_DEPTH or line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for byte in _brackets_outside_strings(line):
        depth = depth + 1 if byte in _OPENERS else max(depth - 1, 0)
        if depth > MAX_DEPTH:
            return True
    return False


def is_balanced(text: str) -> bool:
    """Whether every bracket outside strings is closed: such an object has its end, whatever else is wrong."""
    brackets = _brackets_outside_strings(text.encode("utf-8", "surrogateescape"))
    openers = sum(byte in _OPENERS for byte in brackets)
    return openers * 2 == len(brackets)
