"""Lines to rows: one typed pass over each line, the careful path for what it refuses.

Rows leave as columns of plain Python values, table by table; a line's rows depend on that line alone
(and, for a torn line, on the bytes shortly before it), so a file may be taken in piece by piece.

Lines are views into their block, never copies, and whole runs of good lines become columns at once: what a
line costs beyond its parsing decides the speed of everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
import xxhash

from forensics.sources.claude_code.careful import FLAGS, looks_like_record, record_from
from forensics.sources.claude_code.content import NO_CONTENT, ContentRows
from forensics.sources.claude_code.marks import RARE_TYPES, Mark, record_marks, snapshot_time
from forensics.sources.claude_code.payload import read_payload
from forensics.sources.claude_code.record import EMPTY, Message, Record, Usage, decode_record
from forensics.sources.claude_code.times import parse_us
from forensics.sources.damage import Examined, LineGap, Pairs, examine
from forensics.sources.limits import (
    MAX_DEPTH,
    MAX_LINE_BYTES,
    MAX_VALUES,
    holds_too_much,
    is_too_deep,
)
from forensics.sources.utf8 import is_utf8

Columns = dict[str, Sequence[Any]]
Earlier = Callable[[int], bytes]

_CONTENT = ("is_human_prompt", "prompt_class", "n_text", "n_tool_use", "n_tool_result", "content_chars")
_GAP = ("line_no", "part", "ord", "byte_start", "n_bytes", "class", "field", "kept")
_MARK = ("line_no", "part", "kind", "name", "ord", "value")

_NO_OPENERS = bytes(set(range(256)) - set(b"[{\n"))
_NO_MESSAGE = Message()
_NO_USAGE = Usage()
_CWD_KEY = b'"cwd"'
_SESSION_KEY = b'"sessionId"'
_OWN_IDS = frozenset({"uuid", "timestamp"})
_REFUSED = (msgspec.DecodeError, RecursionError)
_LARGE_BYTES = 1 << 20
_digest = xxhash.xxh3_64_intdigest


def columns_of(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Columns:
    """Rows as columns; no rows give empty columns."""
    turned = tuple(zip(*rows, strict=True))
    return dict(zip(names, turned, strict=True)) if turned else dict.fromkeys(names, ())


class LineDecoder:
    """Decodes the lines of one file, in order, and hands out what has gathered."""

    def __init__(self, *, earlier: Earlier) -> None:
        self._earlier = earlier
        self._reset()

    def _reset(self) -> None:
        self._line_nos: list[int] = []
        self._parts: list[int] = []
        self._starts: list[int] = []
        self._sizes: list[int] = []
        self._statuses: list[str] = []
        self._hashes: list[int] = []
        self._records: list[Record] = []
        self._times: list[int | None] = []
        self._time_sources: list[str | None] = []
        self._counts: list[tuple[Any, ...]] = []
        self._content = ContentRows()
        self._marks: list[tuple[Any, ...]] = []
        self._gaps: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._line_nos)

    def add_block(self, data: bytes, *, line_no: int, byte_start: int) -> int:
        """Decode whole lines, the last one with or without its newline, and return how many they are."""
        starts, ends = _cut(data)
        view = memoryview(data)
        records: list[Record | None] = []
        for start, end in zip(starts, ends, strict=True):
            if end - start > _LARGE_BYTES and _is_too_large(data, start, end):
                records.append(None)
                continue
            try:
                records.append(decode_record(view[start:end]))
            except _REFUSED:
                records.append(None)
        done = 0
        for i in (*_suspects(data, starts, ends, records), len(starts)):
            if done < i:
                spans = starts[done:i], ends[done:i]
                self._add_run(view, spans, records[done:i], line_no + done, byte_start)
            if i < len(starts):
                self._add_line(data[starts[i] : ends[i]], line_no + i, byte_start + starts[i])
            done = i + 1
        return len(starts)

    def _add_run(
        self,
        view: memoryview,
        spans: tuple[list[int], list[int]],
        records: Sequence[Record | None],
        line_no: int,
        byte_start: int,
    ) -> None:
        """Add consecutive lines that are whole records, of which nothing was refused."""
        starts, ends = spans
        n = len(starts)
        self._line_nos += range(line_no, line_no + n)
        self._parts += [0] * n
        self._starts += [byte_start + start for start in starts]
        self._sizes += [end - start for start, end in zip(starts, ends, strict=True)]
        self._statuses += ["ok"] * n
        self._hashes += [_digest(view[start:end]) for start, end in zip(starts, ends, strict=True)]
        for i, record in enumerate(records):
            if record is not None:
                self._add_record(record, view[starts[i] : ends[i]], line_no + i, 0)

    def _add_line(self, line: bytes, line_no: int, byte_start: int) -> None:
        if len(line) > MAX_LINE_BYTES or holds_too_much(line):
            self.add_unread(
                line_no=line_no, byte_start=byte_start, n_bytes=len(line), line_hash=_digest(line)
            )
        else:
            self._add_carefully(line, line_no, byte_start)

    def add_unread(self, *, line_no: int, byte_start: int, n_bytes: int, line_hash: int) -> None:
        """Take note of a line that is too long to decode."""
        self._gap(line_no, LineGap("too_long", 0, n_bytes, "nothing"), byte_start, 0)
        self._add_empty((line_no, byte_start, n_bytes, "lost", line_hash))

    def take(self) -> dict[str, Columns]:
        """What has gathered since the last call, as columns without the file's own ones."""
        lines: Columns = {
            "line_no": self._line_nos,
            "part": self._parts,
            "byte_start": self._starts,
            "n_bytes": self._sizes,
            "status": self._statuses,
            "line_hash": self._hashes,
            "ts": self._times,
            "ts_source": self._time_sources,
        }
        lines |= _record_columns(self._records)
        lines |= columns_of(_CONTENT, self._counts)
        taken = {
            "lines": lines,
            "marks": columns_of(_MARK, self._marks),
            "gaps": columns_of(_GAP, self._gaps),
            **{name: columns_of(names, rows) for name, names, rows in self._content.tables()},
        }
        self._reset()
        return taken

    def _position(self, where: tuple[int, int, int, int, str, int]) -> None:
        self._line_nos.append(where[0])
        self._parts.append(where[1])
        self._starts.append(where[2])
        self._sizes.append(where[3])
        self._statuses.append(where[4])
        self._hashes.append(where[5])

    def _add_empty(self, where: tuple[int, int, int, str, int]) -> None:
        line_no, byte_start, n_bytes, status, digest = where
        self._position((line_no, 0, byte_start, n_bytes, status, digest))
        self._records.append(EMPTY)
        self._times.append(None)
        self._time_sources.append(None)
        self._counts.append(NO_CONTENT)

    def _gap(self, line_no: int, gap: LineGap, byte_start: int, order: int) -> None:
        start = byte_start + gap.start
        self._gaps.append((line_no, gap.part, order, start, gap.n_bytes, gap.kind, gap.field, gap.kept))

    def _add_record(
        self,
        record: Record,
        data: memoryview | bytes,
        line_no: int,
        part: int,
        pairs: dict[str, Any] | None = None,
        *,
        is_certain: bool = True,
    ) -> None:
        """Add everything of one record but its position."""
        time = record.timestamp
        source = None if time is None else "timestamp"
        kind = record.type
        if record.message is not None or kind == "user":
            counts = self._content.add(record, line_no, part, is_certain=is_certain)
        else:
            counts = NO_CONTENT
            if kind in RARE_TYPES:
                pairs = read_payload(data) if pairs is None else pairs
                self._add_marks(line_no, part, record_marks(kind, pairs))
                if time is None and (time := snapshot_time(pairs)) is not None:
                    source = "snapshot"
        us = None if time is None else parse_us(time)
        if us is None and time is not None:
            source = None
            self._refuse_time(line_no, part)
        self._records.append(record)
        self._times.append(us)
        self._time_sources.append(source)
        self._counts.append(counts)

    def _refuse_time(self, line_no: int, part: int) -> None:
        """A time that is none makes its line one that is only partly kept."""
        i = len(self._records)
        self._statuses[i] = "salvaged"
        order = sum(gap[0] == line_no for gap in self._gaps[-64:])
        gap = LineGap("type_clash", 0, self._sizes[i], "fields", part, "timestamp")
        self._gap(line_no, gap, self._starts[i], order)

    def _add_marks(self, line_no: int, part: int, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self._marks.append((line_no, part, mark.kind, mark.name, mark.ord, mark.value))
            if mark.text_kind is not None and mark.text is not None:
                self._content.texts.append((line_no, part, mark.text_kind, mark.ord, mark.text))

    def _add_carefully(self, line: bytes, line_no: int, byte_start: int) -> None:
        examined = examine(line, is_record=looks_like_record)
        self._tell_repeats(line, byte_start, examined)
        taken = [record_from(p.pairs, repeated=_repeated(p.pairs)) for p in examined.pieces]
        gaps = list(examined.gaps)
        for part, (_, refusals) in enumerate(taken):
            piece = examined.pieces[part]
            gaps += [LineGap(kind, piece.start, piece.n_bytes, "fields", part, f) for kind, f in refusals]
        for order, gap in enumerate(gaps):
            self._gap(line_no, gap, byte_start, order)
        if not taken:
            status = "lost" if gaps else "blank"
            self._add_empty((line_no, byte_start, len(line), status, _digest(line)))
        for part, (record, _) in enumerate(taken):
            piece = examined.pieces[part]
            status = ("salvaged" if piece.pairs else "lost") if gaps else "ok"
            data = line if part == 0 else line[piece.start : piece.start + piece.n_bytes]
            start = byte_start + (piece.start if part else 0)
            self._position((line_no, part, start, len(data), status, _digest(data)))
            is_certain = piece.is_whole and FLAGS.isdisjoint(name for _, name in taken[part][1])
            self._add_record(record, data, line_no, part, piece.pairs, is_certain=is_certain)

    def _tell_repeats(self, line: bytes, byte_start: int, examined: Examined) -> None:
        """Rename a torn head that ends an earlier line too: then nothing was lost.

        Lines of one session often end alike, so what is left must hold something that no other line has.
        """
        for i, gap in enumerate(examined.gaps):
            if gap.kind != "torn" or gap.start or gap.kept == "nothing":
                continue
            if _OWN_IDS.isdisjoint(examined.pieces[gap.part].pairs):
                continue
            if line[: gap.n_bytes] + b"\n" in self._earlier(byte_start):
                examined.gaps[i] = LineGap("torn_repeat", 0, gap.n_bytes, "all", gap.part)


def _record_columns(records: list[Record]) -> Columns:
    """The columns of lines that are fields of the record, its message and its usage block.

    One comprehension a column: turning rows into columns at once costs several times as much.
    """
    messages = [record.message or _NO_MESSAGE for record in records]
    usages = [message.usage or _NO_USAGE for message in messages]
    return {
        "type": [record.type for record in records],
        "subtype": [record.subtype for record in records],
        "uuid": [record.uuid for record in records],
        "parent_uuid": [record.parent_uuid for record in records],
        "logical_parent_uuid": [record.logical_parent_uuid for record in records],
        "session_id": [record.session_id for record in records],
        "agent_id": [record.agent_id for record in records],
        "cwd": [record.cwd for record in records],
        "git_branch": [record.git_branch for record in records],
        "agent_version": [record.version for record in records],
        "entrypoint": [record.entrypoint for record in records],
        "is_sidechain": [record.is_sidechain for record in records],
        "is_meta": [record.is_meta for record in records],
        "is_compact_summary": [record.is_compact_summary for record in records],
        "is_transcript_only": [record.is_transcript_only for record in records],
        "request_id": [record.request_id for record in records],
        "message_id": [message.id for message in messages],
        "model": [message.model for message in messages],
        "stop_reason": [message.stop_reason for message in messages],
        "input_tokens": [usage.input_tokens for usage in usages],
        "output_tokens": [usage.output_tokens for usage in usages],
        "cache_creation_tokens": [usage.cache_creation_input_tokens for usage in usages],
        "cache_read_tokens": [usage.cache_read_input_tokens for usage in usages],
    }


def _is_too_large(data: bytes, start: int, end: int) -> bool:
    """Whether a long line is more than one pass may hold; a block of a message has a brace of its own."""
    if end - start > MAX_LINE_BYTES:
        return True
    return data.count(b"{", start, end) > MAX_VALUES and holds_too_much(data[start:end])


def _repeated(pairs: dict[str, Any]) -> frozenset[str]:
    return pairs.repeated if isinstance(pairs, Pairs) else frozenset()


def _cut(data: bytes) -> tuple[list[int], list[int]]:
    """Where each line begins and ends, without its newline."""
    starts: list[int] = []
    ends: list[int] = []
    at, find = 0, data.find
    while (end := find(b"\n", at)) >= 0:
        starts.append(at)
        ends.append(end)
        at = end + 1
    if at < len(data):
        starts.append(at)
        ends.append(len(data))
    return starts, ends


def _suspects(data: bytes, starts: list[int], ends: list[int], records: Sequence[Record | None]) -> list[int]:
    """Lines for the careful path: refused ones, and those with a fault that the typed pass does not see.

    It skips fields unread and takes the last of a repeated key; so bad UTF-8, keys that stand twice and
    nesting too deep for other readers are looked for here, in the whole block at once where that will do.
    """
    found = {i for i, record in enumerate(records) if record is None}
    for key, n_seen in (
        (_CWD_KEY, sum(record is not None and record.cwd is not None for record in records)),
        (_SESSION_KEY, sum(record is not None and record.session_id is not None for record in records)),
    ):
        if data.count(key) > n_seen:
            found |= {i for i, end in enumerate(ends) if data.count(key, starts[i], end) > 1}
    openers = data.translate(None, _NO_OPENERS).split(b"\n")
    for i, end in enumerate(ends):
        if len(openers[i]) > MAX_DEPTH and i not in found and is_too_deep(data[starts[i] : end]):
            found.add(i)
    if not is_utf8(data):
        found |= {i for i, end in enumerate(ends) if not is_utf8(data[starts[i] : end])}
    return sorted(found)
