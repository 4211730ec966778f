"""Lines to rows: one typed pass over each line, the careful path for what it refuses.

Rows leave as columns of plain Python values, table by table; a line's rows depend on that line alone
(and, for a torn line, on the bytes shortly before it), so a file may be taken in piece by piece.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec
import xxhash

from forensics.ingest.damage import Examined, LineGap, Pairs, examine
from forensics.ingest.depth import is_too_deep
from forensics.sources.claude_code.careful import looks_like_record, mend_text, record_from
from forensics.sources.claude_code.content import NO_CONTENT, ContentRows, read_content
from forensics.sources.claude_code.marks import RARE_TYPES, Mark, record_marks, snapshot_time
from forensics.sources.claude_code.record import EMPTY, Message, Record, Usage, decode_record
from forensics.sources.claude_code.times import parse_us

Columns = dict[str, list[Any]]
Earlier = Callable[[int], bytes]

_RECORD_COLUMNS = (
    ("type", "type"),
    ("subtype", "subtype"),
    ("uuid", "uuid"),
    ("parent_uuid", "parent_uuid"),
    ("logical_parent_uuid", "logical_parent_uuid"),
    ("session_id", "session_id"),
    ("agent_id", "agent_id"),
    ("cwd", "cwd"),
    ("git_branch", "git_branch"),
    ("agent_version", "version"),
    ("entrypoint", "entrypoint"),
    ("is_sidechain", "is_sidechain"),
    ("is_meta", "is_meta"),
    ("is_compact_summary", "is_compact_summary"),
    ("is_transcript_only", "is_transcript_only"),
    ("request_id", "request_id"),
)
_MESSAGE_COLUMNS = (("message_id", "id"), ("model", "model"), ("stop_reason", "stop_reason"))
_USAGE_COLUMNS = (
    ("input_tokens", "input_tokens"),
    ("output_tokens", "output_tokens"),
    ("cache_creation_tokens", "cache_creation_input_tokens"),
    ("cache_read_tokens", "cache_read_input_tokens"),
)
_POSITION = ("line_no", "part", "byte_start", "n_bytes", "status", "line_hash")
_CONTENT = ("is_human_prompt", "prompt_class", "n_text", "n_tool_use", "n_tool_result", "content_chars")
_GAP = ("line_no", "part", "ord", "byte_start", "n_bytes", "class", "field", "kept")
_MARK = ("line_no", "part", "kind", "name", "ord", "value")
_TEXT = ("line_no", "part", "kind", "ord", "text")
_CALL = ("line_no", "part", "block_no", "tool_use_id", "tool_name", "file_path", "cwd")
_RESULT = ("line_no", "part", "block_no", "tool_use_id", "is_error")

_record_values = attrgetter(*(attribute for _, attribute in _RECORD_COLUMNS))
_message_values = attrgetter(*(attribute for _, attribute in _MESSAGE_COLUMNS))
_usage_values = attrgetter(*(attribute for _, attribute in _USAGE_COLUMNS))
_NO_MESSAGE = Message()
_NO_USAGE = Usage()
_CWD_KEY = b'"cwd":'
_SESSION_KEY = b'"sessionId":'


def _columns(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Columns:
    if not rows:
        return {name: [] for name in names}
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


class LineDecoder:
    """Decodes the lines of one file, in order, and hands out what has gathered."""

    def __init__(self, *, earlier: Earlier) -> None:
        self._earlier = earlier
        self._reset()

    def _reset(self) -> None:
        self._positions: list[tuple[Any, ...]] = []
        self._records: list[Record] = []
        self._times: list[tuple[int | None, str | None]] = []
        self._contents: list[tuple[Any, ...]] = []
        self._marks: list[tuple[Any, ...]] = []
        self._texts: list[tuple[Any, ...]] = []
        self._calls: list[tuple[Any, ...]] = []
        self._results: list[tuple[Any, ...]] = []
        self._gaps: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, lines: list[bytes], *, line_no: int, byte_start: int, is_utf8: bool) -> None:
        """Decode consecutive whole lines; `is_utf8` says that all their bytes are valid UTF-8."""
        for line in lines:
            size = len(line)
            try:
                record = decode_record(line)
            except (msgspec.DecodeError, RecursionError):
                self._add_carefully(line, line_no, byte_start)
            else:
                if (
                    is_utf8
                    and (size <= 1024 or not is_too_deep(line))
                    and line.count(_CWD_KEY) < 2
                    and line.count(_SESSION_KEY) < 2
                ):
                    self._add_record(record, line, (line_no, 0, byte_start, size, "ok"))
                else:
                    self._add_carefully(line, line_no, byte_start)
            line_no += 1
            byte_start += size + 1

    def add_unread(self, *, line_no: int, byte_start: int, n_bytes: int, line_hash: int) -> None:
        """Take note of a line that is too long to decode."""
        self._gap(line_no, 0, LineGap("too_long", 0, n_bytes, "nothing"), byte_start)
        self._append(EMPTY, (line_no, 0, byte_start, n_bytes, "lost", line_hash), (None, None), NO_CONTENT)

    def take(self) -> dict[str, Columns]:
        """What has gathered since the last call, as columns without the file's own ones."""
        lines = _columns(_POSITION, self._positions)
        records = self._records
        messages = [record.message or _NO_MESSAGE for record in records]
        usages = [message.usage or _NO_USAGE for message in messages]
        for names, rows in (
            (_RECORD_COLUMNS, map(_record_values, records)),
            (_MESSAGE_COLUMNS, map(_message_values, messages)),
            (_USAGE_COLUMNS, map(_usage_values, usages)),
        ):
            lines.update(_columns(tuple(name for name, _ in names), list(rows)))
        lines.update(_columns(("ts", "ts_source"), self._times))
        lines.update(_columns(_CONTENT, self._contents))
        taken = {
            "lines": lines,
            "marks": _columns(_MARK, self._marks),
            "tool_calls": _columns(_CALL, self._calls),
            "tool_results": _columns(_RESULT, self._results),
            "text": _columns(_TEXT, self._texts),
            "gaps": _columns(_GAP, self._gaps),
        }
        self._reset()
        return taken

    def _append(
        self,
        record: Record,
        position: tuple[Any, ...],
        time: tuple[int | None, str | None],
        content: tuple[Any, ...],
    ) -> None:
        self._positions.append(position)
        self._records.append(record)
        self._times.append(time)
        self._contents.append(content)

    def _gap(self, line_no: int, part: int, gap: LineGap, byte_start: int, order: int = 0) -> None:
        self._gaps.append(
            (line_no, part, order, byte_start + gap.start, gap.n_bytes, gap.kind, gap.field, gap.kept)
        )

    def _add_record(
        self,
        record: Record,
        data: bytes,
        position: tuple[int, int, int, int, str],
        pairs: dict[str, Any] | None = None,
        n_gaps: int = 0,
    ) -> None:
        """Add one record's rows; `n_gaps` of its line are noted already."""
        line_no, part, byte_start, n_bytes, status = position
        rows = None
        time = record.timestamp
        us, source = (None, None) if time is None else (parse_us(time), "timestamp")
        if record.message is not None or record.type == "user":
            rows = read_content(record)
        elif record.type in RARE_TYPES:
            pairs = msgspec.json.decode(data) if pairs is None else pairs
            self._add_marks(line_no, part, record_marks(record.type, pairs))
            if time is None and (time := snapshot_time(pairs)) is not None:
                us, source = parse_us(time), "snapshot"
        if time is not None and us is None:
            status, source = "salvaged", None
            gap = LineGap("type_clash", 0, n_bytes, "fields", field="timestamp")
            self._gap(line_no, part, gap, byte_start, n_gaps)
        where = (line_no, part, byte_start, n_bytes, status, xxhash.xxh3_64_intdigest(data))
        self._append(record, where, (us, source), NO_CONTENT if rows is None else rows.counts)
        if rows is not None:
            self._add_content(line_no, part, record, rows)

    def _add_content(self, line_no: int, part: int, record: Record, rows: ContentRows) -> None:
        for block_no, (use_id, name, path) in rows.calls:
            self._calls.append((line_no, part, block_no, use_id, name, path, record.cwd))
        for block_no, (use_id, is_error) in rows.results:
            self._results.append((line_no, part, block_no, use_id, is_error))
        orders: dict[str, int] = {}
        for kind, text in rows.texts:
            order = orders.get(kind, 0)
            orders[kind] = order + 1
            self._texts.append((line_no, part, kind, order, mend_text(text)))

    def _add_marks(self, line_no: int, part: int, marks: Any) -> None:
        mark: Mark
        for mark in marks:
            self._marks.append((line_no, part, mark.kind, mark.name, mark.ord, mark.value))
            if mark.text_kind is not None:
                self._texts.append((line_no, part, mark.text_kind, mark.ord, mark.text))

    def _add_carefully(self, line: bytes, line_no: int, byte_start: int) -> None:
        examined = examine(line, is_record=looks_like_record)
        self._tell_repeats(line, byte_start, examined)
        taken = [record_from(p.pairs, repeated=_repeated(p.pairs)) for p in examined.pieces]
        refused = {kind for _, refusals in taken for kind, _ in refusals}
        gaps = [gap for gap in examined.gaps if not (gap.kind == "lone_surrogate" and gap.kind in refused)]
        for part, (_, refusals) in enumerate(taken):
            piece = examined.pieces[part]
            gaps += [LineGap(kind, piece.start, piece.n_bytes, "fields", part, f) for kind, f in refusals]
        for order, gap in enumerate(gaps):
            self._gap(line_no, gap.part, gap, byte_start, order)
        is_damaged = bool(gaps)
        if not taken:
            status = "lost" if is_damaged else "blank"
            where = (line_no, 0, byte_start, len(line), status, xxhash.xxh3_64_intdigest(line))
            self._append(EMPTY, where, (None, None), NO_CONTENT)
        for part, (record, _) in enumerate(taken):
            piece = examined.pieces[part]
            status = ("salvaged" if piece.pairs else "lost") if is_damaged else "ok"
            data = line if part == 0 else line[piece.start : piece.start + piece.n_bytes]
            start = byte_start + (piece.start if part else 0)
            self._add_record(record, data, (line_no, part, start, len(data), status), piece.pairs, len(gaps))

    def _tell_repeats(self, line: bytes, byte_start: int, examined: Examined) -> None:
        """Rename a torn head whose bytes end an earlier line too: then nothing was lost."""
        for i, gap in enumerate(examined.gaps):
            if gap.kind == "torn" and gap.start == 0 and gap.n_bytes >= _REPEAT_BYTES:
                torn = line[: gap.n_bytes]
                if torn + b"\n" in self._earlier(byte_start):
                    examined.gaps[i] = LineGap("torn_repeat", 0, gap.n_bytes, "all", gap.part)


_REPEAT_BYTES = 8


def _repeated(pairs: dict[str, Any]) -> frozenset[str]:
    return pairs.repeated if isinstance(pairs, Pairs) else frozenset()
