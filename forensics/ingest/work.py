"""The work of one task: files in, one part and a result for each file out.

Workers import this and nothing heavier than pyarrow and msgspec.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import xxhash

from forensics.ingest.memory import give_back_memory, memory_at_ease
from forensics.ingest.parts import BATCH_ROWS, PartWriter
from forensics.ingest.raw_sink import RawSink
from forensics.ingest.scan import (
    Block,
    ReadFailedError,
    blocks_of_lines,
    open_evidence,
    read_at,
    read_block,
    read_range,
    trouble_of,
)
from forensics.ingest.task import Item, ItemResult, PartResult, Task, is_withheld
from forensics.sources.claude_code.decode import LineDecoder
from forensics.sources.claude_code.marks import sidecar_marks
from forensics.sources.claude_code.place import Place, read_place
from forensics.sources.claude_code.sniff import SNIFF_BYTES, is_transcript

_FLUSH_BYTES = 8 << 20
_LARGE_BYTES = 4 << 20
_EARLIER_BYTES = 1 << 20
_SIDECAR_BYTES = 1 << 20


def stat_of(info: os.stat_result) -> tuple[int, ...]:
    """What tells whether a file was touched: size, mtime, ctime, inode, device, mode, atime."""
    return (
        info.st_size,
        info.st_mtime_ns,
        info.st_ctime_ns,
        info.st_ino,
        info.st_dev,
        info.st_mode,
        info.st_atime_ns,
    )


def _file_gap(kind: str, *, n_bytes: int | None = None, kept: str = "nothing") -> tuple[Any, ...]:
    return (None, 0, 0, None, n_bytes, kind, None, kept)


class _FileReader:
    """Takes in one item: hashes, keeps raw bytes, decodes lines."""

    def __init__(
        self, fd: int, item: Item, task: Task, writer: PartWriter, digest: hashlib._Hash | None = None
    ) -> None:
        self._fd = fd
        self._item = item
        self._writer = writer
        self._raw = RawSink(writer, item) if task.with_raw else None
        self._hash = digest or hashlib.sha256()
        self._range = xxhash.xxh3_64()
        self._decoder = LineDecoder(earlier=self._earlier, with_text=task.with_text)
        self._pending_bytes = 0
        self._long_hash: xxhash.xxh3_64 | None = None
        self._long_start = 0
        self._long_tail = b""
        self.result = ItemResult(item)
        self.n_read = item.start
        self.n_crlf = 0
        self.last_byte = b""

    def _earlier(self, start: int) -> bytes:
        size = min(_EARLIER_BYTES, start)
        try:
            return read_at(self._fd, start - size, size)
        except ReadFailedError:
            return b""

    def knows_prefix(self) -> bool:
        """Whether the bytes taken in before still stand there; they are hashed on the way."""
        known = self._item.known_bytes
        if not known or self._item.sha256 is not None:
            return True
        return self._hash_start(self._hash, known) and self._hash.hexdigest() == self._item.known_sha256

    def _hash_start(self, digest: hashlib._Hash, n_bytes: int) -> bool:
        """Hash the first bytes of the file; False when there are fewer."""
        try:
            for data in read_range(self._fd, 0, n_bytes):
                digest.update(data)
                n_bytes -= len(data)
        except ReadFailedError:
            return False
        return n_bytes == 0

    def is_still_there(self) -> bool:
        """Whether the file still begins with the bytes that were read."""
        again = hashlib.sha256()
        return self._hash_start(again, self.n_read) and again.digest() == self._hash.digest()

    def is_as_cut(self) -> bool:
        """Whether the bytes of a range are those that were there when the file was cut into ranges."""
        return self._item.range_hash in (None, self._range.intdigest())

    def _reading(self, end: int) -> Callable[[int], bytes]:
        """What reads the bytes at an offset; none at the end, nor from where the system fails on."""

        def read(at: int) -> bytes:
            nonlocal end
            try:
                return read_block(self._fd, at, end)
            except ReadFailedError:
                end = at
                self.result.gaps.append(_file_gap("read_error", kept="all"))
                return b""

        return read

    def _keep(self, data: bytes, size: int) -> None:
        """Keep and hash the bytes that follow, but for those taken in before."""
        item = self._item
        new = memoryview(data)[max(item.known_bytes - self.n_read, 0) : size]
        if item.range_hash is not None:
            self._range.update(memoryview(data)[:size])
        else:
            self._hash.update(new)
        if self._raw is not None:
            self._raw.add(new)
        self.n_read += size
        self.last_byte = data[size - 1 : size] or self.last_byte

    def read_bytes(self, end: int, *, keep: int = 0) -> bytes:
        """Take in a file that has no lines; its first `keep` bytes are handed back."""
        head = bytearray()
        read = self._reading(end)
        while data := read(self.n_read):
            head += data[: max(keep - len(head), 0)]
            self._keep(data, len(data))
        return bytes(head)

    def read_lines(self, end: int) -> None:
        """Take in a transcript's lines."""
        line_no = self._item.first_line
        for block in blocks_of_lines(self._reading(end), start=self._item.start):
            self._keep(block.data, block.size)
            is_large = block.size >= _LARGE_BYTES
            if is_large:
                self._flush()
                self._writer.settle()
                give_back_memory()
            if block.is_too_long:
                line_no += self._add_long(block, line_no)
            else:
                line_no += self._add_block(block, line_no)
            # The block goes before its rows are written: a long line is held as seldom as can be.
            del block
            if len(self._decoder) >= BATCH_ROWS or self._pending_bytes >= _FLUSH_BYTES:
                self._flush()
            if is_large:
                give_back_memory()
        if self.n_read >= self._item.known_bytes:
            self._flush()
        self.result.n_lines = line_no - 1

    def _add_long(self, block: Block, line_no: int) -> int:
        if self._long_hash is None:
            self._long_hash = xxhash.xxh3_64()
            self._long_start = block.start
        data = block.data.removesuffix(b"\n")
        self._long_hash.update(data)
        if not block.is_line_end:
            self._long_tail = data[-1:]
            return 0
        self.n_crlf += data is not block.data and (self._long_tail + data).endswith(b"\r")
        end = block.start + len(data)
        self._decoder.add_unread(
            line_no=line_no,
            byte_start=self._long_start,
            n_bytes=end - self._long_start,
            line_hash=self._long_hash.intdigest(),
        )
        self._long_hash = None
        self.result.tail_start = self._long_start
        return 1

    def _add_block(self, block: Block, line_no: int) -> int:
        data, size = block.data, block.size
        if data.find(b"\r", 0, size) >= 0:
            self.n_crlf += data.count(b"\r\n", 0, size)
        self._pending_bytes += size
        self.result.tail_start = block.start + data.rfind(b"\n", 0, size - 1) + 1
        return self._decoder.add_block(data, size=size, line_no=line_no, byte_start=block.start)

    def _flush(self) -> None:
        taken = self._decoder.take()
        gaps = taken.pop("gaps")
        self.result.gaps += zip(*gaps.values(), strict=True)
        for table, columns in taken.items():
            self.write(table, columns)
        self._pending_bytes = 0

    def write(self, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add rows of this file to a table of the part."""
        n = len(next(iter(columns.values())))
        if n:
            own = {"file_id": self._item.file_id, "generation": self._item.generation}
            self._writer.add(table, columns, constants=own)

    def close(self) -> ItemResult:
        """What came of it all."""
        if self._raw is not None:
            self._raw.close()
        self.result.size_bytes = self.n_read
        self.result.sha256 = self._item.sha256 or self._hash.hexdigest()
        return self.result


def _read_sidecar(reader: _FileReader, end: int, name: str, *, with_text: bool) -> None:
    head = reader.read_bytes(end, keep=_SIDECAR_BYTES)
    if not name.endswith(".json") or reader.n_read > _SIDECAR_BYTES:
        return
    try:
        document = msgspec.json.decode(head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        document = None
    if not isinstance(document, dict):
        if head:
            reader.result.gaps.append(_file_gap("sidecar", n_bytes=len(head)))
        return
    marks = list(sidecar_marks(name, document))
    names = ("line_no", "part", "kind", "name", "ord", "value")
    rows = [(1, 0, mark.kind, mark.name, mark.ord, mark.value) for mark in marks]
    reader.write(
        "marks", dict(zip(names, map(list, zip(*rows, strict=True)), strict=False)) if rows else {"": []}
    )
    texts = [(1, 0, mark.text_kind, mark.ord, mark.text) for mark in marks if mark.text_kind]
    if texts and with_text:
        columns = map(list, zip(*texts, strict=True))
        reader.write("text", dict(zip(("line_no", "part", "kind", "ord", "text"), columns, strict=True)))


def _role_of(fd: int, place: Place) -> str:
    """The role, once content has had its say over place."""
    if place.role not in {"main", "subagent"}:
        return place.role
    return place.role if is_transcript(read_at(fd, 0, SNIFF_BYTES), place=place) else "other"


@dataclass(slots=True)
class _Passage:
    """A file read through once in several ranges: what it was at first, and the digest so far."""

    before: os.stat_result
    end: int
    digest: hashlib._Hash = field(default_factory=hashlib.sha256)


def _read_item(
    fd: int, item: Item, task: Task, writer: PartWriter, passage: _Passage | None = None
) -> ItemResult:
    before = os.fstat(fd) if passage is None else passage.before
    reader = _FileReader(fd, item, task, writer, None if passage is None else passage.digest)
    result = reader.result
    result.stat = stat_of(before)
    if not stat.S_ISREG(before.st_mode):
        result.state = "special"
        return result
    place = read_place(item.relative)
    result.role = _role_of(fd, place)
    has_lines = result.role in {"main", "subagent"}
    end = before.st_size if item.end is None else item.end
    if not reader.knows_prefix() or (item.start and not has_lines and item.wants_lines):
        result.state = "differs"
        return result
    if item.known_bytes and end <= item.known_bytes and has_lines == item.wants_lines:
        result.state = "same"
        return result
    if has_lines:
        reader.read_lines(end)
    elif result.role in {"sidecar", "index"} and not item.known_bytes:
        _read_sidecar(reader, end, item.relative.rpartition("/")[2], with_text=task.with_text)
    else:
        reader.read_bytes(end)
    if reader.n_read < item.known_bytes:
        result.state = "differs"
    elif not reader.is_as_cut():
        result.state = "moved"
    elif passage is not None and end < passage.end:
        if reader.n_read < end or reader.last_byte != b"\n":
            result.state = "moved"
    elif item.range_hash is None and (
        reader.n_read < end or (_is_touched(before, os.fstat(fd)) and not reader.is_still_there())
    ):
        result.gaps.append(_file_gap("changed", kept="all"))
    if has_lines:
        _note_line_ends(reader, end)
    return reader.close()


def _is_touched(before: os.stat_result, after: os.stat_result) -> bool:
    return stat_of(before)[:3] != stat_of(after)[:3]


def _note_line_ends(reader: _FileReader, end: int) -> None:
    if reader.n_crlf:
        reader.result.gaps.append(_file_gap("crlf", n_bytes=reader.n_crlf, kept="all"))
    if end and reader.last_byte:
        reader.result.ends_with_newline = reader.last_byte == b"\n"
        if reader.last_byte != b"\n":
            reader.result.gaps.append(_file_gap("no_final_newline", kept="all"))


def run_task(task: Task, staging: str) -> PartResult:
    """Make one part in the staging folder.

    Raises:
        OSError: the output could not be written; trouble with evidence is a result instead.
    """
    results: list[ItemResult] = []
    with memory_at_ease(), PartWriter(Path(staging), task.stem) as writer:
        for item in task.items:
            with _opened(item) as file:
                results.append(_take_in(file, item, task, writer))
        return PartResult(task.stem, writer.close(), results)


def run_ranges(tasks: Sequence[Task], staging: str) -> list[PartResult]:
    """Make the parts of the ranges of one new file, each in a task of its own, reading it through once.

    After a range that is not there any more as it was cut, none is read: all of them are of no use then.

    Raises:
        OSError: the output could not be written; trouble with evidence is a result instead.
    """
    items = [task.items[0] for task in tasks]
    results: list[PartResult] = []
    line_no, state = 1, "read"
    with _opened(items[0]) as file:
        passage = None if isinstance(file, str) else _Passage(os.fstat(file), items[-1].end or 0)
        for task, item in zip(tasks, items, strict=True):
            with memory_at_ease(), PartWriter(Path(staging), task.stem) as writer:
                result = ItemResult(item, state=state)
                if state == "read":
                    result = _take_in(file, replace(item, first_line=line_no), task, writer, passage)
                results.append(PartResult(task.stem, writer.close(), [result]))
            state, line_no = result.state, (result.n_lines or 0) + 1
    return results


@contextmanager
def _opened(item: Item) -> Iterator[int | str]:
    """A descriptor of the item's file, or the gap of what is not to be read, or cannot be opened."""
    if is_withheld(item.relative):
        yield "withheld"
        return
    try:
        fd = open_evidence(item.path)
    except OSError as error:
        yield trouble_of(error)
        return
    try:
        yield fd
    finally:
        os.close(fd)


def _take_in(
    file: int | str, item: Item, task: Task, writer: PartWriter, passage: _Passage | None = None
) -> ItemResult:
    """What comes of an item whose file was opened, or was not."""
    if isinstance(file, str):
        return ItemResult(item, state=file)
    try:
        return _read_item(file, item, task, writer, passage)
    except ReadFailedError:
        return ItemResult(item, state="read_error")
