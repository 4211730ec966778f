"""What a worker is told and what it tells back; plain data that crosses a process border."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from forensics.ingest.parts import WrittenFile

PART_BYTES = 64 << 20
"""Evidence that goes into one part, about."""

_WITHHELD = frozenset({".credentials.json"})


def is_withheld(relative: str) -> bool:
    """Whether a file is named and never read, whatever its size."""
    return relative.rpartition("/")[2] in _WITHHELD


@dataclass(frozen=True, slots=True)
class Item:
    """A range of one file to take in.

    `start` is the first byte of a line, `first_line` its number. `known_bytes` before are taken in already
    and must still hash to `known_sha256`; the file's whole digest is computed here unless it is `sha256`. A
    range of a large file carries the `range_hash` (xxh3-64) of its bytes as they were when it was cut.
    """

    file_id: int
    generation: int
    path: bytes
    relative: str
    start: int = 0
    end: int | None = None
    first_line: int = 1
    known_bytes: int = 0
    known_sha256: str | None = None
    sha256: str | None = None
    range_hash: int | None = None
    wants_lines: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """One part to make."""

    stem: str
    items: tuple[Item, ...]
    n_bytes: int
    with_raw: bool = True
    with_text: bool = True


@dataclass(slots=True)
class ItemResult:
    """What came of one item; `gaps` are rows without file_id and generation.

    `state` is read; same (nothing new after the bytes taken in before); differs (these are not there any
    more); moved (the bytes of a range are not those that were cut); or the gap of what could not be opened.
    `tail_start` is the first byte of the last line.
    """

    item: Item
    state: str = "read"
    role: str | None = None
    size_bytes: int = 0
    sha256: str | None = None
    n_lines: int | None = None
    tail_start: int = 0
    ends_with_newline: bool | None = None
    gaps: list[tuple[Any, ...]] = field(default_factory=list)
    stat: tuple[int, ...] | None = None

    @property
    def n_new(self) -> int:
        """Bytes that were not taken in before."""
        before = max(self.item.start, self.item.known_bytes)
        return self.size_bytes - before if self.state == "read" else 0


@dataclass(frozen=True, slots=True)
class PartResult:
    """A finished part."""

    stem: str
    tables: dict[str, WrittenFile]
    items: list[ItemResult]
