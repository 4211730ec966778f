"""TABLES.md: every table of a case, every model over them, every kind of gap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from forensics.report.pages.markdown import code, join, table
from forensics.schema import GAP_CLASSES, SCHEMA_VERSION, Table
from forensics.spec import ModelSpec, load_models
from forensics.views import CASE_TABLES

_INTRODUCTION: Final = """
# Tables and models

A case is a folder of Parquet files, one or several to a table; each column carries its description there too.
`forensics sql QUERY` and `Case.table(NAME)` read tables and models alike. A table shows what the evidence
holds now; under `NAME_all` stands every row ever taken in. Inferred values end in `_guess`; times are UTC.
"""

_MODELS: Final = """
## Models

A model is a query over tables and other models, `forensics/models/NAME.sql`, computed when it is asked for.
"""

_GAPS: Final = """
## Kinds of gaps

What could not be read, or was read with a reservation, is a row of `gaps` with one of these classes.
"""


def tables_page() -> str:
    """The page of all tables with their columns, all models with theirs, and all gap classes."""
    blocks = [_INTRODUCTION, f"Schema {SCHEMA_VERSION}.", "## Tables"]
    blocks.append(table(("table", "what it holds"), [(_link(t.name), t.doc) for t in CASE_TABLES.values()]))
    for each in CASE_TABLES.values():
        blocks += _describe_table(each)
    models = load_models()
    blocks += [_MODELS, table(("model", "what it holds"), [(_link(m.name), m.doc) for m in models.values()])]
    for model in models.values():
        blocks += _describe_model(model)
    blocks += [_GAPS, table(("class", "meaning"), [(code(name), doc) for name, doc in GAP_CLASSES.items()])]
    return join(blocks)


def _link(name: str) -> str:
    return f"[{name}](#{name})"


def _describe_table(each: Table) -> Iterator[str]:
    yield f"### {each.name}"
    files = f"`{each.name}/*.parquet`" if each.in_parts else f"`{each.name}.parquet`"
    yield f"{each.doc} In {files}. One row for each {', '.join(map(code, each.grain))}."
    yield table(
        ("column", "type", "meaning"),
        [(code(column.name), str(column.type), column.doc) for column in each.columns],
    )


def _describe_model(model: ModelSpec) -> Iterator[str]:
    yield f"### {model.name}"
    yield f"{model.doc} One row for each {', '.join(map(code, model.grain))}."
    yield table(("column", "meaning"), [(code(name), doc) for name, doc in model.columns.items()])
