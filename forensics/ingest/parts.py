"""Part files: the only place that writes Parquet.

A part is a function of the evidence alone, and so are its row groups: they close after a fixed number of
rows or bytes, never by clock, worker or memory at hand.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.schema import TABLES, Table, to_arrow

GROUP_ROWS = 1 << 16
GROUP_BYTES = 8 << 20
_REPEATING_NAMES = """
home label agent kind role state type subtype status session_id agent_id cwd git_branch agent_version
entrypoint ts_source prompt_class model stop_reason class field kept tool_name name rule alias
"""
_REPEATING = frozenset(_REPEATING_NAMES.split())
"""Columns whose values repeat: a dictionary pays for them and costs the others."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A Parquet file of a case: its path in the case, rows, size and SHA-256."""

    path: str
    n_rows: int
    n_bytes: int
    sha256: str


_LONG = frozenset({"bytes", "text"})
"""Columns whose single values may be large."""
_SINK_BYTES = 1 << 18
"""Pages are written together: the system takes its time for each call."""
_VALUE_BYTES = 8
"""What a value of the other columns takes, about."""
_CODES = {pa.int32().id: "i", pa.int64().id: "q", pa.uint64().id: "Q"}
_TIMESTAMP, _SINCE = pa.timestamp("us").id, pa.duration("us")
BATCH_ROWS = 640
_BATCH_BYTES = 1 << 20
"""Rows become a batch while they are still in cache, and not before that pays for making one."""

_SMALL, _QUICK = ("zstd", 1), ("lz4", None)
_CODECS = {"raw": _SMALL, "text": _SMALL}
"""Bytes and prose are most of a case and pay for a better codec; the rest is written and read quicker."""

_RANDOM = frozenset({"uuid", "parent_uuid", "logical_parent_uuid", "line_hash"})
"""Columns of random digits: a codec is slowest on them and saves next to nothing."""


def _options(table: str, schema: pa.Schema) -> dict[str, Any]:
    codec, level = _CODECS.get(table, _QUICK)
    packed = [name for name in schema.names if name not in _RANDOM]
    return {
        "compression": dict.fromkeys(schema.names, "none") | dict.fromkeys(packed, codec),
        "compression_level": level and dict.fromkeys(packed, level),
        "use_dictionary": [name for name in schema.names if name in _REPEATING] or False,
        "write_statistics": [n for n in ("file_id", "generation", "line_no", "ts") if n in schema.names]
        or False,
        "store_schema": True,
        "write_batch_size": GROUP_ROWS,
    }


