"""Whether a case still is what was taken in: sums, log, hashes, spans, and bytes against lines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.errors import CaseError
from forensics.ingest.faults import Fault
from forensics.ingest.manifest import content_digest
from forensics.ingest.previous import read_manifest
from forensics.ingest.spans import check_content
from forensics.schema import TABLES, arrow_schema

Row = dict[str, Any]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_sums(case: Path, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Files against SHA256SUMS and the manifest, and the manifest against itself."""
    sums: dict[str, str] = {}
    try:
        text = (case / "SHA256SUMS").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        yield Fault("SHA256SUMS", "cannot be read")
        text = ""
    for line in text.split("\n"):
        digest, _, name = line.partition("  ")
        if name:
            sums[name] = digest
    listed = {file["path"]: file["sha256"] for t in manifest["tables"].values() for file in t["files"]}
    for name in sorted({*listed, "manifest.json"}):
        path = case / name
        if not path.is_file():
            yield Fault(name, "is missing")
            continue
        digest = _digest(path)
        if sums.get(name) != digest:
            yield Fault(name, "differs from SHA256SUMS")
        if name in listed and listed[name] != digest:
            yield Fault(name, "differs from the manifest")
    for name in sorted(set(sums) - {*listed, "manifest.json"}):
        yield Fault(name, "is in SHA256SUMS and not in the manifest")
    if content_digest(manifest["tables"]) != manifest["content_sha256"]:
        yield Fault("manifest.json", "content_sha256 does not follow from the tables")


def _check_runs(case: Path) -> Iterator[Fault]:
    """The log of runs: every line carries the digest of the line before it."""
    before: bytes | None = None
    try:
        lines = (case / "runs.jsonl").read_bytes().split(b"\n")
    except OSError:
        yield Fault("runs.jsonl", "cannot be read")
        return
    if lines.pop() != b"" or not lines:
        yield Fault("runs.jsonl", "does not end with a whole line")
    for number, line in enumerate(lines, 1):
        try:
            previous = json.loads(line)["previous_sha256"]
        except (ValueError, KeyError, TypeError):
            yield Fault(f"runs.jsonl:{number}", "is not a record of a run")
            return
        expected = None if before is None else hashlib.sha256(before).hexdigest()
        if previous != expected:
            yield Fault(f"runs.jsonl:{number}", "does not follow the line before it")
        before = line


def _read(case: Path, table: str, columns: list[str] | None = None) -> pa.Table:
    return pq.ParquetFile(case / f"{table}.parquet").read(columns=columns)


def _check_schemas(case: Path, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    for name, entry in manifest["tables"].items():
        if name not in TABLES:
            continue
        for file in entry["files"]:
            found = pq.read_schema(case / file["path"])
            if not found.equals(arrow_schema(name)):
                yield Fault(file["path"], "has other columns than its table")


def _check_roots(files: list[Row], roots: Mapping[str, Path]) -> Iterator[Fault]:
    """Current files against the evidence itself, where a root is given."""
    for row in files:
        root = roots.get(row["label"])
        if root is None or row["size_bytes"] is None or not row["is_current"]:
            continue
        name = f"{row['label']}/{row['path']}"
        try:
            with (root / row["path"]).open("rb") as file:
                digest = hashlib.sha256(file.read(row["size_bytes"])).hexdigest()
        except OSError as error:
            yield Fault(name, f"cannot be read under its root: {error.strerror}")
            continue
        if digest != row["sha256"]:
            yield Fault(name, "the evidence has changed since it was taken in")


def verify(case: Path, *, roots: Mapping[str, Path] | None = None) -> list[Fault]:
    """What is not as it was made; nothing when the case is whole.

    Sums and schemas come first; only when these hold are lines and bytes compared, file by file.

    Raises:
        CaseError: there is no case, or its manifest cannot be read.
    """
    manifest = read_manifest(case)
    try:
        faults = [*_check_sums(case, manifest), *_check_runs(case)]
        faults += [] if faults else _check_schemas(case, manifest)
        if faults:
            return faults
        files = _read(case, "files").to_pylist()
        segments = _read(case, "segments").to_pylist()
    except (OSError, pa.ArrowException, KeyError, TypeError) as error:
        raise CaseError(f"the case cannot be read: {error}", where=str(case)) from error
    faults += check_content(case, files, segments, has_raw=manifest["options"]["raw"])
    return faults + list(_check_roots(files, roots or {}))
