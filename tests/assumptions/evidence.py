"""Small homes written line by line, for what the checks of keys say about them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from forensics.case import Case, open_case
from forensics.ingest.convert import ConvertOptions, convert


def session_id(number: int) -> str:
    """An id for the session of this number."""
    return f"6a1c0000-0000-4000-8000-{number:012d}"


def said(cwd: str | None, version: str | None, *, kind: str = "user", minute: int = 0) -> dict[str, Any]:
    """A request or an answer in a directory, by a version."""
    record: dict[str, Any] = {
        "type": kind,
        "uuid": f"6a1c0001-0000-4000-8000-{minute:012d}",
        "timestamp": f"2026-03-01T08:{minute:02}:00.000Z",
        "isSidechain": False,
        "message": {"role": kind, "content": "Count the oars" if kind == "user" else _answer()},
    }
    if cwd is not None:
        record["cwd"] = cwd
    if version is not None:
        record["version"] = version
    return record


def put(root: Path, key: str, number: int, *records: dict[str, Any]) -> Path:
    """The file of a session under a key of a home, with these records."""
    path = root / "projects" / key / f"{session_id(number)}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"sessionId": session_id(number), **record}) for record in records]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def open_home(root: Path, case: Path) -> Case:
    """The opened case of a home, under the label `home`."""
    convert([f"home={root}"], case, options=ConvertOptions(raw=False, text=False, workers=1))
    return open_case(case)


def _answer() -> list[dict[str, str]]:
    return [{"type": "text", "text": "Twelve."}]