def _to_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column of plain values; times are given since 1970.

    Many hold one value or none all the way, and whole numbers need no look at each.
    """
    n = len(values)
    if kind.id == _TIMESTAMP:
        return _to_array(values, _SINCE).view(pa.int64()).view(kind)
    code = _CODES.get(kind.id)
    first = values[0] if n else None
    if n and values[-1] is first is values[n // 2] and values.count(first) == n:
        if first is None:
            return pa.nulls(n, kind)
        if code is None:
            return pa.repeat(pa.scalar(first, kind), n)
        return pa.Array.from_buffers(kind, n, [None, pa.py_buffer(array(code, (first,)) * n)])
    if code is not None:
        try:
            return pa.Array.from_buffers(kind, n, [None, pa.py_buffer(array(code, values))])
        except TypeError:
            pass
    return pa.array(values, kind)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class TableWriter:
    """Writes one Parquet file of a table, row group by row group."""

    def __init__(self, table: Table, folder: Path, path: str) -> None:
        self._path = path
        self._file = folder / path
        self._schema = to_arrow(table)
        self._waiting: list[tuple[int, Mapping[str, Sequence[Any]], Mapping[str, int]]] = []
        self._waiting_rows = 0
        self._waiting_bytes = 0
        self._kinds = [(field.name, field.type) for field in self._schema]
        self._batches: list[list[pa.Array]] = []
        self._n_rows = 0
        self._pending_rows = 0
        self._pending_bytes = 0
        self._long = [name for name in table.names if name in _LONG]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._sink = pa.BufferedOutputStream(pa.OSFile(str(self._file), "wb"), _SINK_BYTES)
        try:
            self._writer = pq.ParquetWriter(self._sink, self._schema, **_options(table.name, self._schema))
        except OSError:
            self._sink.close()
            raise

    def add(
        self, columns: Mapping[str, Sequence[Any]], *, constants: Mapping[str, int] | None = None
    ) -> None:
        """Add rows given as columns, which are the writer's from then on; `constants` stand in every row.

        A batch is made of many small additions: making one costs as much as some hundred rows.
        """
        n_rows = len(next(iter(columns.values())))
        self._waiting.append((n_rows, columns, constants or {}))
        self._waiting_rows += n_rows
        self._waiting_bytes += sum(sum(map(len, columns[name])) for name in self._long)
        if self._waiting_rows >= BATCH_ROWS or self._waiting_bytes >= _BATCH_BYTES:
            self.settle()

    def add_arrays(self, columns: Mapping[str, pa.Array]) -> None:
        """Add rows given as Arrow arrays, of the columns' types or of nulls only."""
        self.settle()
        batch = [columns[name].cast(kind) for name, kind in self._kinds]
        self._add_batch(batch, sum(array.nbytes for array in batch))

    def settle(self) -> None:
        """Make a batch of the rows that wait: it takes less room than they do."""
        if not self._waiting_rows:
            return
        wholes = [
            {**columns, **{name: [value] * n for name, value in constants.items()}}
            for n, columns, constants in self._waiting
        ]
        n_bytes = self._waiting_bytes + self._waiting_rows * len(self._kinds) * _VALUE_BYTES
        self._waiting.clear()
        self._waiting_rows = self._waiting_bytes = 0
        if len(wholes) == 1:
            columns = wholes[0]
        else:
            columns = {name: [*chain.from_iterable(one[name] for one in wholes)] for name in wholes[0]}
        self._add_batch([_to_array(columns[name], kind) for name, kind in self._kinds], n_bytes)

    def _add_batch(self, batch: list[pa.Array], n_bytes: int) -> None:
        self._batches.append(batch)
        self._n_rows += len(batch[0])
        self._pending_rows += len(batch[0])
        self._pending_bytes += n_bytes
        if self._pending_rows >= GROUP_ROWS or self._pending_bytes >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._batches:
            join = pa.chunked_array if self._long else pa.concat_arrays
            columns = [join(chunks) for chunks in zip(*self._batches, strict=True)]
            whole = pa.Table.from_arrays(columns, schema=self._schema)
            self._batches = []
            self._pending_rows = self._pending_bytes = 0
            self._writer.write_table(whole, row_group_size=max(whole.num_rows, 1))

    def close(self) -> WrittenFile:
        """Finish the file and say what was written."""
        self.settle()
        self._flush()
        self._writer.close()
        self._sink.close()
        size = self._file.stat().st_size
        return WrittenFile(self._path, self._n_rows, size, _digest(self._file))

    def abandon(self) -> None:
        """Let go of a file that could not be written: nothing more is tried with it later."""
        self._writer.is_open = False
        with suppress(OSError):
            self._sink.close()


def write_whole(table: Table, folder: Path, path: str, columns: Mapping[str, Sequence[Any]]) -> WrittenFile:
    """Write a table that is one file."""
    writer = TableWriter(table, folder, path)
    try:
        if len(next(iter(columns.values()))):
            writer.add(columns)
        return writer.close()
    except BaseException:
        writer.abandon()
        raise


def columns_of(table: Table, rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Rows in the order of the table's columns, as columns."""
    names = table.names
    if not rows:
        return {name: [] for name in names}
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def write_rows(table: Table, folder: Path, rows: Sequence[Mapping[str, Any]]) -> WrittenFile:
    """Write a table that is one file from its rows, in the order of its grain; nulls come first."""

    def order(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(
            (row[name] is not None, row[name]) if row[name] is not None else (False,) for name in table.grain
        )

    names = table.names
    columns = columns_of(table, [tuple(row[name] for name in names) for row in sorted(rows, key=order)])
    return write_whole(table, folder, f"{table.name}.parquet", columns)


class PartWriter:
    """Writes one part: a file for each table that has rows in it."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder = folder
        self._stem = stem
        self._writers: dict[str, TableWriter] = {}

    def add(
        self,
        table: str,
        columns: Mapping[str, Sequence[Any]],
        *,
        constants: Mapping[str, int] | None = None,
    ) -> None:
        """Add rows to one table of the part."""
        writer = self._writers.get(table)
        if writer is None:
            path = f"{table}/{self._stem}.parquet"
            writer = self._writers[table] = TableWriter(TABLES[table], self._folder, path)
        writer.add(columns, constants=constants)

    def settle(self) -> None:
        """Let rows that wait take as little room as they can."""
        for writer in self._writers.values():
            writer.settle()

    def __enter__(self) -> PartWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for writer in self._writers.values():
                writer.abandon()

    def close(self) -> dict[str, WrittenFile]:
        """Finish all files of the part, table by table."""
        return {table: self._writers[table].close() for table in sorted(self._writers)}
