"""Words a shell may offer: names and ids of findings, kinds; read from file names, without any database."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from forensics.errors import UsageError

KINDS = ("fault", "risk", "measure")


def complete_finding(context: typer.Context, args: list[str], incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of findings with their titles."""
    from forensics.spec import load_findings

    try:
        specs = load_findings()
    except UsageError:
        return
    for spec in specs.values():
        if spec.name.startswith(incomplete):
            yield spec.name, spec.title
        elif incomplete and spec.id.startswith(incomplete):
            yield spec.id, spec.title


def complete_asked(context: typer.Context, args: list[str], incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of findings, kinds, and `all`."""
    yield from complete_finding(context, args, incomplete)
    for kind in KINDS:
        if kind.startswith(incomplete):
            yield kind, f"every {kind}"
    if "all".startswith(incomplete):
        yield "all", "every finding"


def complete_fail_on(context: typer.Context, args: list[str], incomplete: str) -> Iterator[tuple[str, str]]:
    """What `--fail-on` takes: a finding, a kind, `new:` and a finding, `gaps`."""
    if incomplete.startswith("new:"):
        for name, title in complete_finding(context, args, incomplete.removeprefix("new:")):
            yield f"new:{name}", title
        return
    for name, title in complete_asked(context, args, incomplete):
        if name != "all":
            yield name, title
    if "gaps".startswith(incomplete):
        yield "gaps", "anything that could not be read"
