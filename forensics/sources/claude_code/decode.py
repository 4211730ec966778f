"""Lines to rows: one typed pass over each line, the careful path for what it refuses.

Rows leave as columns of plain Python values, table by table; a line's rows depend on that line alone
(and, for a torn line, on the bytes shortly before it), so a file may be taken in piece by piece.

Lines are views into their block, never copies, and whole runs of good lines become columns at once: what a
line costs beyond its parsing decides the speed of everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from operator import itemgetter, sub
from typing import Any

import xxhash

from forensics.sources.claude_code.block import cut, decode_block, suspects
from forensics.sources.claude_code.careful import FLAGS, looks_like_record, record_from
from forensics.sources.claude_code.content import NO_CONTENT, ContentRows
from forensics.sources.claude_code.fields import FIELDS, record_columns
from forensics.sources.claude_code.marks import PAYLOAD_FIELDS, Mark, record_marks, snapshot_time
from forensics.sources.claude_code.payload import read_payload
from forensics.sources.claude_code.record import EMPTY, Record
from forensics.sources.claude_code.times import parse_each
from forensics.sources.damage import Examined, LineGap, Pairs, examine
from forensics.sources.limits import MAX_LINE_BYTES, holds_too_much

Columns = dict[str, Sequence[Any]]
Earlier = Callable[[int], bytes]

_CONTENT = ("is_human_prompt", "prompt_class", "n_text", "n_tool_use", "n_tool_result", "content_chars")
_GAP = ("line_no", "part", "ord", "byte_start", "n_bytes", "class", "field", "kept")
_MARK = ("line_no", "part", "kind", "name", "ord", "value")

_NOTHING = record_columns((EMPTY,))
_OWN_IDS = frozenset({"uuid", "timestamp"})
_digest = xxhash.xxh3_64_intdigest


def columns_of(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Columns:
    """Rows as columns; no rows give empty columns."""
    turned = tuple(zip(*rows, strict=True))
    return dict(zip(names, turned, strict=True)) if turned else dict.fromkeys(names, ())


class LineDecoder:
    """Decodes the lines of one file, in order, and hands out what has gathered."""

    def __init__(self, *, earlier: Earlier, with_text: bool = True) -> None:
        self._earlier = earlier
        self._with_text = with_text
        self._reset()

    def _reset(self) -> None:
        self._line_nos: list[int] = []
        self._parts: list[int] = []
        self._starts: list[int] = []
        self._sizes: list[int] = []
        self._statuses: list[str] = []
        self._hashes: list[int] = []
        self._fields: dict[str, list[Any]] = {name: [] for name in FIELDS}
        self._time_texts: list[str | None] = []
        self._time_sources: list[str | None] = []
        self._counts: list[tuple[Any, ...]] = []
        self._content = ContentRows(with_text=self._with_text)
        self._marks: list[tuple[Any, ...]] = []
        self._gaps: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self._line_nos)

    def add_block(self, data: bytes, *, size: int, line_no: int, byte_start: int) -> int:
        """Decode whole lines, the last one with or without its newline, and return how many they are.

        They are the first `size` bytes of the data.
        """
        starts, ends = cut(data, size)
        view = memoryview(data)
        records = decode_block(data, starts, ends)
        whole = [record for record in records if record is not None]
        columns = record_columns(whole)
        odd = suspects(data, starts, ends, columns["cwd"], columns["session_id"])
        if not odd and len(whole) == len(records):
            self._add_run(view, (starts, ends), whole, columns, line_no, byte_start)
            return len(starts)
        odd |= {i for i, record in enumerate(records) if record is None}
        done = 0
        for i in (*sorted(odd), len(starts)):
            if done < i:
                run = [record for record in records[done:i] if record is not None]
                spans = starts[done:i], ends[done:i]
                self._add_run(view, spans, run, record_columns(run), line_no + done, byte_start)
            if i < len(starts):
                self._add_line(data[starts[i] : ends[i]], line_no + i, byte_start + starts[i])
            done = i + 1
        return len(starts)

    def _add_run(
        self,
        view: memoryview,
        spans: tuple[list[int], list[int]],
        records: Sequence[Record],
        columns: Mapping[str, list[Any]],
        line_no: int,
        byte_start: int,
    ) -> None:
        """Add consecutive lines that are whole records, of which nothing was refused."""
        starts, ends = spans
        n = len(starts)
        self._line_nos += range(line_no, line_no + n)
        self._parts += [0] * n
        self._starts += [byte_start + start for start in starts]
        self._sizes += map(sub, ends, starts)
        self._statuses += ["ok"] * n
        self._hashes += [_digest(view[start:end]) for start, end in zip(starts, ends, strict=True)]
        texts = [record.timestamp for record in records]
        sources = [None if text is None else "timestamp" for text in texts]

        def add_payload(i: int) -> None:
            kind = records[i].type or ""
            if kind in PAYLOAD_FIELDS:
                pairs = read_payload(kind, view[starts[i] : ends[i]])
                self._add_marks(line_no + i, 0, record_marks(kind, pairs))
                if texts[i] is None and (text := snapshot_time(kind, pairs)) is not None:
                    texts[i], sources[i] = text, "snapshot"

        self._counts += self._content.add_run(records, line_no, add_payload)
        self._add_fields(columns)
        self._time_texts += texts
        self._time_sources += sources

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
        times = self._take_times()
        lines: Columns = {
            "line_no": self._line_nos,
            "part": self._parts,
            "byte_start": self._starts,
            "n_bytes": self._sizes,
            "status": self._statuses,
            "line_hash": self._hashes,
            "ts": times,
            "ts_source": self._time_sources,
        }
        lines |= self._fields
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
        self._add_fields(_NOTHING)
        self._time_texts.append(None)
        self._time_sources.append(None)
        self._counts.append(NO_CONTENT)

    def _gap(self, line_no: int, gap: LineGap, byte_start: int, order: int) -> None:
        start = byte_start + gap.start
        self._gaps.append((line_no, gap.part, order, start, gap.n_bytes, gap.kind, gap.field, gap.kept))

    def _add_fields(self, columns: Mapping[str, list[Any]]) -> None:
        for name, values in columns.items():
            self._fields[name] += values

    def _take_times(self) -> list[timedelta | None]:
        """The recorded times of all rows; a text that is none makes its line one that is only partly kept."""
        texts = self._time_texts
        times = parse_each(texts)
        if times.count(None) > texts.count(None):
            orders = Counter(gap[0] for gap in self._gaps)
            for i, text in enumerate(texts):
                if text is not None and times[i] is None:
                    self._time_sources[i] = None
                    self._statuses[i] = "salvaged"
                    line_no = self._line_nos[i]
                    gap = LineGap("type_clash", 0, self._sizes[i], "fields", self._parts[i], "timestamp")
                    self._gap(line_no, gap, self._starts[i], orders[line_no])
                    orders[line_no] += 1
            self._gaps.sort(key=itemgetter(0, 2))
        return times

    def _add_marks(self, line_no: int, part: int, marks: Iterable[Mark]) -> None:
        for mark in marks:
            self._marks.append((line_no, part, mark.kind, mark.name, mark.ord, mark.value))
            if mark.text_kind is not None and mark.text is not None:
                self._content.add_texts(line_no, part, mark.text_kind, (mark.text,), first=mark.ord)

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
            self._add_piece(record, piece.pairs, line_no, part, is_certain=is_certain)

    def _add_piece(
        self, record: Record, pairs: dict[str, Any], line_no: int, part: int, *, is_certain: bool
    ) -> None:
        """Add one record that was taken apart, its position standing already."""
        text, source = record.timestamp, "timestamp"
        kind = record.type or ""
        if record.message is not None or kind not in PAYLOAD_FIELDS:
            self._counts.append(self._content.add(record, line_no, part, is_certain=is_certain))
        else:
            self._counts.append(NO_CONTENT)
            self._add_marks(line_no, part, record_marks(kind, pairs))
            if text is None:
                text, source = snapshot_time(kind, pairs), "snapshot"
        self._add_fields(record_columns((record,)))
        self._time_texts.append(text)
        self._time_sources.append(None if text is None else source)

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


def _repeated(pairs: dict[str, Any]) -> frozenset[str]:
    return pairs.repeated if isinstance(pairs, Pairs) else frozenset()
