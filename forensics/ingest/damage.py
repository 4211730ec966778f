"""What is broken in a line, and what of it is certain.

Policies, the same on every Python version:
- NUL runs and a byte order mark are cut away and named; what stands between them is read by itself.
- Of a record without its end, the complete top-level pairs before the cut are kept.
- Of a record without its head, the pairs that close with the line's last brace are kept: whatever the head
  was, that brace closes the record.
- A further record inside the line is taken when it reads whole and has the agent's shape.
- A value that ends with the cut may be incomplete and is dropped. Nothing is completed or guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from forensics.ingest.depth import is_balanced, is_too_deep

Object = dict[str, Any]

_NULS = re.compile(rb"\x00+")
_SPACE = re.compile(r"[ \t\r\n]*")
_START = re.compile(r'\{\s*"[A-Za-z_]+"\s*:')
_LONE = re.compile(
    r"(?:^|[^\\])(?:\\\\)*(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
_BOM = b"\xef\xbb\xbf"
_TAIL_TRIES = 64
_RECORD_TRIES = 256
_INT_DIGITS = 18
HUGE = float("inf")
"""Stands for an integer of more digits than any count has; its exact value is not needed to refuse it."""


class Pairs(dict[str, Any]):
    """A JSON object that remembers which keys stood in it more than once."""

    __slots__ = ("repeated",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated: frozenset[str] = frozenset()
        if len(self) < len(pairs):
            names = [name for name, _ in pairs]
            self.repeated = frozenset(name for name in names if names.count(name) > 1)


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _INT_DIGITS else HUGE


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


def _decoder(*, strict: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        strict=strict, object_pairs_hook=Pairs, parse_int=_int, parse_constant=_refuse_constant
    )


_STRICT = _decoder(strict=True)
_LOOSE = _decoder(strict=False)


@dataclass(frozen=True, slots=True)
class LineGap:
    """Damage inside a line; `start` is relative to the line's first byte."""

    kind: str
    start: int
    n_bytes: int
    kept: str
    part: int = 0
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A record, or what is certain of one, and the bytes of the line it stands in."""

    start: int
    n_bytes: int
    pairs: Object
    is_whole: bool


@dataclass(slots=True)
class Examined:
    """What a line holds: its records in order, and its damage."""

    pieces: list[Piece] = field(default_factory=list)
    gaps: list[LineGap] = field(default_factory=list)


@dataclass(slots=True)
class _Segment:
    """A stretch of a line between NUL runs, as text with its way back to byte offsets."""

    text: str
    offset: int

    def at(self, index: int) -> int:
        return self.offset + len(self.text[:index].encode("utf-8", "surrogateescape"))

    def span(self, start: int, end: int) -> tuple[int, int]:
        first = self.at(start)
        return first, self.at(end) - first


def _parse(text: str, at: int) -> tuple[Any, int, bool] | None:
    """Value, end, and whether control characters stood unescaped in it; None when nothing whole is there."""
    try:
        value, end = _STRICT.raw_decode(text, at)
    except (ValueError, RecursionError):
        try:
            value, end = _LOOSE.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        return value, end, True
    return value, end, False


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _pairs_before_the_cut(text: str, at: int, end: int) -> Object:
    """The complete top-level pairs of an object whose end is missing."""
    kept: list[tuple[str, Any]] = []
    at = _skip(text, at + 1)
    while at < end and text[at] == '"':
        label = _parse(text, at)
        if label is None:
            break
        name, at, _ = label
        at = _skip(text, at)
        if at >= end or text[at] != ":":
            break
        found = _parse(text, _skip(text, at + 1))
        if found is None or found[1] >= end:
            break
        value, at, _ = found
        kept.append((name, value))
        at = _skip(text, at)
        if at >= end or text[at] != ",":
            break
        at = _skip(text, at + 1)
    return Pairs(kept)


def _pairs_after_the_tear(text: str) -> Object:
    """The longest run of pairs that closes with the last brace of a text whose head is missing."""
    best: Object = {}
    text = text.rstrip(" \t\r\n")
    if not text.endswith("}"):
        return best
    cut = len(text)
    for _ in range(_TAIL_TRIES):
        cut = text.rfind(',"', 0, cut)
        if cut < 0:
            break
        found = _parse("{" + text[cut + 1 :], 0)
        if found is not None and found[1] == len(text) - cut:
            best = found[0]
    return best


def _next_record(text: str, at: int, is_record: Callable[[Object], bool]) -> int | None:
    """Where the next whole record of the agent's shape begins that ends the line or meets another one."""
    failures = 0
    while failures < _RECORD_TRIES and (match := _START.search(text, at)):
        found = _parse(text, match.start())
        if found is None:
            failures += 1
            at = match.start() + 1
            continue
        at = found[1]
        rest = _skip(text, at)
        if is_record(found[0]) and (rest == len(text) or text[rest] == "{"):
            return match.start()
    return None


