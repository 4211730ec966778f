"""A second, naive reading of the files of a world, that knows nothing of how they were made."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

Numbered = list[tuple[int, dict[str, Any] | None]]


def physical_lines(data: bytes) -> list[bytes]:
    """Lines without their newline; what follows the last newline is a line if it is not empty."""
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def load(line: bytes) -> dict[str, Any] | None:
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
