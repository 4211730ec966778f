"""A case written by hand, row by row, for what no conversion would ever write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.schema import SCHEMA_VERSION, TABLES, arrow_schema

Row = Mapping[str, Any]


def file_id(label: str, path: str | bytes) -> int:
    """The id of a file, computed once more from its definition."""
    raw = path.encode() if isinstance(path, str) else path
    return int(hashlib.sha256(label.encode() + b"\0" + raw).hexdigest()[:16], 16) // 2


def write_case(
    folder: Path,
    tables: Mapping[str, Sequence[Row]],
    *,
    parts: Mapping[str, Sequence[Sequence[Row]]] | None = None,
    absent: Sequence[str] = (),
    **manifest: Any,
) -> Path:
    """The folder, which is a case afterwards; `parts` gives the rows of a table by part file."""
    folder.mkdir(parents=True)
    written: dict[str, Any] = {}
    for name, table in TABLES.items():
        if name in absent:
            continue
        files = []
        for number, rows in enumerate((parts or {}).get(name, [tables.get(name, [])])):
            path = f"{name}/part-{number}.parquet" if table.in_parts else f"{name}.parquet"
            (folder / path).parent.mkdir(exist_ok=True)
            schema = arrow_schema(name)
            full = [{column: row.get(column) for column in schema.names} for row in rows]
            pq.write_table(pa.Table.from_pylist(full, schema=schema), folder / path)
            files.append({"path": path, "n_rows": len(rows)})
        written[name] = {"files": files}
    content = {
        "schema": SCHEMA_VERSION,
        "tables": written,
        "absent": list(absent),
        "as_of": None,
        "segments_trimmed": False,
        "counts": {},
        **manifest,
    }
    (folder / "manifest.json").write_text(json.dumps(content))
    return folder
