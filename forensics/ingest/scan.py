"""Bytes of a file in blocks of whole lines, cut at newlines only."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from forensics.sources.limits import MAX_LINE_BYTES

BLOCK_BYTES = 1 << 18
"""Small enough that a block stays in cache while it is hashed, decoded and looked over."""


class ReadFailedError(Exception):
    """The system failed while evidence was read; what was read before stands."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive whole lines: the first `size` bytes of `data`, up to a newline or the end of it all.

    A line beyond MAX_LINE_BYTES is handed out piece by piece as it streams by: such a block `is_too_long`,
    and `is_line_end` marks the last piece.
    """

    data: bytes
    start: int
    size: int
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


def read_block(fd: int, start: int, end: int) -> bytes:
    """As many of the bytes from start to end as are read at once; none when the file ends before.

    Raises:
        ReadFailedError: the system could not read them.
    """
    return read_at(fd, start, min(BLOCK_BYTES, end - start)) if start < end else b""


def read_range(fd: int, start: int, end: int) -> Iterator[bytes]:
    """The bytes from start to end in blocks; fewer when the file ends before.

    Raises:
        ReadFailedError: the system could not read on.
    """
    while data := read_block(fd, start, end):
        start += len(data)
        yield data


def blocks_of_lines(read: Callable[[int], bytes], *, start: int) -> Iterator[Block]:
    """Blocks of whole lines from offset `start` on, a line's start; `read` gives the bytes at an offset.

    Bytes are not copied: the unfinished line that a block leaves is read again as the next one's first, and
    only a line longer than what is read at once is put together. What can be read once and not again is
    taken as it was.
    """
    data = read(start)
    while data:
        pieces, n = [data], len(data)
        size = data.rfind(b"\n") + 1
        while not size and n <= MAX_LINE_BYTES and (data := read(start + n)):
            pieces.append(data)
            cut = data.rfind(b"\n") + 1
            size = cut and n + cut
            n += len(data)
        if not size and n > MAX_LINE_BYTES:
            start, rest = yield from _long_line(read, pieces, start)
        else:
            size = size or n
            rest = data[len(data) - (n - size) :]
            del data
            yield Block(_join(pieces), start, size)
            start += size
        data = read(start) or rest


def _long_line(
    read: Callable[[int], bytes], pieces: list[bytes], start: int
) -> Generator[Block, None, tuple[int, bytes]]:
    """A line of which too much was read already; where the next one starts, and what was read of it."""
    while pieces:
        data = pieces.pop(0)
        yield Block(data, start, len(data), is_too_long=True, is_line_end=False)
        start += len(data)
    while (data := read(start)) and b"\n" not in data:
        yield Block(data, start, len(data), is_too_long=True, is_line_end=False)
        start += len(data)
    size = data.find(b"\n") + 1
    yield Block(data[:size], start, size, is_too_long=True)
    return start + size, data[size:]


def _join(pieces: list[bytes]) -> bytes:
    """The pieces as one; they are let go, so that a long line is not held twice."""
    whole = b"".join(pieces)
    pieces.clear()
    return whole
