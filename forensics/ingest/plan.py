"""What to do with each entry under a root, and which part each new byte goes to.

A part is a function of the evidence: the new files of one label in the order of their paths, cut before a
file that would take it over PART_BYTES; a file over SPLIT_BYTES gets parts of its own, cut at the first
newline after each PART_BYTES. Parts are never written again: what is added later goes to parts of its own.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from forensics.errors import ContractError
from forensics.ingest.discover import Entry
from forensics.ingest.previous import Known, Previous
from forensics.ingest.sources import Source
from forensics.ingest.stems import split_stem
from forensics.ingest.task import PART_BYTES, Item, Task, is_withheld
from forensics.sources.claude_code.place import Place, read_place

SPLIT_BYTES = 128 << 20


def file_id_of(label: str, path: bytes) -> int:
    """The first 63 bits of SHA-256 over label, NUL and path."""
    digest = hashlib.sha256(label.encode() + b"\0" + path).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def shown_path(path: bytes) -> str:
    r"""The path as text: UTF-8, and each byte that is not as \xNN."""
    return path.decode("utf-8", "backslashreplace")


@dataclass(slots=True)
class Found:
    """An entry under a root with what its place says and what was known of it."""

    source: Source
    entry: Entry
    file_id: int
    place: Place
    known: Known | None
    action: str = "read"
    generation: int = 1


@dataclass(slots=True)
class Plan:
    """All entries of this taking-in, and the tasks that read what is new."""

    found: list[Found] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    splits: list[Found] = field(default_factory=list)


def _is_untouched(entry: Entry, known: Known) -> bool:
    if (
        entry.spooled is not None
        or entry.stat is None
        or known.newest["kind"] != "file"
        or known.newest["state"] != "present"
    ):
        return False
    old = known.stat
    names = ("mtime_ns", "ctime_ns", "inode", "device")
    return (entry.size, *entry.stat[1:5]) == (known.newest["size_bytes"], *(old[name] for name in names))


def _decide(found: Found) -> None:
    """Set what to do with an entry and the generation its bytes belong to.

    `keep` it unread, `resume` after verifying what was taken in, `read` it whole, or `note` that it is there.
    """
    entry, known = found.entry, found.known
    if known is not None:
        found.generation = known.generation
    if entry.kind != "file" or entry.trouble is not None:
        found.action = "note"
        if known is not None and known.newest["size_bytes"] is not None:
            found.generation += 1
        return
    if known is None:
        return
    size = known.newest["size_bytes"]
    if _is_untouched(entry, known):
        found.action = "keep"
    elif known.newest["kind"] != "file":
        found.generation += 1
    elif size is None:
        found.action = "read"
    elif entry.size == size or (entry.size > size and known.newest["role"] not in {"sidecar", "index"}):
        found.action = "resume"
    else:
        found.generation += 1


def item_for(found: Found, *, resume: bool) -> Item:
    """What a worker is to do for an entry: the whole file, or what follows the bytes taken in before."""
    root = os.fsencode(found.source.root)
    path = found.entry.spooled or os.path.join(root, found.entry.path)  # noqa: PTH118
    relative = shown_path(found.entry.path)
    known = found.known
    if not resume or known is None or not known.newest["size_bytes"]:
        return Item(found.file_id, found.generation, path, relative)
    size, digest = known.newest["size_bytes"], known.newest["sha256"]
    segments = known.newest_segments()
    if known.newest["n_lines"] is None:
        start, first_line = (0, 1) if relative.endswith(".jsonl") else (size, 1)
    else:
        start, first_line = segments[-1]["next_byte"], segments[-1]["next_line"]
    return Item(
        found.file_id,
        found.generation,
        path,
        relative,
        start=start,
        first_line=first_line,
        known_bytes=size,
        known_sha256=digest,
        wants_lines=known.newest["n_lines"] is not None,
    )


class StemMaker:
    """Hands out part names that no earlier part of the case has."""

    def __init__(self, stems: Iterable[str]) -> None:
        self._free: dict[str, int] = defaultdict(int)
        for stem in stems:
            label, number = split_stem(stem)
            self._free[label] = max(self._free[label], number + 1)

    def next(self, label: str) -> str:
        """The next name for a label's parts."""
        number = self._free[label]
        self._free[label] = number + 1
        return f"{label}-{number:05d}"


def make_tasks(items: Iterable[tuple[Found, Item]], stems: StemMaker, *, raw: bool, text: bool) -> list[Task]:
    """Tasks for items that are not split, cut by size; a function of the items alone."""
    labels: dict[str, list[tuple[int, Item]]] = defaultdict(list)
    for found, item in items:
        labels[found.source.label].append((found.entry.size - item.start, item))
    tasks: list[Task] = []
    for label in sorted(labels):
        batch: list[Item] = []
        total = 0
        for size, item in sorted(labels[label], key=lambda pair: pair[1].path):
            if batch and total + size > PART_BYTES:
                tasks.append(Task(stems.next(label), tuple(batch), total, raw, text))
                batch, total = [], 0
            batch.append(item)
            total += size
        tasks.append(Task(stems.next(label), tuple(batch), total, raw, text))
    return tasks


def find_all(listings: Mapping[str, tuple[Source, list[Entry]]], previous: Previous) -> list[Found]:
    """All entries with their ids, what is known of them and what to do.

    Raises:
        ContractError: two paths share an id.
    """
    result: list[Found] = []
    paths: dict[int, tuple[str, bytes]] = {}
    for label, (source, entries) in listings.items():
        for entry in entries:
            file_id = file_id_of(label, entry.path)
            if paths.setdefault(file_id, (label, entry.path)) != (label, entry.path):
                one, two = paths[file_id], (label, entry.path)
                raise ContractError(f"two paths share the id {file_id}: {one!r} and {two!r}")
            if entry.kind == "folder" and entry.trouble is None:
                continue
            place = read_place(shown_path(entry.path))
            found = Found(source, entry, file_id, place, previous.known.get(file_id))
            _decide(found)
            result.append(found)
    return result


def make_plan(found: list[Found], stems: StemMaker, *, raw: bool, text: bool) -> Plan:
    """Which parts to make for the entries that have new bytes."""
    plan = Plan(found=found)
    small: list[tuple[Found, Item]] = []
    for one in found:
        if one.action in {"read", "resume"}:
            item = item_for(one, resume=one.action == "resume")
            if one.entry.size - item.known_bytes > SPLIT_BYTES and not is_withheld(item.relative):
                plan.splits.append(one)
            else:
                small.append((one, item))
    plan.tasks = make_tasks(small, stems, raw=raw, text=text)
    return plan
