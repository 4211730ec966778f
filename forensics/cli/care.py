"""Verbs that care for a case: rebuild, verify, export, redact."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption, RootsOption
from forensics.cli.output import Format, Sheet

ALTERED = 5


def rebuild(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="An empty or new folder.")],
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="LABEL/PATH of files or folders; else everything."),
    ] = None,
    case: CaseOption = None,
    root: RootsOption = None,
    json_short: JsonOption = False,
) -> None:
    """Write the evidence back out of a case, byte for byte."""
    roots = common.split_pairs(root, option="--root")
    path = common.existing_case(case)
    from forensics.ingest.rebuild import rebuild as write_back

    written = write_back(path, to, paths=tuple(paths or ()), roots=roots)
    if json_short:
        counts = {"n_files": written.n_files, "n_bytes": written.n_bytes, "n_noted": written.n_noted}
        output.put(output.as_json({**common.versions(), "rebuilt": {"to": str(to), **counts}}))
    else:
        noted = f"; {written.n_noted:,} without bytes, as links" if written.n_noted else ""
        output.put(f"{to}: {written.n_files:,} files, {written.n_bytes:,} bytes{noted}")


def verify(
    case: CaseOption = None,
    root: RootsOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Check hashes, spans and references of a case; exit 5 when anything was altered."""
    chosen = common.chosen_format(fmt, json_short)
    roots = common.split_pairs(root, option="--root")
    path = common.existing_case(case)
    from forensics.ingest.verify import verify as check

    faults = check(path, roots=roots)
    columns = ("where", "what")
    sheet = Sheet(columns, [(fault.where, fault.what) for fault in faults])
    if chosen is Format.table and not faults:
        output.put("every hash, span and reference holds")
    else:
        output.put_sheet(sheet, chosen, envelope=common.versions())
    if faults:
        raise typer.Exit(ALTERED)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The .duckdb file to write; must not exist.")],
    case: CaseOption = None,
    json_short: JsonOption = False,
) -> None:
    """Write a case as one self-contained .duckdb file: tables and models as tables."""
    with common.read_case(case) as opened:
        opened.export(file)
        envelope = common.versions(opened.manifest)
    if json_short:
        output.put(output.as_json({**envelope, "file": str(file), "n_bytes": file.stat().st_size}))
    else:
        output.put(f"{file}: {file.stat().st_size / 1e6:,.1f} MB")


def redact(
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="CASE2", help="The redacted case to write, a new folder.")
    ],
    case: CaseOption = None,
    json_short: JsonOption = False,
) -> None:
    """Write a case to hand on: names and secrets masked, no bytes, no hashes."""
    from forensics.ingest.redacted import write_redacted
    from forensics.redaction import Redactor
    from forensics.secrets import mask_secrets

    with common.read_case(case) as opened:
        redactor = Redactor.of_case(opened)
        envelope = common.versions(opened.manifest)
        written = write_redacted(opened.path, out, mask=redactor.mask, mask_word=mask_secrets)
    if json_short:
        counts = {"n_rows": written.n_rows, "n_masked": written.n_masked}
        output.put(output.as_json({**envelope, "redacted": {"case": str(out), **counts}}))
    else:
        output.put(f"{out}: {written.n_rows:,} rows, {written.n_masked:,} names and texts masked")
