"""Files too large for one part, cut at newlines; what several workers are to read is hashed before."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import xxhash
from stringzilla import count

from forensics.ingest.scan import ReadFailedError, open_evidence, read_range
from forensics.ingest.task import PART_BYTES, Item


def split_item(item: Item, *, part_bytes: int | None = None) -> list[Item]:
    """The item in ranges that begin at line starts, each with its first line and the file's digest.

    The item itself comes back when its file cannot be read to the end or no longer begins with the bytes
    taken in before: the worker that takes it then says so.
    """

    def hashed(fd: int, end: int) -> list[Item]:
        if end < item.known_bytes:
            return [item]
        cutter = _Cutter(item, end, part_bytes or PART_BYTES)
        is_whole = all(cutter.add(data) for data in read_range(fd, 0, end)) and cutter.at == end
        return cutter.ranges() if is_whole else [item]

    return _in_file(item, hashed)


def find_ranges(item: Item, *, part_bytes: int | None = None) -> list[Item]:
    """The item in the same ranges without their hashes and lines, for one who reads all of them in turn.

    The item itself comes back when its file cannot be read.
    """

    def bounded(fd: int, end: int) -> list[Item]:
        bounds = [item.start, *_cuts(fd, item.start, end, part_bytes or PART_BYTES), end]
        return [replace(item, start=start, end=stop) for start, stop in pairwise(bounds)]

    return _in_file(item, bounded)


def _in_file(item: Item, ranges: Callable[[int, int], list[Item]]) -> list[Item]:
    """What `ranges` makes of the file's descriptor and size; the item itself where it cannot be read."""
    try:
        fd = open_evidence(item.path)
    except OSError:
        return [item]
    try:
        return ranges(fd, os.fstat(fd).st_size)
    except (OSError, ReadFailedError):
        return [item]
    finally:
        os.close(fd)


def _cuts(fd: int, start: int, end: int, part_bytes: int) -> Iterator[int]:
    """Where ranges begin, but for the first: behind the first newline after each so many bytes."""
    while start + part_bytes < end:
        at = start + part_bytes
        for data in read_range(fd, at, end):
            found = data.find(b"\n") + 1
            at += found or len(data)
            if found:
                break
        if at >= end:
            return
        yield at
        start = at


class _Cutter:
    """Follows the bytes of a file and cuts them at the first newline after each so many bytes."""

    def __init__(self, item: Item, end: int, part_bytes: int) -> None:
        self._item = item
        self._end = end
        self._part_bytes = part_bytes
        self._whole = hashlib.sha256()
        self._range = xxhash.xxh3_64()
        self._marks = [(item.start, item.first_line)]
        self._hashes: list[int] = []
        self._line = item.first_line
        self._wanted = item.start + part_bytes
        self.at = 0

    def add(self, data: bytes) -> bool:
        """Take the next bytes; False when those taken in before are not there any more."""
        known = self._item.known_bytes - self.at
        if 0 < known <= len(data):
            self._whole.update(data[:known])
            if self._whole.hexdigest() != self._item.known_sha256:
                return False
            self._whole.update(data[known:])
        else:
            self._whole.update(data)
        begin = max(self._item.start - self.at, 0)
        while self._wanted < self.at + len(data):
            cut = data.find(b"\n", max(self._wanted - self.at, begin)) + 1
            if not cut:
                break
            self._line += count(data[begin:cut], b"\n")
            self._range.update(data[begin:cut])
            begin = cut
            if self.at + cut < self._end:
                self._hashes.append(self._range.intdigest())
                self._range.reset()
                self._marks.append((self.at + cut, self._line))
            self._wanted = self.at + cut + self._part_bytes
        rest = data[begin:]
        self._line += count(rest, b"\n")
        self._range.update(rest)
        self.at += len(data)
        return True

    def ranges(self) -> list[Item]:
        """One item for each range."""
        item = self._item
        ends = [*(start for start, _ in self._marks[1:]), self._end]
        hashes = [*self._hashes, self._range.intdigest()]
        return [
            replace(
                item,
                start=start,
                end=end,
                first_line=line,
                sha256=self._whole.hexdigest(),
                range_hash=digest,
                known_bytes=item.known_bytes if start < item.known_bytes else 0,
            )
            for (start, line), end, digest in zip(self._marks, ends, hashes, strict=True)
        ]
