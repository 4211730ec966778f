"""What is broken in a line, and what of it is certain.

Policies, the same on every Python version:
- NUL runs and a byte order mark are cut away and named; what stands between them is read by itself.
- Of a record without its end, the complete top-level pairs before the cut are kept.
- Of a record without its head, the pairs that close with the line's last brace are kept: whatever the head
  was, that brace closes the record, unless what it closes was opened within the text that is left.
- An object that a comma or a closing bracket follows was part of something whose head is missing.
- A further record inside the line is taken when it reads whole, has the agent's shape, and does not stand
  where the record before it expects a value: there it may belong to that record, which was cut after it.
- A value that ends with the cut may be incomplete and is dropped. Nothing is completed or guessed.
- Of a key that stands twice the last value is taken, as the agent itself does; this is named for `cwd` and
  `sessionId`, which place a line.
- How much is tried is bounded by counts of attempts and of characters, never by time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from forensics.sources.limits import is_balanced, is_too_deep

Object = dict[str, Any]

_NULS = re.compile(rb"\x00+")
_GOES_ON = (",", "]", "}", ":")
_SPACE = re.compile(r"[ \t\r\n]*")
_START = re.compile(r'\{\s*"[A-Za-z_]+"\s*:')
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_NO_BRACKET = re.compile(r"[^{}\[\]]+")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\],:]|[^\s"{}\[\],:]+', re.DOTALL)
_BOM = b"\xef\xbb\xbf"
_TAIL_TRIES = 64
_RECORD_TRIES = 256
_FEWEST_TRIES = 8
_TRIED_CHARS = 64 << 20
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


def parse_value(data: bytes) -> Any:
    """The value that bytes hold, with numbers in it that other readers refuse to hold, such as 1e999.

    Raises:
        ValueError: they hold none.
    """
    return _STRICT.decode(data.decode("utf-8"))


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


class _Segment:
    """A stretch of a line between NUL runs, as text with its way back to byte offsets."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self._offset = offset
        self._is_ascii = text.isascii()
        self._index = 0
        self._n_bytes = 0

    def at(self, index: int) -> int:
        """The byte at which a character begins; asked in ascending order, each is counted once."""
        if self._is_ascii:
            return self._offset + index
        if index < self._index:
            self._index = self._n_bytes = 0
        self._n_bytes += len(self.text[self._index : index].encode("utf-8", "surrogateescape"))
        self._index = index
        return self._offset + self._n_bytes

    def span(self, start: int, end: int) -> tuple[int, int]:
        first = self.at(start)
        return first, self.at(end) - first


class _Reader:
    """Walks over a record from its first brace and tells what may stand at a later place in it."""

    def __init__(self, text: str, at: int) -> None:
        self._tokens = _TOKEN.finditer(text, at)
        self._ahead = next(self._tokens, None)
        self._open: list[str] = []
        self._last = ""

    def expects_value(self, at: int) -> bool:
        """Whether a value may begin there; places are asked in ascending order."""
        while self._ahead is not None and self._ahead.start() < at:
            if self._ahead.end() > at:
                return False
            token = self._last = self._ahead[0]
            if token in ("{", "["):
                self._open.append(token)
            elif token in ("}", "]") and self._open:
                self._open.pop()
            self._ahead = next(self._tokens, None)
        return self._last in (":", "[") or (self._last == "," and self._open[-1:] == ["["])


def _value_may_follow(text: str) -> bool:
    """Whether text without its beginning ends where JSON has a value to come."""
    text = text.rstrip()
    if text.endswith(":"):
        return text[:-1].rstrip().endswith('"')
    return text.endswith((",", "[")) and '"' in text


def _tries(most: int, text: str) -> int:
    """How often to try a text: less often the longer it is, the same on every machine."""
    return max(_FEWEST_TRIES, min(most, _TRIED_CHARS // max(len(text), 1)))


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


def _is_open(text: str) -> bool:
    """Whether text without its beginning, which ends outside a string, leaves a bracket of its own open."""
    pieces = _ESCAPE.sub("", text).split('"')
    depth = 0
    for char in _NO_BRACKET.sub("", "".join(pieces[(len(pieces) + 1) % 2 :: 2])):
        depth = depth + 1 if char in "{[" else max(depth - 1, 0)
    return depth > 0


def _pairs_after_the_tear(text: str) -> Object:
    """The longest run of pairs that closes with the last brace of a text whose head is missing."""
    best: Object = {}
    text = text.rstrip(" \t\r\n")
    if not text.endswith("}"):
        return best
    begin = cut = len(text)
    for _ in range(_tries(_TAIL_TRIES, text)):
        cut = text.rfind(',"', 0, cut)
        if cut < 0:
            break
        found = _parse("{" + text[cut + 1 :], 0)
        if found is not None and found[1] == len(text) - cut:
            best, begin = found[0], cut
    return {} if _is_open(text[:begin]) else best


def _next_record(
    text: str, at: int, is_record: Callable[[Object], bool], may_be_inner: Callable[[int], bool]
) -> int | None:
    """Where the next whole record of the agent's shape begins that ends the line or meets another one.

    An object that may be a value inside the damaged record before it is none.
    """
    failures = 0
    most = _tries(_RECORD_TRIES, text)
    while failures < most and (match := _START.search(text, at)):
        found = _parse(text, match.start())
        if found is None:
            failures += 1
            at = match.start() + 1
            continue
        at = found[1]
        rest = _skip(text, at)
        is_free = rest == len(text) or text[rest] == "{"
        if is_free and is_record(found[0]) and not may_be_inner(match.start()):
            return match.start()
    return None


def _find_lone(text: str) -> int | None:
    """Where the first escape stands that names half of a surrogate pair; an escaped backslash begins none."""
    if _HALF.search(text) is None:
        return None
    return next((match.start() for match in _ESCAPES.finditer(text) if match[1]), None)


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
        is_inner = found is not None and text.startswith(_GOES_ON, _skip(text, found[1]))
        if found is not None and isinstance(found[0], dict) and not is_inner:
            value, end, has_control = found
            start, n_bytes = segment.span(at, end)
            if has_control:
                into.gaps.append(LineGap("control", start, n_bytes, "all", part=len(into.pieces)))
            into.pieces.append(Piece(start, n_bytes, value, is_whole=True))
        elif text[at] == "{" and found is None:
            may_be_inner = _Reader(text, at).expects_value
            end = _next_record(text, at + 1, is_record, may_be_inner) or len(text)
            start, n_bytes = segment.span(at, end)
            pairs = _pairs_before_the_cut(text, at, end)
            kept = "fields" if pairs else "nothing"
            kind = "malformed" if is_balanced(text, at, end) else "truncated"
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
    first = at
    end = _next_record(text, at, is_record, lambda to: _value_may_follow(text[first:to])) or len(text)
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
        if (lone := _find_lone(segment.text)) is not None:
            result.gaps.append(LineGap("lone_surrogate", segment.at(lone), 6, "fields"))
        _read_segment(segment, result, is_record)
    if len(result.pieces) > 1:
        result.gaps.append(LineGap("glued", 0, len(line), "record"))
    return result
