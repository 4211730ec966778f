"""The verb report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, JsonOption, RootsOption, ZoneOption


def report(
    case: CaseOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="Where to write; else CASE/report.", show_default=False
        ),
    ] = None,
    redact: Annotated[bool, typer.Option("--redact", help="Mask names, home paths, mail, secrets.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every row and dossier, however many.")] = False,
    tz: ZoneOption = "UTC",
    root: RootsOption = None,
    json_short: JsonOption = False,
) -> None:
    """Write the report of a case: HTML, Markdown and JSON."""
    output.zone_named(tz)
    roots = common.split_pairs(root, option="--root")
    with common.read_case(case) as opened:
        from forensics.report import build_context, write_report

        context = build_context(opened, tz=tz, full=full, redact=redact, roots=roots)
        written = write_report(context, common.case_path(case) / "report" if out is None else out)
        envelope = common.versions(opened.manifest)
    if json_short:
        output.put(output.as_json({**envelope, "report": [str(path) for path in written]}))
    else:
        output.put("\n".join(str(path) for path in written))