def _segments(line: bytes, gaps: list[LineGap]) -> Iterator[tuple[int, bytes]]:
    """Stretches of the line without NUL runs and byte order mark, which are named."""
    at = 0
    if line.startswith(_BOM):
        gaps.append(LineGap("bom", 0, len(_BOM), "all"))
        at = len(_BOM)
    for match in _NULS.finditer(line):
        gaps.append(LineGap("nul", match.start(), match.end() - match.start(), "nothing"))
        yield at, line[at : match.start()]
        at = match.end()
    yield at, line[at:]


def _text_of(offset: int, chunk: bytes, gaps: list[LineGap]) -> _Segment:
    try:
        return _Segment(chunk.decode("utf-8"), offset)
    except UnicodeDecodeError as error:
        text = chunk.decode("utf-8", "surrogateescape")
        bad = sum("\udc80" <= char <= "\udcff" for char in text)
        gaps.append(LineGap("bad_utf8", offset + error.start, bad, "fields"))
        return _Segment(text, offset)


def _read_segment(segment: _Segment, into: Examined, is_record: Callable[[Object], bool]) -> None:
    text = segment.text
    at = _skip(text, 0)
    while at < len(text):
        found = _parse(text, at)
        if found is not None and isinstance(found[0], dict):
            value, end, has_control = found
            start, n_bytes = segment.span(at, end)
            if has_control:
                into.gaps.append(LineGap("control", start, n_bytes, "all", part=len(into.pieces)))
            into.pieces.append(Piece(start, n_bytes, value, is_whole=True))
        elif text[at] == "{":
            end = _next_record(text, at + 1, is_record) or len(text)
            start, n_bytes = segment.span(at, end)
            pairs = _pairs_before_the_cut(text, at, end)
            kept = "fields" if pairs else "nothing"
            kind = "malformed" if is_balanced(text[at:end]) else "truncated"
            into.gaps.append(LineGap(kind, start, n_bytes, kept, part=len(into.pieces)))
            into.pieces.append(Piece(start, n_bytes, pairs, is_whole=False))
        else:
            end = _read_headless(segment, at, found, into, is_record)
        at = _skip(text, end)


def _read_headless(
    segment: _Segment,
    at: int,
    found: tuple[Any, int, bool] | None,
    into: Examined,
    is_record: Callable[[Object], bool],
) -> int:
    """Read what does not begin an object: another JSON value, the rest of a record, or plain text."""
    text = segment.text
    if found is not None:
        rest = _skip(text, found[1])
        if rest == len(text) or text[rest] == "{":
            start, n_bytes = segment.span(at, found[1])
            into.gaps.append(LineGap("not_object", start, n_bytes, "nothing", part=len(into.pieces)))
            return found[1]
    end = _next_record(text, at, is_record) or len(text)
    start, n_bytes = segment.span(at, end)
    pairs = _pairs_after_the_tear(text[at:end])
    is_torn = bool(pairs) or '":' in text[at:end] or text[at:end].rstrip().endswith("}")
    kept = "fields" if pairs else "nothing"
    into.gaps.append(LineGap("torn" if is_torn else "text", start, n_bytes, kept, part=len(into.pieces)))
    if pairs:
        into.pieces.append(Piece(start, n_bytes, pairs, is_whole=False))
    return end


def examine(line: bytes, *, is_record: Callable[[Object], bool]) -> Examined:
    """The records and the damage of one line, without its newline; total on every byte string.

    `is_record` says whether an object found inside a line has the agent's shape.
    """
    result = Examined()
    for offset, chunk in _segments(line, result.gaps):
        if not chunk.strip(b" \t\r"):
            continue
        if is_too_deep(chunk):
            result.gaps.append(LineGap("too_deep", offset, len(chunk), "nothing"))
            continue
        segment = _text_of(offset, chunk, result.gaps)
        if match := _LONE.search(segment.text):
            start = segment.at(match.start())
            result.gaps.append(LineGap("lone_surrogate", start, 6, "fields"))
        _read_segment(segment, result, is_record)
    if len(result.pieces) > 1:
        result.gaps.append(LineGap("glued", 0, len(line), "record"))
    return result
