"""Coding-agent transcripts read as evidence.

Convert a corpus to Parquet, ask with DuckDB SQL, report with proof:

    from forensics import convert, open_case, write_report

    convert(["~/.claude"], "my-case")
    with open_case("my-case") as case:
        case.findings(["encoding_collision"])[0].rows
        case.table("sessions").collect()
        write_report(case, "my-case/report")

Names are loaded when they are first asked for, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from forensics.version import __version__

if TYPE_CHECKING:
    from forensics.case import Case, open_case
    from forensics.errors import ForensicsError
    from forensics.ingest.convert import Conversion, ConvertOptions, convert
    from forensics.ingest.rebuild import rebuild
    from forensics.ingest.verify import verify
    from forensics.keys import classify, encode, load_rules, rules_for, variants
    from forensics.refs import format_ref, parse_ref
    from forensics.report import build_context, write_report

_PLACES = {
    "Case": "forensics.case",
    "Conversion": "forensics.ingest.convert",
    "ConvertOptions": "forensics.ingest.convert",
    "ForensicsError": "forensics.errors",
    "build_context": "forensics.report",
    "classify": "forensics.keys",
    "convert": "forensics.ingest.convert",
    "encode": "forensics.keys",
    "format_ref": "forensics.refs",
    "load_rules": "forensics.keys",
    "open_case": "forensics.case",
    "parse_ref": "forensics.refs",
    "rebuild": "forensics.ingest.rebuild",
    "rules_for": "forensics.keys",
    "variants": "forensics.keys",
    "verify": "forensics.ingest.verify",
    "write_report": "forensics.report",
}

__all__ = [
    "Case",
    "Conversion",
    "ConvertOptions",
    "ForensicsError",
    "__version__",
    "build_context",
    "classify",
    "convert",
    "encode",
    "format_ref",
    "load_rules",
    "open_case",
    "parse_ref",
    "rebuild",
    "rules_for",
    "variants",
    "verify",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'forensics' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
