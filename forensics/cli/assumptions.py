"""Verbs that test the assumptions: check-keys on a case, oracle against a real tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption
from forensics.cli.keys import RulesOption
from forensics.cli.output import Format, Sheet
from forensics.errors import ContractError, NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.cli.hypotheses import Weighed
    from forensics.host.oracle import OracleRun
    from forensics.keys import Ruleset

_ROW = ("version", "path", "observed", "predicted", "rule", "basis", "agree", "note")
_SHOWN = ("project_key", "kind", "version", "cwd", "note", "ref")


def check_keys(
    case: CaseOption = None,
    baseline: Annotated[
        Path | None,
        typer.Option(help="An earlier `check-keys --json`: only what is new counts.", show_default=False),
    ] = None,
    rules: RulesOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Test the encoding rules on a case: every key explained, or listed with its reason; exit 4 if not."""
    from forensics.cli import key_check
    from forensics.cli.hypotheses import COLUMNS, weigh_hypotheses

    chosen = common.chosen_format(fmt, json_short)
    ruleset = common.load_ruleset(rules)
    known = key_check.read_known(baseline) if baseline is not None else frozenset()
    with common.read_case(case) as opened:
        verdicts = key_check.judge_keys(opened, ruleset=ruleset)
        weighed = weigh_hypotheses(opened, verdicts)
        envelope = common.versions(opened.manifest, ruleset=ruleset)
    counts = key_check.count_by_version(verdicts)
    violations = [verdict for verdict in verdicts if verdict.is_violation]
    new = key_check.new_violations(verdicts, known)
    records = [key_check.verdict_record(verdict) for verdict in violations]
    versions = Sheet(
        ("version", "sessions", "explained", "contradicted", "undecided", "rate"),
        [
            (c.version, c.n_sessions, c.n_explained, c.n_contradicted, c.n_undecided, c.violation_rate)
            for c in counts
        ],
    )
    hypotheses = Sheet(COLUMNS, [tuple(getattr(each, name) for name in COLUMNS) for each in weighed])
    if chosen is Format.json:
        document: dict[str, Any] = {
            **envelope,
            "kinds": dict(key_check.kinds_counted(verdicts)),
            "by_version": versions.records(),
            "hypotheses": hypotheses.records(),
            "violations": records,
            "n_new": len(new),
        }
        output.put(output.as_json(document))
    elif chosen is Format.table:
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in key_check.kinds_counted(verdicts))
        blocks = [f"{len(verdicts):,} sessions under keys: {kinds or 'none'}"]
        blocks.append(output.terminal_table(versions))
        blocks += _hypotheses_text(weighed)
        if records:
            rows = [tuple(record[name] for name in _SHOWN) for record in records]
            blocks.append(output.terminal_table(Sheet(_SHOWN, rows)))
        output.put("\n\n".join(blocks))
    else:
        columns = key_check.RECORD
        sheet = Sheet(columns, [tuple(record[name] for name in columns) for record in records])
        output.put_sheet(sheet, chosen, envelope=envelope)
    if not verdicts:
        raise NothingThereError("no session of this case lies under a key", hint="take in a whole home")
    if new:
        lie = "1 session lies" if len(new) == 1 else f"{len(new):,} sessions lie"
        raise ContractError(
            f"{lie} under a key that no rule of its version explains",
            hint="each is listed with its reason; --baseline FILE lets known ones pass",
        )


def _hypotheses_text(weighed: Sequence[Weighed]) -> list[str]:
    rows = [
        (each.id, each.claim, each.n_support, each.n_against, each.n_undecided, each.n_applicable)
        for each in weighed
        if each.note is None
    ]
    columns = ("id", "claim", "for", "against", "undecided", "of")
    silent: dict[str, list[str]] = {}
    for each in weighed:
        if each.note is not None:
            silent.setdefault(each.note, []).append(each.id)
    notes = [f"{', '.join(ids)}: {note}" for note, ids in silent.items()]
    return [output.terminal_table(Sheet(columns, rows)), *notes]


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
