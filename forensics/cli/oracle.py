"""The verb oracle: the encoding rules tested against a real tool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import FormatOption, JsonOption
from forensics.cli.keys import RulesOption
from forensics.cli.output import Format, Sheet
from forensics.errors import ContractError, NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.host.oracle import OracleRun
    from forensics.keys import Ruleset

_ROW = ("version", "path", "observed", "predicted", "rule", "basis", "agree", "note")


def oracle(
    cli: Annotated[
        Path | None,
        typer.Option("--cli", metavar="PATH", help="An agent's program or cli.js.", show_default=False),
    ] = None,
    sdk: Annotated[bool, typer.Option("--sdk", help="The Python SDK that is installed.")] = False,
    sdk_source: Annotated[
        Path | None,
        typer.Option(
            "--sdk-source", metavar="PATH", help="The SDK's distribution or folder.", show_default=False
        ),
    ] = None,
    javascript: Annotated[
        bool, typer.Option("--javascript", help="A JavaScript engine, under the rules it follows.")
    ] = False,
    runtime: Annotated[
        str | None,
        typer.Option("--runtime", metavar="PROGRAM", help="What starts a cli.js.", show_default=False),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="Patience with each directory.")] = 60,
    no_isolation: Annotated[
        bool, typer.Option("--no-isolation", help="Go on where no network namespace can be made.")
    ] = False,
    rules: RulesOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Ask a real CLI, SDK or JavaScript engine for its keys and compare; exit 4 when a rule fails.

    A CLI runs offline, with a home of its own and a stand-in of its API.
    """
    from forensics.host.oracle import ask_cli, ask_javascript, ask_sdk

    chosen = common.chosen_format(fmt, json_short)
    if sum((cli is not None, sdk or sdk_source is not None, javascript)) != 1:
        raise UsageError("name one oracle", hint="--cli PATH, --sdk, --sdk-source PATH or --javascript")
    ruleset = common.load_ruleset(rules)
    if cli is not None:
        asked = ask_cli(
            cli,
            runtime=runtime,
            isolation="none" if no_isolation else "namespace",
            seconds=seconds,
            ruleset=ruleset,
        )
    elif javascript:
        asked = ask_javascript(node=runtime or "node", rules=ruleset.rules)
    else:
        asked = ask_sdk(sdk_source, ruleset=ruleset)
    _put_oracle(asked, chosen, ruleset)
    if asked.holds is None:
        raise NothingThereError("nothing was decided", hint="the notes say why")
    if not asked.holds:
        raise ContractError(
            f"{asked.n_disagree:,} of {len(asked.rows):,} directories contradict the rules",
            hint="a newer rule may be missing: --rules FILE adds one",
        )


def _put_oracle(asked: OracleRun, fmt: Format, ruleset: Ruleset) -> None:
    rows = [tuple(getattr(row, name) for name in _ROW) for row in asked.rows]
    facts = {
        "oracle": asked.oracle,
        "version": asked.version,
        "runtime": asked.runtime,
        "isolation": asked.isolation,
        "n_agree": asked.n_agree,
        "n_disagree": asked.n_disagree,
        "n_undecided": asked.n_undecided,
    }
    if fmt is not Format.table:
        envelope = {**common.versions(ruleset=ruleset), **facts}
        output.put_sheet(Sheet(_ROW, rows), fmt, envelope=envelope)
        return
    # A thousand rows that agree would hide the one that does not.
    shown = rows if len(rows) <= 100 else [row for row in rows if row[_ROW.index("agree")] is not True]
    if shown:
        output.put(output.terminal_table(Sheet(_ROW, shown)) + "\n")
    output.put(
        f"{asked.oracle} {asked.version} on {asked.runtime}: {asked.n_agree:,} agree, "
        f"{asked.n_disagree:,} disagree, {asked.n_undecided:,} decide nothing"
    )
