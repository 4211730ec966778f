"""Rows of a case that point at others: counts, segments and references against what they speak of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from forensics.ingest.faults import Fault
from forensics.ingest.rawbytes import FileKey

Row = dict[str, Any]

_POINTING = ("marks", "tool_calls", "tool_results", "text")
_PLACE = ("file_id", "generation", "line_no", "part")


def _key(row: Row) -> FileKey:
    return row["file_id"], row["generation"]


def check_rows(files: list[Row], segments: list[Row], gaps: list[Row]) -> Iterator[Fault]:
    """Faults of files against their generations, segments and gaps."""
    generations: dict[int, list[Row]] = defaultdict(list)
    for row in files:
        generations[row["file_id"]].append(row)
    for rows in generations.values():
        rows.sort(key=lambda row: row["generation"])
        name = f"{rows[0]['label']}/{rows[0]['path']}"
        if [row["generation"] for row in rows] != list(range(1, len(rows) + 1)):
            yield Fault(name, "its generations do not follow on each other")
        if any(row["is_current"] for row in rows[:-1]):
            yield Fault(name, "an older generation is said to be current")
    names = {_key(row): f"{row['label']}/{row['path']}" for row in files}
    counts = Counter(_key(row) for row in gaps)
    ends: dict[FileKey, int] = defaultdict(int)
    numbers: Counter[FileKey] = Counter()
    for row in sorted(segments, key=lambda row: (*_key(row), row["segment_no"])):
        key = _key(row)
        numbers[key] += 1
        if key in names and (row["segment_no"], row["first_byte"]) != (numbers[key], ends[key]):
            yield Fault(names[key], "its segments do not follow on each other")
        ends[key] = row["end_byte"]
    for row in files:
        if row["n_gaps"] != counts[_key(row)]:
            yield Fault(names[_key(row)], "its gaps are not as many as it says")
        if (row["size_bytes"] or 0) != ends[_key(row)]:
            yield Fault(names[_key(row)], "its segments do not add up to its size")
    for key in sorted({*counts, *ends} - set(names)):
        yield Fault(f"file {key[0]}", "is spoken of and is not in files")


def _places(case: Path, table: str, stem: str) -> set[tuple[int, int, int, int]]:
    path = case / table / f"{stem}.parquet"
    if not path.exists():
        return set()
    found = pq.ParquetFile(path).read(columns=list(_PLACE))
    return set(zip(*(found.column(name).to_pylist() for name in _PLACE), strict=True))


def check_references(case: Path, files: list[Row], manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of rows that stand for a line which is not in their part; a side file counts as one line."""
    documents = {(*_key(row), 1, 0) for row in files if row["role"] in {"sidecar", "index"}}
    names = {_key(row): f"{row['label']}/{row['path']}" for row in files}
    stems = {
        Path(file["path"]).stem
        for table in ("lines", *_POINTING)
        for file in manifest["tables"].get(table, {"files": []})["files"]
    }
    for stem in sorted(stems):
        lines = _places(case, "lines", stem)
        for key in sorted({place[:2] for place in lines} - set(names)):
            yield Fault(f"lines/{stem}.parquet", f"holds lines of file {key[0]}, which is not in files")
        for table in _POINTING:
            for place in sorted(_places(case, table, stem) - lines - documents):
                where = f"{names.get(place[:2], f'file {place[0]}')}#L{place[2]}"
                yield Fault(where, f"{table} has a row for it, and it is no line")
