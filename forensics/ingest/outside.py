"""Facts from outside the transcripts that a case takes in: what a probe saw on the evidence's machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from forensics.errors import UsageError
from forensics.keys import Ruleset
from forensics.schema import Table

Row = dict[str, Any]


@dataclass(slots=True)
class Outside:
    """Rows of the tables that came from outside, and the files they came from."""

    tables: dict[str, tuple[Table, list[Row]]] = field(default_factory=dict)
    files: list[dict[str, str]] = field(default_factory=list)


def _carried(case: Path, table: Table, labels: set[str]) -> list[Row]:
    """Rows of an earlier taking-in for labels that bring nothing new now."""
    path = case / f"{table.name}.parquet"
    if not path.exists():
        return []
    rows: list[Row] = pq.ParquetFile(path).read().to_pylist()
    return [row for row in rows if row["label"] not in labels]


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
) -> Outside:
    """What outside files tell, with what earlier ones told of other labels.

    Raises:
        UsageError: a file is for a label that is no source, or is not what it should be.
    """
    known = labels | {source["label"] for source in manifest.get("sources", [])}
    for label in probe_files:
        if label not in known:
            raise UsageError(
                f"a probe for {label!r}, which is no source",
                hint=f"labels here: {', '.join(sorted(known))}",
            )
    found = Outside()
    before = [row for row in manifest.get("outside", []) if row["label"] not in probe_files]
    if not probe_files and not before:
        return found
    from forensics.host.probe import read_probe
    from forensics.host.probe_rows import probe_tables
    from forensics.host.probe_schema import PROBE_TABLES

    new = {
        label: probe_tables(label, read_probe(path), ruleset=ruleset) for label, path in probe_files.items()
    }
    for name, table in PROBE_TABLES.items():
        rows = _carried(case, table, set(probe_files))
        rows += [row for label in sorted(new) for row in new[label][name]]
        found.tables[name] = (table, rows)
    found.files = before + [
        {"kind": "probe", "label": label, "sha256": _sum_of(path)} for label, path in probe_files.items()
    ]
    found.files.sort(key=lambda row: (row["kind"], row["label"]))
    return found
