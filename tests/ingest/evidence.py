"""Evidence written for tests: lines as the agent writes them, and what comes of them when they are read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from forensics.ingest.plan import file_id_of
from forensics.ingest.scan import blocks_of_lines
from forensics.ingest.task import Item, ItemResult, Task
from forensics.ingest.work import run_task
from forensics.sources.claude_code.decode import LineDecoder

Row = dict[str, Any]

SESSION = "11111111-2222-4333-8444-555555555555"
KEY = "projects/-srv-shop"
PATH = f"{KEY}/{SESSION}.jsonl"
TABLES = ("lines", "marks", "tool_calls", "tool_results", "text", "raw")


def say(text: str = "hello", *, uuid: str = "u1", **more: Any) -> bytes:
    """A person's request as one line, without its newline."""
    record = {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/srv/shop",
        "sessionId": SESSION,
        "version": "2.1.100",
        "type": "user",
        "message": {"role": "user", "content": text},
        "uuid": uuid,
        "timestamp": "2026-05-04T09:00:00.000Z",
    }
    return encode(record | more)


def answer(text: str = "done", *, uuid: str = "u2", tokens: Any = 7, **more: Any) -> bytes:
    """The agent's answer as one line, without its newline."""
    record = {
        "parentUuid": "u1",
        "isSidechain": False,
        "cwd": "/srv/shop",
        "sessionId": SESSION,
        "version": "2.1.100",
        "type": "assistant",
        "message": {
            "id": f"msg_{uuid}",
            "role": "assistant",
            "model": "claude-opus-4-1",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": tokens, "output_tokens": 3},
        },
        "requestId": f"req_{uuid}",
        "uuid": uuid,
        "timestamp": "2026-05-04T09:00:05.000Z",
    }
    return encode(record | more)


def encode(record: Any) -> bytes:
    """A record in the spelling of the agent."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Rows of one file, table by table; gaps of the whole file have no line."""

    lines: list[Row]
    gaps: list[Row]
    marks: list[Row] = field(default_factory=list)
    tool_calls: list[Row] = field(default_factory=list)
    tool_results: list[Row] = field(default_factory=list)
    text: list[Row] = field(default_factory=list)

    def gap_kinds(self) -> list[str]:
        """Classes of gaps, in order."""
        return [row["class"] for row in self.gaps]


def _rows(columns: Any) -> list[Row]:
    names = list(columns)
    return [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def decode(data: bytes, *, block: int = 1 << 20) -> Decoded:
    """What the lines of a file decode to, without writing anything."""

    def read(at: int) -> bytes:
        return data[at : at + block]

    decoder = LineDecoder(earlier=lambda start: data[:start])
    line_no = 1
    for one in blocks_of_lines(read, start=0):
        line_no += decoder.add_block(one.data, size=one.size, line_no=line_no, byte_start=one.start)
    return Decoded(**{name: _rows(columns) for name, columns in decoder.take().items()})


@dataclass(frozen=True, slots=True)
class Taken:
    """The result of one item and the rows of its part."""

    result: ItemResult
    tables: dict[str, list[Row]]

    @property
    def gaps(self) -> list[Row]:
        """Gaps of lines and of the file."""
        names = ("line_no", "part", "ord", "byte_start", "n_bytes", "class", "field", "kept")
        return [dict(zip(names, gap, strict=True)) for gap in self.result.gaps]

    def raw(self) -> bytes:
        """The bytes kept, joined."""
        at = self.result.item.known_bytes or self.result.item.start
        whole = b""
        for row in self.tables["raw"]:
            assert row["byte_start"] == at + len(whole)
            whole += row["bytes"]
        return whole


def item_of(folder: Path, *, path: str = PATH, **more: Any) -> Item:
    """An order to take in one file below a folder."""
    return Item(file_id_of("x", path.encode()), 1, str(folder / path).encode(), path, **more)


def read_part(folder: Path, stem: str) -> dict[str, list[Row]]:
    """All rows of a part."""
    tables: dict[str, list[Row]] = {}
    for table in TABLES:
        part = folder / table / f"{stem}.parquet"
        tables[table] = pq.ParquetFile(part).read().to_pylist() if part.exists() else []
    return tables


def take_in(folder: Path, data: bytes, *, path: str = PATH, **more: Any) -> Taken:
    """What a worker makes of a file with these bytes."""
    target = folder / "root" / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    item = item_of(folder / "root", path=path, **more)
    staging = folder / "staging"
    for old in staging.glob("*/x-00000.parquet"):
        old.unlink()
    part = run_task(Task("x-00000", (item,), len(data)), str(staging))
    return Taken(part.items[0], read_part(staging, "x-00000"))


FIELDS = ("type", "uuid", "session_id", "cwd", "agent_version", "message_id", "model", "input_tokens")


def told(row: Row) -> dict[str, Any]:
    """What a line says that is not nothing, of the fields these tests look at."""
    return {name: row[name] for name in FIELDS if row[name] is not None}


def gap(row: Row) -> tuple[Any, ...]:
    return row["class"], row["part"], row["byte_start"], row["n_bytes"], row["kept"]


USER = {
    "type": "user",
    "uuid": "u1",
    "session_id": SESSION,
    "cwd": "/srv/shop",
    "agent_version": "2.1.100",
}


def nested(levels: int) -> bytes:
    return b'{"type":"user","uuid":"u1","x":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"
