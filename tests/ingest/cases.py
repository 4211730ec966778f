"""Cases read row by row, without the views: what is current, and what was ever taken in."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from forensics.ingest.convert import Conversion, ConvertOptions, convert
from forensics.schema import TABLES

Row = dict[str, Any]
FileKey = tuple[int, int]
IN_PARTS = ("lines", "marks", "tool_calls", "tool_results", "text")
DERIVED = ("keys", "cwds", "cwd_keys", "version_rules")


def take(root: Path, case: Path, **options: Any) -> Conversion:
    """Take one root into a case under the label `x`."""
    options.setdefault("workers", 1)
    return convert([f"x={root}"], case, options=ConvertOptions(**options))


def manifest_of(case: Path) -> dict[str, Any]:
    """The manifest of a case."""
    manifest: dict[str, Any] = json.loads((case / "manifest.json").read_bytes())
    return manifest


def parts_of(case: Path, table: str) -> Iterator[tuple[str, list[Row]]]:
    """Stem and rows of each file of a table."""
    for file in manifest_of(case)["tables"][table]["files"]:
        yield Path(file["path"]).stem, pq.ParquetFile(case / file["path"]).read().to_pylist()


def all_rows(case: Path, table: str) -> list[Row]:
    """Every row of a table, whatever its generation."""
    return [row for _, rows in parts_of(case, table) for row in rows]


def _key(row: Row) -> FileKey:
    return row["file_id"], row["generation"]


def _sorted(rows: list[Row], table: str) -> list[Row]:
    grain = [name for name in TABLES[table].grain if name != "generation"]
    return sorted(rows, key=lambda row: [(row[name] is not None, row[name]) for name in grain])


def current_rows(case: Path) -> dict[str, list[Row]]:
    """Rows of the evidence as it was seen last, without generations and names of parts."""
    files = [row for row in all_rows(case, "files") if row["is_current"]]
    current = {_key(row) for row in files}
    spans: dict[tuple[str, FileKey], tuple[int, int]] = {}
    for row in all_rows(case, "segments"):
        if row["first_line"] is not None and _key(row) in current:
            spans[row["part_stem"], _key(row)] = row["first_line"], row["last_line"]
    tables: dict[str, list[Row]] = {"files": files, "gaps": [], "acquisition": []}
    n_dropped = 0
    for table in IN_PARTS:
        if table not in manifest_of(case)["tables"]:
            continue
        tables[table] = []
        for stem, rows in parts_of(case, table):
            for row in rows:
                first, last = spans.get((stem, _key(row)), (1, 0))
                if first <= row["line_no"] <= last:
                    tables[table].append(row)
                else:
                    n_dropped += 1
    # The flag may be raised without need, never be missing.
    assert manifest_of(case)["segments_trimmed"] or n_dropped == 0
    for table in ("gaps", "acquisition"):
        tables[table] = [row for row in all_rows(case, table) if _key(row) in current]
    for table in DERIVED:
        tables[table] = all_rows(case, table)
    leave_out = {"generation", "atime_ns"}
    return {
        table: _sorted([{k: v for k, v in row.items() if k not in leave_out} for row in rows], table)
        for table, rows in tables.items()
    }


def raw_files(case: Path) -> dict[FileKey, bytes]:
    """The bytes of every file and generation ever taken in; a hole or an overlap fails."""
    chunks: dict[FileKey, list[tuple[int, bytes]]] = defaultdict(list)
    for row in all_rows(case, "raw"):
        chunks[_key(row)].append((row["byte_start"], row["bytes"]))
    whole: dict[FileKey, bytes] = {}
    for row in all_rows(case, "files"):
        data = b""
        for start, piece in sorted(chunks.pop(_key(row), [])):
            assert start == len(data), (row["path"], start, len(data))
            data += piece
        if row["size_bytes"] is not None:
            assert len(data) == row["size_bytes"]
            whole[_key(row)] = data
        else:
            assert data == b""
    assert not chunks
    return whole


def bytes_by_path(case: Path) -> dict[str, list[bytes]]:
    """Every content ever taken in, by path."""
    found: dict[str, list[bytes]] = defaultdict(list)
    raw = raw_files(case)
    for row in all_rows(case, "files"):
        if _key(row) in raw:
            found[row["path"]].append(raw[_key(row)])
    return found


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes; the log of runs, which tells the time, is left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "runs.jsonl"
    }
