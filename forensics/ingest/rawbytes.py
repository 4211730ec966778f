"""The bytes that a case keeps, streamed part by part in the order they were taken in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.errors import CaseError
from forensics.ingest.stems import split_stem

Row = dict[str, Any]
FileKey = tuple[int, int]


def stems_in_order(segments: Iterable[Row]) -> list[str]:
    """Names of all parts, earlier ones first within a label.

    Raises:
        CaseError: no part has such a name.
    """
    return sorted({row["part_stem"] for row in segments}, key=split_stem)


def raw_chunks(case: Path, stem: str) -> Iterator[tuple[FileKey, int, bytes]]:
    """File and generation, offset and bytes of each chunk of one part, in the part's order.

    Raises:
        CaseError: the part cannot be read.
    """
    part = case / "raw" / f"{stem}.parquet"
    if not part.exists():
        return
    for table in _groups(part):
        ids, generations, starts = (table.column(i).to_pylist() for i in range(3))
        for file_id, generation, start, data in zip(ids, generations, starts, table.column(3), strict=True):
            yield (file_id, generation), start, data.as_py()


def _groups(part: Path) -> Iterator[pa.Table]:
    try:
        with pq.ParquetFile(part) as file:
            for group in range(file.num_row_groups):
                yield file.read_row_group(group)
    except (OSError, pa.ArrowException) as error:
        raise CaseError(
            f"the case cannot be read: {error}", where=str(part), hint="forensics verify"
        ) from error


class Offsets:
    """Checks that the chunks of each file follow on each other without a hole."""

    def __init__(self) -> None:
        self._next: dict[FileKey, int] = {}

    def follow(self, key: FileKey, start: int, size: int) -> None:
        """Take note of a chunk.

        Raises:
            CaseError: bytes are missing before it, or stand there twice.
        """
        expected = self._next.get(key, 0)
        if start != expected:
            raise CaseError(f"bytes from {expected} are missing: the next chunk begins at {start}")
        self._next[key] = start + size
