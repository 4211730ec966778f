"""What a case took in before: enough to tell what changed, and to carry the rest over."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from forensics.errors import CaseError

Row = dict[str, Any]
MANIFEST = "manifest.json"


@dataclass(slots=True)
class Known:
    """Everything known of one path: its newest row, its older rows, and where its bytes lie."""

    newest: Row
    stat: Row
    older: list[Row] = field(default_factory=list)
    older_stats: list[Row] = field(default_factory=list)
    segments: list[Row] = field(default_factory=list)
    gaps: list[Row] = field(default_factory=list)

    @property
    def file_id(self) -> int:
        """The path's id."""
        return int(self.newest["file_id"])

    @property
    def generation(self) -> int:
        """The newest generation."""
        return int(self.newest["generation"])

    def newest_segments(self) -> list[Row]:
        """Segments of the newest generation, in order."""
        return [row for row in self.segments if row["generation"] == self.generation]


@dataclass(slots=True)
class Previous:
    """A case as it was before this taking-in; empty for a new one."""

    manifest: dict[str, Any] = field(default_factory=dict)
    known: dict[int, Known] = field(default_factory=dict)

    def stems(self) -> set[str]:
        """Names of the part files that exist."""
        return {row["part_stem"] for known in self.known.values() for row in known.segments}

    def part_files(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Table and manifest entry of every part file."""
        for table, entry in self.manifest.get("tables", {}).items():
            for file in entry["files"]:
                if "/" in file["path"]:
                    yield table, file


def read_manifest(case: Path) -> dict[str, Any]:
    """The manifest of a case.

    Raises:
        CaseError: the folder is not a case, or its manifest cannot be read.
    """
    try:
        manifest = json.loads((case / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        raise CaseError(
            f"not a case: {case}", hint="make one with: forensics convert SOURCE -o CASE"
        ) from error
    except (OSError, ValueError) as error:
        raise CaseError(f"the manifest cannot be read: {error}", where=str(case / MANIFEST)) from error
    if not isinstance(manifest, dict) or "tables" not in manifest:
        raise CaseError("the manifest is not one of ours", where=str(case / MANIFEST))
    return manifest


def _rows(case: Path, table: str) -> list[Row]:
    return pq.ParquetFile(case / f"{table}.parquet").read().to_pylist()  # type: ignore[no-any-return]


def read_previous(case: Path) -> Previous:
    """What the case holds, or an empty state when there is no case yet.

    Raises:
        CaseError: there is a case, but it cannot be read.
    """
    if not (case / MANIFEST).exists():
        return Previous()
    previous = Previous(manifest=read_manifest(case))
    try:
        files = _rows(case, "files")
        stats = {(row["file_id"], row["generation"]): row for row in _rows(case, "acquisition")}
        by_file: dict[str, dict[int, list[Row]]] = {}
        for table in ("segments", "gaps"):
            by_file[table] = defaultdict(list)
            for row in _rows(case, table):
                by_file[table][row["file_id"]].append(row)
    except (OSError, ValueError) as error:
        raise CaseError(
            f"the case cannot be read: {error}", where=str(case), hint="forensics verify"
        ) from error
    for row in sorted(files, key=lambda row: (row["file_id"], row["generation"])):
        stat = stats[row["file_id"], row["generation"]]
        known = previous.known.get(row["file_id"])
        if known is None:
            known = previous.known[row["file_id"]] = Known(row, stat)
            known.segments = by_file["segments"][row["file_id"]]
            known.gaps = by_file["gaps"][row["file_id"]]
        else:
            known.older.append(known.newest)
            known.older_stats.append(known.stat)
            known.newest, known.stat = row, stat
    return previous
