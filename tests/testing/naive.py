"""A second, naive reading of the files of a world, that knows nothing of how they were made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from forensics.testing.world import Truth
from forensics.testing.world.truth import FileTruth, SessionTruth

Record = dict[str, Any]
Numbered = list[tuple[int, Record | None]]


def physical_lines(data: bytes) -> list[bytes]:
    """Lines without their newline; what follows the last newline is a line if it is not empty."""
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def load(line: bytes) -> Record | None:
    """The record of a line, or nothing where strict JSON does not see one object."""
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def records_at(path: Path) -> Numbered:
    return [(number, load(line)) for number, line in enumerate(physical_lines(path.read_bytes()), start=1)]


def runs_of(records: Numbered) -> list[tuple[str, int, int, int]]:
    """Runs of cwd over the main chain as (cwd, lines, first line, last line)."""
    placed = [(n, r["cwd"]) for n, r in records if r is not None and "cwd" in r and r["isSidechain"] is False]
    runs = []
    for cwd, group in groupby(placed, key=lambda pair: pair[1]):
        numbers = [number for number, _ in group]
        runs.append((cwd, len(numbers), numbers[0], numbers[-1]))
    return runs


def text_of(record: Record) -> str:
    content = record["message"]["content"]
    return content if isinstance(content, str) else "".join(b.get("text", "") for b in content)


@dataclass(frozen=True)
class Laid:
    """A world on disk and its truth."""

    root: Path
    truth: Truth

    def raw(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def sound(self, file: FileTruth) -> Numbered:
        """The records that a reader may count: whole ones at lines without damage."""
        damaged = {d.line_no for d in file.damage if d.kind not in {"crlf", "no_final_newline"}}
        return [(n, r) for n, r in records_at(self.root / file.path) if n not in damaged]

    def whole(self, path: str) -> list[Record]:
        """The sound records of one file."""
        file = next(file for file in self.truth.files if file.path == path)
        return [record for _, record in self.sound(file) if record is not None]

    def transcripts(self) -> list[tuple[SessionTruth, FileTruth]]:
        files = {file.path: file for file in self.truth.files}
        return [(session, files[session.path]) for session in self.truth.sessions]
