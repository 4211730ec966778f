"""What a world shall hold: read from TOML, or drawn from a seed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .eras import KNOWN_VERSIONS

_START = datetime(2026, 9, 1, 7, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class BulkSpec:
    """Transcripts of realistic size and shape, for benchmarks.

    Units: `total_bytes` is reached within one turn a file; the `_every` numbers count turns, 0 means never;
    `long_line_bytes` is the least size of one line in each file, 0 for none.
    """

    total_bytes: int = 0
    files: int = 1
    damage_every: int = 0
    blank_every: int = 0
    compact_every: int = 0
    long_line_bytes: int = 0


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """A seeded recipe; the same one always gives the same bytes."""

    seed: int = 1
    homes: tuple[str, ...] = ("laptop/.claude",)
    versions: tuple[str, ...] = KNOWN_VERSIONS
    start: datetime = _START
    days: int = 40
    turns: tuple[int, int] = (2, 5)
    output_lines: int = 12
    plants: Mapping[str, int] = field(default_factory=dict)
    bulk: BulkSpec = BulkSpec()

    def with_seed(self, seed: int) -> WorldSpec:
        """The same recipe with another seed."""
        return replace(self, seed=seed)


def parse_spec(raw: Mapping[str, Any]) -> WorldSpec:
    """The recipe that a parsed TOML document describes.

    Raises: ValueError, if it names something that no recipe has.
    """
    known = {"seed", "homes", "versions", "start", "days", "turns", "output_lines", "plants", "bulk"}
    if unknown := sorted(set(raw) - known):
        raise ValueError(f"unknown settings: {', '.join(unknown)}")
    values = dict(raw)
    for name in ("homes", "versions", "turns"):
        if name in values:
            values[name] = tuple(values[name])
    if "bulk" in values:
        values["bulk"] = BulkSpec(**values["bulk"])
    return WorldSpec(**values)


def load_spec(path: Path) -> WorldSpec:
    """The recipe in a TOML file."""
    return parse_spec(tomllib.loads(path.read_text(encoding="utf-8")))
