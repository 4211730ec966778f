"""Facts from outside the transcripts that a case takes in: what a probe saw, and what other files tell."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow.parquet as pq

from forensics.errors import UsageError
from forensics.keys import Ruleset
from forensics.schema import Table

Row = dict[str, Any]

_NO_FILES: Mapping[str, Path] = MappingProxyType({})


@dataclass(slots=True)
class Outside:
    """Rows of the tables that came from outside, and the files they came from."""

    tables: dict[str, tuple[Table, list[Row]]] = field(default_factory=dict)
    files: list[dict[str, str]] = field(default_factory=list)


def _rows_before(case: Path, table: Table) -> list[Row]:
    path = case / f"{table.name}.parquet"
    return pq.ParquetFile(path).read().to_pylist() if path.exists() else []


def _sum_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def take_outside(
    case: Path,
    *,
    manifest: Mapping[str, Any],
    labels: set[str],
    probe_files: Mapping[str, Path],
    ruleset: Ruleset,
    withs: Mapping[str, Path] = _NO_FILES,
) -> Outside:
    """What outside files tell, with what earlier ones told of other labels and of other kinds.

    Raises:
        UsageError: a file is for a label that is no source, or is not what it should be.
    """
    found = Outside()
    before = manifest.get("outside", [])
    known = labels | {source["label"] for source in manifest.get("sources", [])}
    _take_probes(found, case, [row for row in before if row["kind"] == "probe"], known, probe_files, ruleset)
    _take_withs(found, case, [row for row in before if row["kind"] != "probe"], withs)
    found.files.sort(key=lambda row: (row["kind"], row["label"]))
    return found


def _take_probes(
    found: Outside,
    case: Path,
    before: list[dict[str, str]],
    known: set[str],
    probe_files: Mapping[str, Path],
    ruleset: Ruleset,
) -> None:
    for label in probe_files:
        if label not in known:
            raise UsageError(
                f"a probe for {label!r}, which is no source",
                hint=f"labels here: {', '.join(sorted(known))}",
            )
    kept = [row for row in before if row["label"] not in probe_files]
    if not probe_files and not kept:
        return
    from forensics.host.probe import read_probe
    from forensics.host.probe_rows import probe_tables
    from forensics.host.probe_schema import PROBE_TABLES

    new = {
        label: probe_tables(label, read_probe(path), ruleset=ruleset) for label, path in probe_files.items()
    }
    for name, table in PROBE_TABLES.items():
        rows = [row for row in _rows_before(case, table) if row["label"] not in probe_files]
        rows += [row for label in sorted(new) for row in new[label][name]]
        found.tables[name] = (table, rows)
    found.files += kept + [
        {"kind": "probe", "label": label, "sha256": _sum_of(path)} for label, path in probe_files.items()
    ]


def _take_withs(found: Outside, case: Path, before: list[dict[str, str]], withs: Mapping[str, Path]) -> None:
    """A kind that is given replaces what was given of it before; without any there is no table."""
    from forensics.alive.with_schema import WITH_TABLES
    from forensics.alive.withs import WITH_KINDS, read_withs

    there = {kind for kind in WITH_KINDS if kind in withs or (case / f"with_{kind}.parquet").exists()}
    if not there and not withs:
        return
    new = read_withs(withs)
    for name, table in WITH_TABLES.items():
        kind = name.removeprefix("with_")
        is_of_all = kind not in WITH_KINDS
        if is_of_all or kind in there:
            old = _rows_before(case, table)
            kept = [row for row in old if (row["kind"] if is_of_all else kind) not in withs]
            found.tables[name] = (table, kept + new[name])
    found.files += [row for row in before if row["kind"] not in withs]
    found.files += [
        {"kind": row["kind"], "label": row["file"], "sha256": row["sha256"]} for row in new["with_files"]
    ]
