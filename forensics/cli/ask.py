"""Verbs that ask a case: findings, explain, sql, show."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import common, completion, fail_on, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption, RootsOption, ZoneOption
from forensics.cli.edge import print_error, say
from forensics.cli.output import Format
from forensics.cli.results import put_results, put_summary
from forensics.errors import NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.spec import FindingSpec, Scalar


def findings(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Names, ids, kinds (fault, risk, measure) or all; without one a summary.",
            autocompletion=completion.complete_asked,
            show_default=False,
        ),
    ] = None,
    case: CaseOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
    fail_on_words: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="WHAT",
            help="Exit 10 when this has rows or is not assessed: NAME, KIND, new:NAME, gaps. Repeatable.",
            autocompletion=completion.complete_fail_on,
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(help="An earlier `findings all --json`; for new:NAME.", show_default=False),
    ] = None,
    params: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUE",
            help="Another value for a parameter of the findings asked.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Ask findings of a case and print their rows, or a summary of all."""
    from forensics.spec import load_findings

    chosen = common.chosen_format(fmt, json_short)
    zone = output.zone_named(tz)
    specs = load_findings()
    conditions = fail_on.parse_conditions(fail_on_words or (), specs)
    known_rows = _known_rows(conditions, baseline)
    asked = fail_on.select_findings(names or (), specs)
    if names and chosen is Format.csv and len(asked) != 1:
        raise UsageError("csv holds one finding at a time", hint="name one, or use --format jsonl")
    wanted = {*(asked or specs), *fail_on.needed_findings(conditions)}
    values = _param_values(params or (), [specs[name] for name in specs if name in wanted])
    with common.read_case(case) as opened:
        results = opened.findings([name for name in specs if name in wanted], params=values)
        shown = [result for result in results if not asked or result.spec.name in asked]
        envelope = common.versions(opened.manifest)
        if names:
            quote = None if "raw" in opened.absent else opened.quote
            put_results(shown, chosen, envelope=envelope, zone=zone, quote=quote)
        else:
            put_summary(shown, chosen, envelope=envelope)
        n_gaps = opened.sql("select count(*) as n from gaps").column("n")[0].as_py()
    end_on_failures(fail_on.failures(conditions, results, n_gaps=n_gaps, known_rows=known_rows))


def end_on_failures(reasons: Sequence[str]) -> None:
    """Nothing when there is no reason; else each stands on stderr and the command ends with 10."""
    for reason in reasons:
        say(f"fail-on: {reason}")
    if reasons:
        raise typer.Exit(fail_on.FAILED)


def explain(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            help="Findings by id or name; without one all of them.",
            autocompletion=completion.complete_finding,
            show_default=False,
        ),
    ] = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Say what a finding claims, what it does not show, and what to do next."""
    from forensics.cli.explaining import put_explanations
    from forensics.spec import load_findings

    chosen = common.chosen_format(fmt, json_short)
    specs = load_findings()
    try:
        asked = fail_on.select_findings(names or ("all",), specs)
    except UsageError as error:
        raise NothingThereError(error.message, hint=error.hint) from error
    put_explanations([specs[name] for name in asked], chosen)


def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT; - reads it from stdin.")],
    case: CaseOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """Ask a case in SQL: its tables and models, read-only, nothing else within reach."""
    from forensics.cli.nearest import name_nearest
    from forensics.views import CASE_TABLES

    chosen = common.chosen_format(fmt, json_short)
    zone = output.zone_named(tz)
    text = sys.stdin.read() if query == "-" else query
    with common.read_case(case) as opened:
        try:
            sheet = output.sheet_of(opened.user_sql(text))
        except UsageError as error:
            raise name_nearest(error, {*CASE_TABLES, *opened.models}) from error
        envelope = common.versions(opened.manifest)
    output.put_sheet(sheet, chosen, envelope=envelope, zone=zone)


def show(
    ref: Annotated[str, typer.Argument(metavar="REF", help="As findings print it: label/path#L12.")],
    case: CaseOption = None,
    json_short: JsonOption = False,
    root: RootsOption = None,
) -> None:
    """Show the very bytes that a reference names, checked by SHA-256.

    Into a pipe they go unchanged; on a terminal controls are made visible.
    """
    from forensics.cli.showing import put_evidence

    roots = common.split_pairs(root, option="--root")
    with common.read_case(case) as opened:
        evidence = opened.show(ref, roots=roots)
        envelope = common.versions(opened.manifest)
    put_evidence(evidence, as_json=json_short, envelope=envelope)
    if not evidence.verified:
        print_error(
            "these bytes are not the ones that were taken in",
            hint="forensics verify says what else was altered",
        )
        raise typer.Exit(5)


def _known_rows(conditions: Sequence[fail_on.Condition], baseline: Path | None) -> frozenset[str] | None:
    if baseline is not None:
        return fail_on.read_baseline(baseline)
    if any(condition.only_new for condition in conditions):
        raise UsageError(
            "new: needs something to compare with",
            hint="--baseline FILE, written by: forensics findings all --json",
        )
    return None


def _param_values(words: Sequence[str], specs: Sequence[FindingSpec]) -> dict[str, dict[str, Scalar]]:
    values: dict[str, dict[str, Scalar]] = {}
    for word in words:
        name, equals, text = word.partition("=")
        owners = [spec for spec in specs if name in spec.params]
        if not equals or not owners:
            known = sorted({param for spec in specs for param in spec.params})
            raise UsageError(
                f"--param takes NAME=VALUE of a finding asked, not {word!r}",
                hint=f"these findings have: {', '.join(known) or 'no parameters'}",
            )
        for spec in owners:
            values.setdefault(spec.name, {})[name] = _typed(text, spec.params[name].default, word)
    return values


def _typed(text: str, default: Scalar, word: str) -> Scalar:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text]
        return type(default)(text)
    except (ValueError, KeyError) as error:
        kind = type(default).__name__
        raise UsageError(
            f"--param {word}: the value must be of type {kind}", hint=f"like {default}"
        ) from error
