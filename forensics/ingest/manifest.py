"""The manifest, the sums and the log of runs: what a case says of itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from forensics.ingest.parts import WrittenFile
from forensics.schema import SCHEMA_VERSION, TABLES
from forensics.version import __version__

_LIBRARIES = ("duckdb", "msgspec", "polars", "pyarrow")
RUNS = "runs.jsonl"
SUMS = "SHA256SUMS"
_NOT_CONTENT = frozenset({"acquisition", "with_acquisition"})


def library_versions() -> dict[str, str]:
    """Versions of the libraries that a case's bytes depend on, without importing them."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def _table_entry(files: Sequence[WrittenFile]) -> dict[str, Any]:
    ordered = sorted(files, key=lambda file: file.path)
    digest = hashlib.sha256("".join(file.sha256 for file in ordered).encode()).hexdigest()
    return {
        "digest": digest,
        "n_rows": sum(file.n_rows for file in ordered),
        "files": [
            {"path": f.path, "n_rows": f.n_rows, "n_bytes": f.n_bytes, "sha256": f.sha256} for f in ordered
        ],
    }


def content_digest(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """The digest of all tables but those that change with a copy."""
    names = sorted(set(entries) - _NOT_CONTENT)
    return hashlib.sha256("".join(f"{n} {entries[n]['digest']}\n" for n in names).encode()).hexdigest()


def make_manifest(
    tables: Mapping[str, Sequence[WrittenFile]],
    *,
    ruleset: Mapping[str, str],
    sources: Sequence[Mapping[str, Any]],
    outside: Sequence[Mapping[str, str]],
    options: Mapping[str, bool],
    as_of: str | None,
    as_of_basis: str,
    is_trimmed: bool,
) -> dict[str, Any]:
    """The manifest of a case with these tables."""
    entries = {name: _table_entry(tables[name]) for name in sorted(tables)}
    return {
        "schema": SCHEMA_VERSION,
        "tool": {"name": "forensics", "version": __version__},
        "ruleset": dict(ruleset),
        "libraries": library_versions(),
        "as_of": as_of,
        "as_of_basis": as_of_basis,
        "options": dict(options),
        "sources": [dict(source) for source in sources],
        "outside": [dict(row) for row in outside],
        "segments_trimmed": is_trimmed,
        "counts": {name: entry["n_rows"] for name, entry in entries.items()},
        "absent": sorted(set(TABLES) - set(entries)),
        "content_sha256": content_digest(entries),
        "tables": entries,
    }


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document the same way every time."""
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_sums(folder: Path, files: Iterable[WrittenFile]) -> None:
    """Write SHA256SUMS over the tables and the manifest, for `sha256sum -c`."""
    sums = {file.path: file.sha256 for file in files}
    manifest = (folder / "manifest.json").read_bytes()
    sums["manifest.json"] = hashlib.sha256(manifest).hexdigest()
    lines = [f"{sums[path]}  {path}\n" for path in sorted(sums)]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def run_line(record: Mapping[str, Any]) -> bytes:
    """A record of the log as its line, without a newline, with its own digest in it."""
    own = {name: value for name, value in record.items() if name != "sha256"}
    body = json.dumps(own, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(body.encode()).hexdigest()
    return json.dumps({**own, "sha256": digest}, ensure_ascii=False, sort_keys=True).encode()


def append_run(old: Path, new: Path, record: Mapping[str, Any]) -> None:
    """Write the log of runs with one more line, which carries the digest of the line before it."""
    before = old.read_bytes() if old.exists() else b""
    last = before.rstrip(b"\n").rpartition(b"\n")[2]
    chained = {**record, "previous_sha256": hashlib.sha256(last).hexdigest() if last else None}
    new.write_bytes(before + run_line(chained) + b"\n")
