"""A case written by hand, row by row, for what no conversion would ever write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from forensics.schema import SCHEMA_VERSION, TABLES, arrow_schema

Row = Mapping[str, Any]


def file_id(label: str, path: str | bytes) -> int:
    """The id of a file, computed once more from its definition."""
    raw = path.encode() if isinstance(path, str) else path
    return int(hashlib.sha256(label.encode() + b"\0" + raw).hexdigest()[:16], 16) // 2


PATH = "projects/-srv-shop/0000.jsonl"
LINES = (b'{"type":"user","cwd":"/srv/shop"}', b'{"type":"assistant"}', b"\x00\x00torn")
FILE = file_id("home", PATH)


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
        files: list[dict[str, Any]] = []
        for number, rows in enumerate((parts or {}).get(name, [tables.get(name, [])])):
            path = f"{name}/part-{number}.parquet" if table.in_parts else f"{name}.parquet"
            (folder / path).parent.mkdir(exist_ok=True)
            schema = arrow_schema(name)
            full = [{column: row.get(column) for column in schema.names} for row in rows]
            pq.write_table(pa.Table.from_pylist(full, schema=schema), folder / path)
            data = (folder / path).read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            files.append({"path": path, "n_rows": len(rows), "n_bytes": len(data), "sha256": digest})
        digest = hashlib.sha256("".join(file["sha256"] for file in files).encode()).hexdigest()
        written[name] = {
            "digest": digest,
            "n_rows": sum(file["n_rows"] for file in files),
            "files": files,
        }
    content = {
        "schema": SCHEMA_VERSION,
        "tool": {"name": "forensics", "version": "0"},
        "ruleset": {"version": "0", "digest": "0" * 64},
        "libraries": {},
        "options": {"raw": "raw" not in absent, "text": "text" not in absent},
        "sources": [],
        "content_sha256": "0" * 64,
        "tables": written,
        "absent": list(absent),
        "as_of": None,
        "as_of_basis": "evidence",
        "segments_trimmed": False,
        "counts": {},
        **manifest,
    }
    (folder / "manifest.json").write_text(json.dumps(content))
    return folder


def rows_of_one_file() -> dict[str, list[dict[str, Any]]]:
    """The tables of a case with one file of three lines, the last of them damaged, and an empty key."""
    whole = b"\n".join(LINES) + b"\n"
    lines: list[dict[str, Any]] = []
    start = 0
    for number, data in enumerate(LINES, 1):
        lines.append(
            {
                "file_id": FILE,
                "generation": 1,
                "line_no": number,
                "part": 0,
                "byte_start": start,
                "n_bytes": len(data),
                "status": "lost" if number == 3 else "ok",
                "line_hash": xxhash.xxh3_64_intdigest(data),
                "type": ("user", "assistant", None)[number - 1],
                "cwd": "/srv/shop" if number == 1 else None,
            }
        )
        start += len(data) + 1
    return {
        "files": [
            {
                "file_id": FILE,
                "generation": 1,
                "label": "home",
                "home": ".",
                "path": PATH,
                "agent": "claude_code",
                "kind": "file",
                "role": "main",
                "project_key": "-srv-shop",
                "session_id_by_name": "0000",
                "size_bytes": len(whole),
                "sha256": hashlib.sha256(whole).hexdigest(),
                "n_lines": 3,
                "n_gaps": 1,
                "is_current": True,
            }
        ],
        "lines": lines,
        "raw": [
            {"file_id": FILE, "generation": 1, "byte_start": 0, "bytes": whole[:40]},
            {"file_id": FILE, "generation": 1, "byte_start": 40, "bytes": whole[40:]},
        ],
        "gaps": [
            {
                "file_id": FILE,
                "generation": 1,
                "line_no": 3,
                "part": 0,
                "ord": 0,
                "class": "nul",
                "kept": "nothing",
            }
        ],
        "keys": [
            {"label": "home", "home": ".", "project_key": "-srv-shop", "n_sessions": 1},
            {"label": "home", "home": ".", "project_key": "-srv-empty", "n_sessions": 0, "is_empty": True},
        ],
    }
