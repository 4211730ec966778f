"""The command line: one small module a group of verbs, and each verb is a call of the API.

Importing it costs little: Polars, DuckDB, pyarrow and the report are imported where a verb needs them.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from forensics.cli import alive, ask, care, common, host, key_check, keys, oracle, reporting, run, sessions
from forensics.cli.edge import run_command
from forensics.cli.parsing import KeyCommand, VerbGroup
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


_GROUPS = {
    common.TAKE_IN: (run.run, run.convert, host.probe),
    common.ASK: (ask.findings, reporting.report, ask.explain, ask.show, ask.sql),
    common.SESSIONS: (
        sessions.session,
        sessions.sessions,
        alive.alive,
        sessions.key,
        keys.locate,
        keys.encode,
    ),
    common.ASSUMPTIONS: (key_check.check_keys, oracle.oracle),
    common.CARE: (care.verify, care.rebuild, care.redact, care.export),
}
_WITH_KEYS = (sessions.key, keys.locate)

for _group, _verbs in _GROUPS.items():
    for _verb in _verbs:
        app.command(cls=KeyCommand if _verb in _WITH_KEYS else None, rich_help_panel=_group)(_verb)


def main() -> None:
    """Nothing; the command ran and the interpreter ends with its exit code."""
    sys.exit(run_command(typer.main.get_command(app)))
