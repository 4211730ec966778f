"""Bytes of a file in blocks of whole lines, cut at newlines only."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from forensics.sources.limits import MAX_LINE_BYTES

BLOCK_BYTES = 1 << 18
"""Small enough that a block stays in cache while it is hashed, decoded and looked over."""


class ReadFailedError(Exception):
    """The system failed while evidence was read; what was read before stands."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive whole lines; `data` ends in a newline unless the range ends without one.

    A line beyond MAX_LINE_BYTES is handed out piece by piece as it streams by: such a block `is_too_long`,
    and `is_line_end` marks the last piece.
    """

    data: bytes
    start: int
    is_too_long: bool = False
    is_line_end: bool = True


_TROUBLES = {
    errno.ENOENT: "vanished",
    errno.ENOTDIR: "vanished",
    errno.ESTALE: "vanished",
    errno.EACCES: "unreadable",
    errno.EPERM: "unreadable",
    errno.ELOOP: "special",
    errno.ENXIO: "special",
    errno.ENODEV: "special",
}


def trouble_of(error: OSError) -> str:
    """The class of gap that a failure of the system stands for."""
    return _TROUBLES.get(error.errno or 0, "read_error")


def open_evidence(path: Path | bytes) -> int:
    """A read-only descriptor that follows no link, waits for no writer, and leaves no access time if it may.

    Raises:
        OSError: as the system says.
    """
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    noatime = getattr(os, "O_NOATIME", 0)
    try:
        return os.open(path, flags | noatime)
    except PermissionError:
        if not noatime:
            raise
        return os.open(path, flags)


def read_at(fd: int, start: int, size: int) -> bytes:
    """The bytes from start on, at most so many.

    Raises:
        ReadFailedError: the system could not read them.
    """
    try:
        return os.pread(fd, size, start)
    except OSError as error:
        raise ReadFailedError(str(error)) from error


def read_range(fd: int, start: int, end: int) -> Iterator[bytes]:
    """The bytes from start to end in blocks; fewer when the file ends before.

    Raises:
        ReadFailedError: the system could not read on.
    """
    at = start
    while at < end:
        data = read_at(fd, at, min(BLOCK_BYTES, end - at))
        if not data:
            return
        at += len(data)
        yield data


def blocks_of_lines(chunks: Iterator[bytes], *, start: int) -> Iterator[Block]:
    """Blocks of whole lines from consecutive chunks of bytes that begin at offset `start`, a line's start.

    Bytes are copied once, into the block they end up in: of a chunk only its unfinished last line waits.
    """
    waiting: list[bytes | memoryview] = []
    n_waiting = 0
    is_long = False
    for data in chunks:
        cut = data.rfind(b"\n") + 1
        if is_long:
            first = data.find(b"\n") + 1
            if first == 0:
                yield Block(data, start, is_too_long=True, is_line_end=False)
                start += len(data)
                continue
            yield Block(data[:first], start, is_too_long=True)
            start += first
            is_long = False
            data, cut = data[first:], cut - first
        if cut:
            waiting.append(data if cut == len(data) else memoryview(data)[:cut])
            yield Block(_join(waiting), start)
            start += n_waiting + cut
            n_waiting = 0
            data = data[cut:]
        if data:
            waiting.append(data)
            n_waiting += len(data)
        if n_waiting > MAX_LINE_BYTES:
            is_long = True
            yield from _pieces(_join(waiting), start)
            start += n_waiting
            n_waiting = 0
    if waiting or is_long:
        yield Block(_join(waiting), start, is_too_long=is_long)


def _join(waiting: list[bytes | memoryview]) -> bytes:
    """The pieces as one; they are let go, so that a long line is not held twice."""
    whole = b"".join(waiting)
    waiting.clear()
    return whole


def _pieces(data: bytes, start: int) -> Iterator[Block]:
    for at in range(0, len(data), BLOCK_BYTES):
        yield Block(data[at : at + BLOCK_BYTES], start + at, is_too_long=True, is_line_end=False)
