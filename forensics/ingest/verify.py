"""Whether a case still is what was taken in: sums, log, hashes, spans, and bytes against lines."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from forensics.errors import CaseError, UsageError
from forensics.ingest.faults import Fault
from forensics.ingest.manifest import RUNS, SUMS, content_digest, run_line
from forensics.ingest.pointers import check_references, check_rows
from forensics.ingest.previous import is_plain_path
from forensics.ingest.rebuild import hash_evidence
from forensics.ingest.sources import home_of
from forensics.ingest.spans import check_content
from forensics.manifests import MANIFEST, check_kinds, read_manifest
from forensics.schema import TABLES, arrow_schema

Row = dict[str, Any]

_SUM = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<name>[!-~]+)")
_DERIVED = frozenset({"report", "findings"})
"""Folders made from the case, which say nothing about the evidence of their own."""


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_sums(case: Path) -> dict[str, str] | None:
    """Digest by name, or None when the list is not as it is always written."""
    try:
        text = (case / SUMS).read_bytes().decode("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    matches = [_SUM.fullmatch(line) for line in text.split("\n")[:-1]]
    sums = {match["name"]: match["digest"] for match in matches if match}
    ordered = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    return sums if text == ordered and all(map(is_plain_path, sums)) else None


def _check_sums(case: Path, sums: Mapping[str, str]) -> Iterator[Fault]:
    """Every file against SHA256SUMS; nothing else of the case is trusted before."""
    for name in sorted(sums):
        path = case / name
        if not path.is_file():
            yield Fault(name, "is missing")
        elif sums[name] != _digest(path):
            yield Fault(name, f"differs from {SUMS}")


def _check_manifest(case: Path, manifest: Mapping[str, Any], sums: Mapping[str, str]) -> Iterator[Fault]:
    """The manifest against SHA256SUMS and itself, and against what stands in the folder."""
    listed = {file["path"]: file["sha256"] for t in manifest["tables"].values() for file in t["files"]}
    for name in sorted({*listed, MANIFEST} - set(sums)):
        yield Fault(name, f"is not in {SUMS}")
    for name in sorted(sums):
        if name != MANIFEST and listed.get(name) != sums[name]:
            yield Fault(name, "is not as the manifest says")
    if content_digest(manifest["tables"]) != manifest["content_sha256"]:
        yield Fault(MANIFEST, "content_sha256 does not follow from the tables")
    known = {*sums, *listed, SUMS, RUNS}
    for top, folders, names in os.walk(case):
        if Path(top) == case:
            folders[:] = [name for name in folders if name not in _DERIVED]
        for name in sorted(names):
            path = (Path(top) / name).relative_to(case).as_posix()
            if path not in known:
                yield Fault(path, "does not belong to the case")


def _check_runs(case: Path) -> Iterator[Fault]:
    """The log of runs: every line carries its own digest and that of the line before it.

    Lines that are missing at its end show nowhere: no table of a case tells how often it was added to.
    """
    before: bytes | None = None
    try:
        lines = (case / RUNS).read_bytes().split(b"\n")
    except OSError:
        yield Fault(RUNS, "cannot be read")
        return
    if lines.pop() != b"" or not lines:
        yield Fault(RUNS, "does not end with a whole line")
    for number, line in enumerate(lines, 1):
        where = f"{RUNS}:{number}"
        try:
            record = json.loads(line)
            previous = record["previous_sha256"]
            is_own = run_line(record) == line
        except (ValueError, KeyError, TypeError, RecursionError):
            yield Fault(where, "is not a record of a run")
            return
        if not is_own:
            yield Fault(where, "is not as it was written")
        if previous != (None if before is None else hashlib.sha256(before).hexdigest()):
            yield Fault(where, "does not follow the line before it")
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
    homes = {label: home_of(root) for label, root in roots.items()}
    for row in files:
        if row["label"] not in homes or row["size_bytes"] is None or not row["is_current"]:
            continue
        name = f"{row['label']}/{row['path']}"
        try:
            is_same = hash_evidence(homes[row["label"]], row) == row["sha256"]
        except OSError as error:
            yield Fault(name, f"cannot be read under its root: {error.strerror}")
            continue
        if not is_same:
            yield Fault(name, "the evidence has changed since it was taken in")


def verify(case: Path, *, roots: Mapping[str, Path] | None = None) -> list[Fault]:
    """What is not as it was made; nothing when the case is whole.

    Sums come first; only when these hold are columns, lines, references and bytes compared.

    Raises:
        CaseError: there is no case, or its manifest cannot be read.
        UsageError: roots are given for a redacted case, which no longer says what their bytes were.
    """
    if not (case / MANIFEST).is_file():
        read_manifest(case)
    check_kinds(case)
    sums = _read_sums(case)
    faults = [Fault(SUMS, "is not as it was written")] if sums is None else list(_check_sums(case, sums))
    faults += _check_runs(case)
    if faults or sums is None:
        return faults
    manifest = read_manifest(case)
    if roots and manifest.get("derived"):
        raise UsageError(
            "a redacted case cannot be compared with evidence", hint="verify the case that it was made of"
        )
    try:
        faults += _check_manifest(case, manifest, sums)
        faults += [] if faults else _check_schemas(case, manifest)
        if faults:
            return faults
        small = {name: _read(case, name).to_pylist() for name in ("files", "segments", "gaps")}
        faults += check_rows(small["files"], small["segments"], small["gaps"])
        faults += check_references(case, small["files"], manifest)
        has_raw = manifest["options"]["raw"]
        faults += check_content(case, small["files"], small["segments"], has_raw=has_raw)
    except (OSError, pa.ArrowException, KeyError, TypeError) as error:
        raise CaseError(f"the case cannot be read: {error}", where=str(case)) from error
    return faults + list(_check_roots(small["files"], roots or {}))
