"""Verbs about keys: encode and locate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption
from forensics.cli.edge import say
from forensics.cli.live import SourceOption
from forensics.cli.output import Format, Sheet
from forensics.errors import NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.keys import Rule, Ruleset

RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="Encoding rules to add.", show_default=False)
]
_COLUMNS = ("path", "key", "rule", "agent", "kind", "basis", "nfc_is_certain")


def encode(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Working directories; relative ones count from here."),
    ],
    rule_names: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="RULE", help="Only this rule. Repeatable.", show_default=False),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="V", help="Only what this version may do.", show_default=False),
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="AGENT", help="Only this agent.", show_default=False)
    ] = None,
    foreign: Annotated[
        bool, typer.Option("--foreign", help="Also the wrong rules that other tools follow.")
    ] = False,
    rules: RulesOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Say which key a directory gets under each rule."""
    chosen = common.chosen_format(fmt, json_short)
    ruleset = common.load_ruleset(rules)
    picked = _pick_rules(ruleset, rule_names or (), version=version, agent=agent, foreign=foreign)
    rows = [row for path in paths for row in _encodings(path, picked)]
    if chosen is Format.table:
        output.put(output.terminal_table(_by_key(rows)))
        return
    output.put_sheet(Sheet(_COLUMNS, rows), chosen, envelope=common.versions(ruleset=ruleset))


def locate(
    keys: Annotated[list[str], typer.Argument(metavar="KEY...", help="Keys; they may begin with a dash.")],
    case: CaseOption = None,
    source: SourceOption = None,
    under: Annotated[
        list[Path] | None,
        typer.Option(
            "--under",
            metavar="DIR",
            help="Walk the directories at and below DIR that can still encode to the key. Repeatable.",
            show_default=False,
        ),
    ] = None,
    rules: RulesOption = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
) -> None:
    """Find directories that encode to a key: recorded ones, and with --under existing ones.

    Nothing decodes a key: many directories encode to one. With --under alone no case is needed.
    """
    from forensics.cli.locating import Located, locate_existing, locate_recorded

    chosen = common.chosen_format(fmt, json_short)
    ruleset = common.load_ruleset(rules)
    found = Located((), common.versions(ruleset=ruleset))
    if not under or case is not None or source is not None or common.case_path(None).exists():
        found = locate_recorded(keys, case=case, source=source, ruleset=ruleset)
    if under:
        rows, walked = locate_existing(keys, under, ruleset=ruleset)
        found = Located((*found.rows, *rows), found.envelope)
        for line in walked:
            say(line)
    sheet = found.sheet
    output.put_sheet(sheet, chosen, envelope=found.envelope)
    if not sheet.rows:
        raise NothingThereError(
            f"no directory looked at encodes to {' or '.join(keys)}",
            hint="look further with --under DIR, or take in more evidence",
        )


def _pick_rules(
    ruleset: Ruleset, names: Sequence[str], *, version: str | None, agent: str | None, foreign: bool
) -> list[tuple[Rule, str | None]]:
    from forensics.keys import CLAUDE_CODE, rules_for

    known = {rule.name for rule in ruleset.rules}
    for name in names:
        if name not in known:
            raise UsageError(f"no rule is called {name!r}", hint=f"there are {', '.join(sorted(known))}")
    picked: list[tuple[Rule, str | None]]
    if version is None:
        picked = [(rule, None) for rule in ruleset.rules if agent in (None, rule.agent)]
    else:
        candidates = rules_for(agent or CLAUDE_CODE, version, ruleset=ruleset)
        picked = [(candidate.rule, candidate.basis) for candidate in candidates]
    picked = [
        (rule, basis)
        for rule, basis in picked
        if (rule.name in names if names else foreign or rule.kind == "tool")
    ]
    if not picked:
        raise NothingThereError("no rule fits", hint="forensics encode PATH --foreign shows every rule")
    return picked


def _encodings(path: str, rules: list[tuple[Rule, str | None]]) -> list[tuple[object, ...]]:
    from forensics.keys import encode as encode_path
    from forensics.keys import nfc_is_certain

    full = absolute(path)
    certain = nfc_is_certain(full)
    return [
        (full, encode_path(full, rule), rule.name, rule.agent, rule.kind, basis, certain)
        for rule, basis in rules
    ]


def absolute(path: str) -> str:
    """The path as a tool sees it: whole, and without dots and doubled slashes; links are not followed."""
    import re

    from forensics.keys import resolve_lexical

    if path.startswith("/") or re.match(r"[A-Za-z]:[\\/]|\\\\", path):
        return resolve_lexical(path)
    return resolve_lexical(f"{Path.cwd()}/{path}")


def _by_key(rows: list[tuple[object, ...]]) -> Sheet:
    rules: dict[tuple[object, object], list[str]] = {}
    for path, key, rule, *_ in rows:
        rules.setdefault((path, "(refused)" if key is None else key), []).append(str(rule))
    return Sheet(("path", "key", "rules"), [(*pair, ", ".join(names)) for pair, names in rules.items()])
