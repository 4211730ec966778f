"""FINDINGS.md: what each finding claims, what it does not show, and what its rows hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final

from forensics.report.pages.markdown import code, join, table
from forensics.spec import FindingSpec, load_findings

_INTRODUCTION: Final = """
# Findings

A finding is a question put to the evidence: a claim, what the claim does not show, and rows that name the
lines they rest on (`refs`) beside the columns below. `confidence` says what the claim stands on: *observed*
is read in the evidence, *rule* follows from a tool's rule as it was observed, *heuristic* is an inference.

A finding whose tables, probe or versions are missing is *not assessed* and says why; it never answers with no
rows. Each is one file, `forensics/findings/NAME.sql`; `forensics explain NAME` prints the same, and
[how to write one](../forensics/findings/README.md) is a page of its own.
"""

_KINDS: Final = {
    "fault": "## Faults: something is wrong",
    "risk": "## Risks: something may go wrong, or be lost",
    "measure": "## Measures: what is usual here",
}


def findings_page(findings: Mapping[str, FindingSpec] | None = None) -> str:
    """The page of all findings: an index, then each with its claim, limits and columns."""
    specs = list((load_findings() if findings is None else findings).values())
    blocks = [_INTRODUCTION, table(("id", "name", "kind", "confidence", "title"), map(_index, specs))]
    for kind, group in groupby(specs, key=lambda spec: spec.kind):
        blocks.append(_KINDS[kind])
        for spec in group:
            blocks += _describe(spec)
    return join(blocks)


def _index(spec: FindingSpec) -> tuple[str, ...]:
    anchor = f"{spec.id} {spec.name}".lower().replace(" ", "-")
    return spec.id, f"[{spec.name}](#{anchor})", spec.kind, spec.confidence, spec.title


def _describe(spec: FindingSpec) -> Iterator[str]:
    yield f"### {spec.id} {spec.name}"
    yield f"**{spec.title}** ({spec.kind}, {spec.confidence})"
    yield f"Claims: {spec.claim}"
    yield f"Does not show: {spec.does_not_show}"
    yield f"Next: {spec.next}"
    facts = [f"One row for each {', '.join(map(code, spec.grain))}", f"out of {spec.denominator_of}"]
    facts += [f"needs {', '.join(map(code, spec.needs))}"] if spec.needs else []
    yield "; ".join(facts) + "."
    if spec.params:
        yield table(
            ("parameter", "default", "meaning"),
            [(code(name), code(str(param.default)), param.doc) for name, param in spec.params.items()],
        )
    yield table(("column", "meaning"), [(code(name), doc) for name, doc in spec.columns.items()])
