"""Archives taken in: unpacked batch by batch into a private folder, read like files, and removed again.

What is on the disk at a time is one batch, or one member when that is larger; a second run over the same
archive unpacks nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensics.ingest.discover import Entry
from forensics.ingest.plan import Found, StemMaker, find_all, make_plan
from forensics.ingest.previous import Previous
from forensics.ingest.rounds import read_all
from forensics.ingest.sources import Source
from forensics.ingest.task import PartResult
from forensics.sources.container import Member, Spool, members

if TYPE_CHECKING:
    from forensics.ingest.convert import ConvertOptions, Progress

BATCH_BYTES = 256 << 20


@dataclass(slots=True)
class Unpacked:
    """What came of the archives among the sources.

    `digests` are those of all of them, by label; `unchanged` and `broken` name labels of which not every
    member was looked at, and `folders` are label and path of folders inside.
    """

    found: list[Found] = field(default_factory=list)
    results: list[PartResult] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    unchanged: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    folders: list[tuple[str, str]] = field(default_factory=list)


def _digest(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _entry(member: Member, used: set[str]) -> Entry:
    """The member as an entry; a name that came before is kept under one that no member has had."""
    name, n = member.name, 1
    while name in used and member.kind != "folder":
        n += 1
        name = f"{member.name}~{n}"
    used.add(name)
    stat = (member.size, member.mtime_ns, 0, 0, 0, member.mode, 0)
    target = None if member.link_target is None else member.link_target.encode("utf-8", "surrogateescape")
    spooled = None if member.spooled is None else os.fsencode(member.spooled)
    return Entry(name.encode("utf-8", "surrogateescape"), member.kind, stat, target, member.problem, spooled)


def _batches(source: Source, spool: Spool) -> Iterator[list[Entry]]:
    """Entries of the archive, so many that their content fills a batch."""
    used: set[str] = set()
    batch: list[Entry] = []
    for member in members(Path(source.given), spool):
        batch.append(_entry(member, used))
        if spool.n_bytes >= BATCH_BYTES:
            yield batch
            batch = []
    yield batch


def take_containers(
    sources: list[Source],
    folder: Path,
    previous: Previous,
    stems: StemMaker,
    options: ConvertOptions,
    progress: Progress | None,
) -> Unpacked:
    """Take in the archives among the sources; `folder` is where part files are built.

    Raises:
        OSError: the disk failed.
    """
    unpacked = Unpacked()
    before: Mapping[str, Any] = {row["label"]: row for row in previous.manifest.get("sources", [])}
    for source in sources:
        if not source.is_container or source.same_as is not None:
            continue
        digest = unpacked.digests[source.label] = _digest(source.given)
        if before.get(source.label, {}).get("sha256") == digest:
            unpacked.unchanged.add(source.label)
            continue
        spool_folder = folder / "spool"
        spool_folder.mkdir(mode=0o700)
        spool = Spool(spool_folder, packed_bytes=Path(source.given).stat().st_size)
        for batch in _batches(source, spool):
            found = find_all({source.label: (source, batch)}, previous)
            plan = make_plan(found, stems, raw=options.raw, text=options.text)
            unpacked.results += read_all(plan, stems, folder, options, progress)
            unpacked.found += found
            spool.empty()
            if any(entry.kind == "container" for entry in batch):
                unpacked.broken.add(source.label)
            unpacked.folders += [
                (source.label, entry.path.decode("utf-8", "backslashreplace"))
                for entry in batch
                if entry.kind == "folder" and entry.trouble is None
            ]
        spool_folder.rmdir()
    return unpacked
