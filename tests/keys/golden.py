"""The golden pairs of `fixtures/keys`, unpacked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "keys"


@dataclass(frozen=True, slots=True)
class CliRun:
    case: str
    version: str
    runtime: str
    cwd: str
    recorded: str
    key: str | None


@dataclass(frozen=True, slots=True)
class SdkRow:
    case: str
    path: str
    python: str | None
    typescript: str
    typescript_0_3_143: str


def unpack(value: Any) -> str:
    """Texts are written as a string, or as a list of strings and [string, times] pairs."""
    if isinstance(value, str):
        return value
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in value)


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((FIXTURES / name).read_text())["rows"]
    return rows


def cli_runs() -> list[CliRun]:
    return [
        CliRun(
            row["case"],
            run.split()[0],
            run.split()[1],
            unpack(row["cwd"]),
            unpack(row.get("recorded", row["cwd"])),
            None if row["key"] is None else unpack(row["key"]),
        )
        for row in _rows("cli.json")
        for run in row["runs"]
    ]


def sdk_rows() -> list[SdkRow]:
    return [
        SdkRow(
            row["case"],
            unpack(row["path"]),
            None if row["python"] is None else unpack(row["python"]),
            unpack(row["typescript"]),
            unpack(row.get("typescript_0.3.143", row["typescript"])),
        )
        for row in _rows("sdk.json")
    ]
