"""What the verbs share: which case is meant, the options they have in common, the versions in JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forensics.cli.edge import say
from forensics.cli.output import Format
from forensics.errors import CaseError, UsageError
from forensics.version import __version__

if TYPE_CHECKING:
    from forensics.case import Case
    from forensics.keys import Ruleset

DEFAULT_CASE = "forensics-case"

TAKE_IN = "Take evidence in"
ASK = "Ask"
SESSIONS = "Sessions and keys"
ASSUMPTIONS = "Check the assumptions"
CARE = "Care for a case"

CaseOption = Annotated[
    Path | None,
    typer.Option(
        "-C",
        "--case",
        metavar="CASE",
        help="The case to read; else $FORENSICS_CASE, else ./forensics-case.",
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--out",
        metavar="CASE",
        help="The case to write; else $FORENSICS_CASE, else ./forensics-case.",
        show_default=False,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How the result is written.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
ZoneOption = Annotated[
    str, typer.Option("--tz", metavar="ZONE", help="The time zone of times that people read.")
]
RootsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--root",
        metavar="LABEL=PATH",
        help="Where the evidence of a label lies now; for a case without raw bytes.",
        show_default=False,
    ),
]


def case_path(case: Path | None) -> Path:
    """The case that is meant: the option, else $FORENSICS_CASE, else ./forensics-case."""
    if case is not None:
        return case
    return Path(os.environ.get("FORENSICS_CASE") or DEFAULT_CASE)


def existing_case(case: Path | None) -> Path:
    """The case that is meant and is there.

    Raises:
        CaseError: there is nothing at its path.
    """
    path = case_path(case)
    if not path.exists():
        raise CaseError(
            "there is no case here",
            where=str(path),
            hint="make one with: forensics run SOURCE -o CASE; or say where it is with -C or $FORENSICS_CASE",
        )
    return path


def read_case(case: Path | None) -> Case:
    """The opened case that is meant; a context manager."""
    path = existing_case(case)
    from forensics.case import open_case

    return open_case(path)


def chosen_format(fmt: Format, as_json: bool) -> Format:
    """The format that `--format` and `--json` together ask for.

    Raises:
        UsageError: they ask for two.
    """
    if as_json and fmt not in (Format.table, Format.json):
        raise UsageError(f"--json and --format {fmt.value} contradict each other", hint="leave one out")
    return Format.json if as_json else fmt


def versions(manifest: Mapping[str, Any] | None = None, *, ruleset: Ruleset | None = None) -> dict[str, Any]:
    """What every JSON result carries: which tool, which rules, and which case it was read from."""
    rules = dict(manifest["ruleset"]) if manifest else None
    if ruleset is not None:
        rules = {"version": ruleset.version, "digest": ruleset.digest}
    return {
        "tool": {"name": "forensics", "version": __version__},
        "ruleset": rules,
        "case": {
            "schema": manifest["schema"],
            "content_sha256": manifest["content_sha256"],
            "as_of": manifest["as_of"],
            "as_of_basis": manifest["as_of_basis"],
        }
        if manifest
        else None,
    }


def load_ruleset(extra: Path | None) -> Ruleset:
    """The packaged rules with those of a file added.

    Raises:
        UsageError: the file cannot be used.
    """
    from forensics.keys import RulesError, load_rules

    try:
        return load_rules(extra)
    except RulesError as error:
        raise UsageError(str(error), hint="forensics/keys/rules.toml documents every field") from error


def split_pairs(words: Sequence[str] | None, *, option: str) -> dict[str, Path]:
    """The `LABEL=PATH` words of an option by label.

    Raises:
        UsageError: a word has no `=`, or a label stands twice.
    """
    pairs: dict[str, Path] = {}
    for word in words or ():
        label, equals, path = word.partition("=")
        if not equals or not label or not path:
            raise UsageError(f"{option} takes LABEL=PATH, not {word!r}", hint=f"{option} home=/some/folder")
        if label in pairs:
            raise UsageError(f"{option} names {label} twice", hint="give each label once")
        pairs[label] = Path(path)
    return pairs


def say_gaps(case: Case) -> None:
    """Nothing; one line on stderr says what could not be read, and which source is another one's folder."""
    for source in case.manifest["sources"]:
        if source["same_as"] is not None:
            say(f"note: {source['label']} is the same folder as {source['same_as']}; it was read once")
    rows = case.sql(
        'select "class" as class, count(*) as n from gaps group by "class" order by n desc, "class"'
    ).to_pylist()
    total = sum(row["n"] for row in rows)
    if total:
        kinds = ", ".join(f"{row['class']} {row['n']:,}" for row in rows)
        say(f"gaps: {total:,} ({kinds})")
