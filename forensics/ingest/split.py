"""Files too large for one worker: hashed once from end to end, and cut at newlines on the way."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace

from forensics.ingest.plan import PART_BYTES
from forensics.ingest.scan import ReadFailedError, open_evidence, read_range
from forensics.ingest.task import Item


def split_item(item: Item, *, part_bytes: int = PART_BYTES) -> list[Item]:
    """The item in ranges that begin at line starts, each with its first line and the file's digest.

    The item itself comes back when its file cannot be read to the end or no longer begins with the bytes
    taken in before: the worker that takes it then says so.
    """
    try:
        fd = open_evidence(item.path)
    except OSError:
        return [item]
    try:
        end = os.fstat(fd).st_size
        cuts = _cuts(fd, item, end, part_bytes)
    except ReadFailedError:
        return [item]
    finally:
        os.close(fd)
    if cuts is None:
        return [item]
    digest, marks = cuts
    ends = [start for start, _ in marks[1:]] + [end]
    return [
        replace(
            item,
            start=start,
            end=stop,
            first_line=line,
            sha256=digest,
            known_bytes=item.known_bytes if start < item.known_bytes else 0,
        )
        for (start, line), stop in zip(marks, ends, strict=True)
    ]


def _cuts(fd: int, item: Item, end: int, part_bytes: int) -> tuple[str, list[tuple[int, int]]] | None:
    """The file's digest, and byte and line at which each range begins; None when the bytes known differ."""
    whole = hashlib.sha256()
    marks = [(item.start, item.first_line)]
    at, line, wanted = 0, item.first_line, item.start + part_bytes
    known = item.known_bytes
    for data in read_range(fd, 0, end):
        if known and at < known <= at + len(data):
            whole.update(data[: known - at])
            if whole.hexdigest() != item.known_sha256:
                return None
            whole.update(data[known - at :])
        else:
            whole.update(data)
        stop = at + len(data)
        begin = max(item.start - at, 0)
        while wanted < stop and (cut := data.find(b"\n", max(wanted - at, begin)) + 1):
            line += data.count(b"\n", begin, cut)
            begin = cut
            if at + cut < end:
                marks.append((at + cut, line))
            wanted = at + cut + part_bytes
        line += data.count(b"\n", begin)
        at = stop
    return (whole.hexdigest(), marks) if at == end else None
