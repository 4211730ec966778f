"""Lines and bytes of a case against each other: spans partition each file, and every hash is right."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import xxhash

from forensics.errors import CaseError
from forensics.ingest.faults import Fault
from forensics.ingest.rawbytes import FileKey, Offsets, raw_chunks, stems_in_order

Row = dict[str, Any]
Span = tuple[int, int, int, int]
_COLUMNS = ["file_id", "generation", "line_no", "byte_start", "n_bytes", "line_hash", "part"]


class _File:
    """What is known of one file while its lines and bytes stream by."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.name = f"{row['label']}/{row['path']}"
        self.hash = hashlib.sha256()
        self.n_bytes = 0
        self.n_lines = 0
        self.next_start = 0
        self.fault: Fault | None = None
        self._waiting: list[Span] = []
        self._buffer = bytearray()
        self._base = 0

    def blame(self, what: str, line: int | None = None) -> None:
        """Keep the first fault: what follows it is its consequence."""
        if self.fault is None:
            self.fault = Fault(self.name if line is None else f"{self.name}#L{line}", what)

    def add_spans(self, spans: list[Span]) -> None:
        """The next lines of the file."""
        for number, start, size, _ in spans:
            if number != self.n_lines + 1 or start != self.next_start:
                self.blame("the lines do not follow on each other", number)
                return
            self.n_lines = number
            self.next_start = start + size + 1
        self._waiting += spans

    def add_bytes(self, data: bytes) -> None:
        """The next bytes of the file."""
        self.hash.update(data)
        self.n_bytes += len(data)
        if self.row["n_lines"] is not None:
            self._buffer += data
            self._compare()

    def _compare(self) -> None:
        done = 0
        end = self._base + len(self._buffer)
        for number, start, size, digest in self._waiting:
            if start + size > end:
                break
            at = start - self._base
            if xxhash.xxh3_64_intdigest(memoryview(self._buffer)[at : at + size]) != digest:
                self.blame("the line is not the one that was read", number)
            done += 1
        keep = self._waiting[done][1] if done < len(self._waiting) else max(self.next_start, self._base)
        del self._waiting[:done]
        drop = min(keep - self._base, len(self._buffer))
        del self._buffer[:drop]
        self._base += drop

    def close(self, *, has_raw: bool) -> Fault | None:
        """The file's first fault, once everything of it has streamed by."""
        row = self.row
        if row["n_lines"] is not None:
            end = self.next_start - (row["ends_with_newline"] is False)
            if self.n_lines != row["n_lines"] or end != row["size_bytes"]:
                self.blame("the lines do not add up to the file")
        if has_raw and (self.n_bytes, self.hash.hexdigest()) != (row["size_bytes"], row["sha256"]):
            self.blame("the bytes kept are not those taken in")
        return self.fault


def _spans_of(case: Path, stem: str, limits: dict[FileKey, tuple[int, int]]) -> dict[FileKey, list[Span]]:
    """The physical lines of one part that count, file by file."""
    part = case / "lines" / f"{stem}.parquet"
    spans: dict[FileKey, list[Span]] = defaultdict(list)
    if part.exists():
        table = pq.ParquetFile(part).read(columns=_COLUMNS)
        table = table.filter(pc.equal(table.column("part"), 0))
        columns = (table.column(name).to_pylist() for name in _COLUMNS[:-1])
        for file_id, generation, number, start, size, digest in zip(*columns, strict=True):
            first, last = limits.get((file_id, generation), (1, 0))
            if first <= number <= last:
                spans[file_id, generation].append((number, start, size, digest))
    return spans


def check_content(case: Path, files: list[Row], segments: list[Row], *, has_raw: bool) -> list[Fault]:
    """Faults of lines and bytes, at most one a file; every part is read once, in order."""
    open_files = {(r["file_id"], r["generation"]): _File(r) for r in files if r["size_bytes"] is not None}
    limits: dict[str, dict[FileKey, tuple[int, int]]] = defaultdict(dict)
    for row in segments:
        if row["first_line"] is not None:
            limits[row["part_stem"]][row["file_id"], row["generation"]] = (
                row["first_line"],
                row["last_line"],
            )
    offsets = Offsets()
    for stem in stems_in_order(segments):
        for key, spans in _spans_of(case, stem, limits[stem]).items():
            if key in open_files:
                open_files[key].add_spans(spans)
        for key, start, data in raw_chunks(case, stem):
            file = open_files.get(key)
            if file is None:
                continue
            try:
                offsets.follow(key, start, len(data))
            except CaseError as error:
                file.blame(error.message)
            file.add_bytes(data)
    closed = (file.close(has_raw=has_raw) for file in open_files.values())
    return sorted((fault for fault in closed if fault), key=lambda fault: fault.where)
