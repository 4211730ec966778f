"""The command line: one small module a group of verbs, and each verb is a call of the API.

Importing it costs little: Polars, DuckDB, pyarrow and the report are imported where a verb needs them.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from forensics.cli import ask, care, common, reporting, run
from forensics.cli.edge import run_command
from forensics.cli.parsing import VerbGroup
from forensics.version import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="forensics",
    help="Read coding-agent transcripts as evidence: convert, ask, report with proof.",
    epilog="Start with: forensics run SOURCE. The case: -C, else $FORENSICS_CASE, else ./forensics-case.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    cls=VerbGroup,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"forensics {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _begin(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")


for _verb, _group in (
    (run.run, common.TAKE_IN),
    (run.convert, common.TAKE_IN),
    (ask.findings, common.ASK),
    (reporting.report, common.ASK),
    (ask.explain, common.ASK),
    (ask.show, common.ASK),
    (ask.sql, common.ASK),
    (care.verify, common.CARE),
    (care.rebuild, common.CARE),
    (care.export, common.CARE),
):
    app.command(rich_help_panel=_group)(_verb)


def main() -> None:
    """Nothing; the command ran and the interpreter ends with its exit code."""
    sys.exit(run_command(typer.main.get_command(app)))
