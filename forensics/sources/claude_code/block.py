"""A block of whole lines to records: in one typed pass where that will do, line by line where it will not."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from stringzilla import count

from forensics.sources.claude_code.record import Record, decode_record, decode_records
from forensics.sources.limits import MAX_DEPTH, MAX_LINE_BYTES, MAX_VALUES, holds_too_much, is_too_deep
from forensics.sources.utf8 import is_utf8

_CWD_KEY = b'"cwd"'
_SESSION_KEY = b'"sessionId"'
_REFUSED = (msgspec.DecodeError, RecursionError)
_LARGE_BYTES = 1 << 20
_OPEN, _CLOSE = frozenset(b"{"), frozenset(b"}")


def cut(data: bytes, size: int) -> tuple[list[int], list[int]]:
    """Where each line of the first so many bytes begins and ends, without its newline."""
    starts: list[int] = []
    ends: list[int] = []
    at, find = 0, data.find
    while (end := find(b"\n", at, size)) >= 0:
        starts.append(at)
        ends.append(end)
        at = end + 1
    if at < size:
        starts.append(at)
        ends.append(size)
    return starts, ends


def decode_block(data: bytes, starts: list[int], ends: list[int]) -> Sequence[Record | None]:
    """The record of each line, None where the typed pass refuses it.

    Where lines begin and end with a brace, no record can lie across two of them: `}`, newline, `{` stands
    nowhere inside JSON. As many records as lines are then one on each.
    """
    view = memoryview(data)
    odd = _odd_lines(data, starts, ends)
    if not odd:
        return _decode_run(view, starts, ends) if starts else []
    records: list[Record | None] = []
    n = len(starts)
    for i in (*odd, n):
        first = len(records)
        if first < i:
            records += _decode_run(view, starts[first:i], ends[first:i])
        if i < n:
            is_too_large = ends[i] - starts[i] > _LARGE_BYTES and _is_too_large(data, starts[i], ends[i])
            records.append(None if is_too_large else _decode_line(view[starts[i] : ends[i]]))
    return records


def _odd_lines(data: bytes, starts: list[int], ends: list[int]) -> list[int]:
    """Lines that are large, or do not look like an object from end to end."""
    if (
        {data[start] for start in starts} <= _OPEN
        and {data[end - 1] for end in ends} <= _CLOSE
        and (not ends or ends[-1] <= _LARGE_BYTES)
    ):
        return []
    return [
        i
        for i, (start, end) in enumerate(zip(starts, ends, strict=True))
        if data[start] not in _OPEN or data[end - 1] not in _CLOSE or end - start > _LARGE_BYTES
    ]


def _decode_run(view: memoryview, starts: list[int], ends: list[int]) -> Sequence[Record | None]:
    with suppress(*_REFUSED):
        records = decode_records(view[starts[0] : ends[-1]])
        if len(records) == len(starts):
            return records
    return [_decode_line(view[start:end]) for start, end in zip(starts, ends, strict=True)]


def _decode_line(line: memoryview) -> Record | None:
    try:
        return decode_record(line)
    except _REFUSED:
        return None


def _is_too_large(data: bytes, start: int, end: int) -> bool:
    """Whether a long line is more than one pass may hold; a block of a message has a brace of its own."""
    if end - start > MAX_LINE_BYTES:
        return True
    return data.count(b"{", start, end) > MAX_VALUES and holds_too_much(data[start:end])


def suspects(
    data: bytes,
    starts: list[int],
    ends: list[int],
    cwds: Sequence[str | None],
    session_ids: Sequence[str | None],
) -> set[int]:
    """Lines with a fault that the typed pass does not see; of the records it found two fields are given.

    It skips fields unread and takes the last of a repeated key; so bad UTF-8, keys that stand twice and
    nesting too deep for other readers are looked for here, in the whole block at once where that will do.
    """
    found: set[int] = set()
    view = memoryview(data)[: ends[-1] if ends else 0]
    for key, values in ((_CWD_KEY, cwds), (_SESSION_KEY, session_ids)):
        if count(view, key) > len(values) - values.count(None):
            found |= {i for i, end in enumerate(ends) if count(view[starts[i] : end], key) > 1}
    # Every record has a bracket of its own, so of all the others one line cannot have more than this.
    if count(view, b"{") + count(view, b"[") - len(cwds) >= MAX_DEPTH:
        found |= {
            i
            for i, (start, end) in enumerate(zip(starts, ends, strict=True))
            if end - start > 2 * MAX_DEPTH and i not in found and is_too_deep(view[start:end])
        }
    if not (data.isascii() or is_utf8(view)):
        found |= {i for i, end in enumerate(ends) if not is_utf8(view[starts[i] : end])}
    return found
