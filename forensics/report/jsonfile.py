"""The report as JSON: every row with every reference, under a published schema."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict
from datetime import datetime
from importlib.resources import files
from typing import Any

from forensics.report.model import REPORT_SCHEMA, Finding, Picture, ReportContext, Row

# What JSON lets stand in a string and a terminal obeys, or an editor hides.
_UNSAFE = re.compile("[\\x7f-\\x9f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]")

SCHEMA_FILE = "report.schema.json"


def write_json(context: ReportContext) -> str:
    """The report; its bytes depend on the context alone."""
    text = json.dumps(to_json(context), ensure_ascii=False, allow_nan=False, indent=1)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def report_schema() -> dict[str, Any]:
    """The JSON Schema that each report.json fulfils."""
    schema: dict[str, Any] = json.loads((files("forensics.report") / SCHEMA_FILE).read_text("utf-8"))
    return schema


def to_json(context: ReportContext) -> dict[str, Any]:
    """The report as plain values; empty parts keep their names."""
    return {
        "report_schema": REPORT_SCHEMA,
        "title": context.title,
        "verdict": context.verdict,
        "tz": context.tz,
        "is_full": context.is_full,
        "is_redacted": context.is_redacted,
        "examined": _plain(asdict(context.examined)),
        "headlines": _plain([asdict(head) for head in context.headlines]),
        "findings": [_finding(finding) for finding in context.findings],
        "sessions": _plain(asdict(context.sessions)),
        "gaps": _plain(asdict(context.gaps)),
        "pictures": [_picture(picture) for picture in context.pictures],
        "unseen": _plain([asdict(item) for item in context.unseen]),
        "steps": _plain([asdict(step) for step in context.steps]),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    names = [column.name for column in finding.columns]
    return {
        "name": finding.name,
        "id": finding.id,
        "kind": finding.kind,
        "confidence": finding.confidence,
        "title": finding.title,
        "claim": finding.claim,
        "does_not_show": finding.does_not_show,
        "next": finding.next,
        "grain": list(finding.grain),
        "columns": {column.name: column.doc for column in finding.columns},
        "status": finding.status,
        "reason": finding.reason,
        "n_rows": finding.n_rows,
        "n_shown": finding.n_shown,
        "denominator": finding.denominator,
        "denominator_of": finding.denominator_of,
        "rows": [_row(row, names) for row in finding.rows],
    }


def _row(row: Row, names: list[str]) -> dict[str, Any]:
    return {
        "row_id": row.row_id,
        "values": {name: _plain(value) for name, value in zip(names, row.values, strict=True)},
        "refs": list(row.refs),
        "quotes": _plain([asdict(quote) for quote in row.quotes]),
    }


def _picture(picture: Picture) -> dict[str, Any]:
    return {
        "name": picture.name,
        "beside": picture.beside,
        "title": picture.title,
        "caption": picture.caption,
        "description": picture.description,
        "absent": picture.absent,
    }


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _:
            return value
