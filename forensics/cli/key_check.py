"""The verb check-keys: the encoding rules and the hypotheses about keys, tested on a case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption
from forensics.cli.edge import say
from forensics.cli.keys import RulesOption
from forensics.cli.output import Format
from forensics.errors import ContractError, NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.cli.key_sheets import KeyCheck


def check_keys(
    case: CaseOption = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Violations that are known: only new ones count.", show_default=False
        ),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline", metavar="FILE", help="Note the violations as known.", show_default=False
        ),
    ] = None,
    rules: RulesOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Test the encoding rules on a case: every key explained, or listed with its reason; exit 4 if not.

    Hypotheses are counted for and against by version of the agent; what decides nothing supports nothing.
    """
    from forensics.assumptions import Baseline, judge_keys, list_empty_keys, read_baseline, weigh_hypotheses
    from forensics.cli.key_sheets import KeyCheck

    chosen = common.chosen_format(fmt, json_short)
    ruleset = common.load_ruleset(rules)
    known = read_baseline(baseline) if baseline is not None else Baseline()
    with common.read_case(case) as opened:
        verdicts = judge_keys(opened, ruleset=ruleset)
        tallies = weigh_hypotheses(opened, verdicts)
        check = KeyCheck(verdicts, list_empty_keys(opened), tallies, known)
        envelope = common.versions(opened.manifest, ruleset=ruleset)
        if write_baseline is not None:
            _note_baseline(write_baseline, check, case=opened.path)
    if chosen is Format.json:
        output.put(output.as_json({**envelope, **check.document()}))
    elif chosen is Format.table:
        output.put("\n\n".join(filter(None, check.text())))
    else:
        output.put_sheet(check.sheet(), chosen, envelope=envelope)
    if not verdicts:
        raise NothingThereError("no session of this case lies under a key", hint="take in a whole home")
    if check.new and write_baseline is None:
        lie = "1 session lies" if len(check.new) == 1 else f"{len(check.new):,} sessions lie"
        raise ContractError(
            f"{lie} under a key that no rule of its version explains",
            hint="each is listed with its reason; --write-baseline FILE notes them as known",
        )


def _note_baseline(path: Path, check: KeyCheck, *, case: Path) -> None:
    from forensics.assumptions import baseline_text

    if path.resolve().is_relative_to(case.resolve()):
        raise UsageError(
            "a baseline is not written into the case", where=str(path), hint="name another place"
        )
    path.write_text(baseline_text(check.sessions), "utf-8")
    say(f"known from now on: {path}")
