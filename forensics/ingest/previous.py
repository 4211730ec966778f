"""What a case took in before: enough to tell what changed, and to carry the rest over."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.errors import CaseError
from forensics.manifests import MANIFEST, open_regular, read_manifest

Row = dict[str, Any]


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

    manifest: Mapping[str, Any] = field(default_factory=dict)
    known: dict[int, Known] = field(default_factory=dict)
    keys: list[Row] = field(default_factory=list)

    def stems(self) -> set[str]:
        """Names of the part files that exist."""
        named = {row["part_stem"] for known in self.known.values() for row in known.segments}
        return named | {Path(file["path"]).stem for _, file in self.part_files() if file["n_rows"]}

    def part_files(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Table and manifest entry of every part file."""
        for table, entry in self.manifest.get("tables", {}).items():
            for file in entry["files"]:
                if "/" in file["path"]:
                    yield table, file


def is_plain_path(path: str) -> bool:
    """Whether a path stays below the folder it is joined to."""
    return bool(path) and not path.startswith("/") and "\0" not in path and ".." not in path.split("/")


def read_rows(case: Path, manifest: Mapping[str, Any], table: str) -> list[Row]:
    """The rows of a table that is one file.

    Raises:
        CaseError: the file is not the one that was written: what is carried over must not hide a change.
    """
    path = case / f"{table}.parquet"
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            data = file.read()
        wanted = {entry["sha256"] for entry in manifest["tables"][table]["files"]}
        if hashlib.sha256(data).hexdigest() not in wanted:
            raise CaseError(
                "the case was altered since it was written", where=str(path), hint="forensics verify"
            )
        return pq.ParquetFile(pa.BufferReader(data)).read().to_pylist()  # type: ignore[no-any-return]
    except (OSError, pa.ArrowException, KeyError) as error:
        raise CaseError(
            f"the case cannot be read: {error}", where=str(path), hint="forensics verify"
        ) from error


def read_previous(case: Path) -> Previous:
    """What the case holds, or an empty state when there is no case yet.

    Raises:
        CaseError: there is a case, but it cannot be read.
    """
    if not os.path.lexists(case / MANIFEST):
        return Previous()
    manifest = read_manifest(case)
    previous = Previous(manifest=manifest, keys=read_rows(case, manifest, "keys"))
    files = read_rows(case, manifest, "files")
    stats = {(row["file_id"], row["generation"]): row for row in read_rows(case, manifest, "acquisition")}
    by_file: dict[str, dict[int, list[Row]]] = {}
    for table in ("segments", "gaps"):
        by_file[table] = defaultdict(list)
        for row in read_rows(case, manifest, table):
            by_file[table][row["file_id"]].append(row)
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
