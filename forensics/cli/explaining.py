"""What findings say about themselves, as text, Markdown or JSON."""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Sequence
from typing import Any

from forensics.cli import common, output
from forensics.cli.output import Format, Sheet
from forensics.spec import FindingSpec


def finding_version(spec: FindingSpec) -> str:
    """Twelve hex digits that change whenever the finding's file does."""
    return hashlib.sha256(spec.path.read_bytes()).hexdigest()[:12]


def described(spec: FindingSpec) -> dict[str, Any]:
    """What a finding says about itself, with the same keys for every finding."""
    return {
        "id": spec.id,
        "name": spec.name,
        "version": finding_version(spec),
        "kind": spec.kind,
        "confidence": spec.confidence,
        "title": spec.title,
        "claim": spec.claim,
        "does_not_show": spec.does_not_show,
        "next": spec.next,
        "grain": list(spec.grain),
        "needs": list(spec.needs),
        "params": {name: {"default": p.default, "doc": p.doc} for name, p in spec.params.items()},
        "denominator_of": spec.denominator_of,
        "columns": dict(spec.columns),
    }


def put_explanations(specs: Sequence[FindingSpec], fmt: Format) -> None:
    """Nothing; each finding is explained on stdout."""
    descriptions = [described(spec) for spec in specs]
    match fmt:
        case Format.json:
            output.put(output.as_json({**common.versions(), "findings": descriptions}))
        case Format.jsonl:
            output.put(output.as_jsonl(descriptions))
        case Format.csv:
            columns = ("id", "name", "kind", "confidence", "title", "claim", "does_not_show", "next")
            rows = [tuple(item[name] for name in columns) for item in descriptions]
            output.put_csv(Sheet(columns, rows))
        case Format.md:
            output.put("\n\n".join(_as_markdown(item) for item in descriptions))
        case Format.table:
            width = min(output.terminal_width() or 100, 100)
            output.put("\n\n".join(_as_text(item, width) for item in descriptions))


def _as_text(item: dict[str, Any], width: int) -> str:
    lines = [output.emphasise(f"{item['id']} {item['name']}: {item['title']}")]
    for name, text in _facts(item):
        lines += textwrap.wrap(
            text, width, initial_indent=f"  {name:<15}", subsequent_indent=" " * 17, break_long_words=False
        )
    lines.append("  columns")
    for name, doc in item["columns"].items():
        lines += textwrap.wrap(f"{name}: {doc}", width, initial_indent="    ", subsequent_indent="      ")
    return "\n".join(lines)


def _as_markdown(item: dict[str, Any]) -> str:
    lines = [f"## {item['id']} {output.escape_markdown(item['name'])}", ""]
    lines += [output.escape_markdown(item["title"]), ""]
    lines += [f"- {name}: {output.escape_markdown(text)}" for name, text in _facts(item)]
    lines += ["", "| column | meaning |", "| --- | --- |"]
    lines += [
        f"| {output.escape_markdown(name)} | {output.escape_markdown(doc)} |"
        for name, doc in item["columns"].items()
    ]
    return "\n".join(lines)


def _facts(item: dict[str, Any]) -> list[tuple[str, str]]:
    facts = [
        ("kind", f"{item['kind']}, {item['confidence']}"),
        ("claims", item["claim"]),
        ("does not show", item["does_not_show"]),
        ("next", item["next"]),
        ("one row", f"for each {', '.join(item['grain'])}"),
        ("out of", item["denominator_of"]),
    ]
    if item["needs"]:
        facts.append(("needs", ", ".join(item["needs"])))
    facts += [
        ("parameter", f"{name} = {param['default']!r}: {param['doc']}")
        for name, param in item["params"].items()
    ]
    return facts
