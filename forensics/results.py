"""What a finding answers: rows with their references as text, and the number of things looked at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any, Literal

import pyarrow as pa

from forensics.display import row_text
from forensics.spec import REFS, FindingSpec

ROW_ID = "row_id"
_HTML_ROWS = 25
_HTML_WIDTH = 60


@dataclass(frozen=True, slots=True)
class FindingResult:
    """The answer to one finding.

    `rows` has the columns of the finding, then `row_id`, then `refs` as a list of text references.
    `denominator` says among how many `denominator_of` the rows were found.
    A finding that is not assessed has no rows and says why.
    """

    spec: FindingSpec
    status: Literal["assessed", "not_assessed"]
    reason: str | None
    rows: pa.Table
    denominator: int | None
    denominator_of: str

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.rows.num_rows)

    def _repr_html_(self) -> str:
        """The answer as HTML for a notebook, all text escaped and each cell on one line."""
        spec = self.spec
        head = f"<h4>{escape(spec.id)} {escape(spec.title)}</h4><p>{escape(spec.claim)}</p>"
        if self.status == "not_assessed":
            return f"{head}<p>Not assessed: {escape(self.reason or '')}</p>"
        shown = self.rows.slice(0, _HTML_ROWS).to_pylist()
        names = [name for name in self.rows.column_names if name != ROW_ID]
        header = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cell(row[name]))}</td>" for name in names) + "</tr>"
            for row in shown
        )
        more = f", the first {len(shown)} shown" if len(shown) < self.n_rows else ""
        count = f"<p>{self.n_rows} rows among {self.denominator} {escape(self.denominator_of)}{more}</p>"
        return f"{head}{count}<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return row_text(", ".join(str(item) for item in value), _HTML_WIDTH)
    return row_text(str(value), _HTML_WIDTH)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value


def row_id(finding_id: str, grain: Sequence[object]) -> str:
    """The name of a row: SHA-256 of the finding's id and the row's grain values.

    It stays the same for ever, whatever else the row says.
    """
    text = json.dumps([finding_id, *map(_plain, grain)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def result_schema(spec: FindingSpec, schema: pa.Schema | None) -> pa.Schema:
    """The schema of a finding's rows, with each column's description.

    Without a `schema` from the query, as for a finding that is not assessed, columns are text.
    """
    fields = [
        pa.field(
            name,
            schema.field(name).type if schema is not None else pa.string(),
            metadata={"description": doc},
        )
        for name, doc in spec.columns.items()
    ]
    extra = [
        pa.field(
            ROW_ID, pa.string(), metadata={"description": "SHA-256 of the finding's id and the grain values."}
        ),
        pa.field(
            REFS, pa.list_(pa.string()), metadata={"description": "Where the evidence for the row stands."}
        ),
    ]
    return pa.schema([*fields, *extra], metadata={"forensics.finding": spec.name, "forensics.id": spec.id})


def build_rows(spec: FindingSpec, table: pa.Table, refs: Sequence[Sequence[str]]) -> pa.Table:
    """A query's rows with `row_id` added and their references as text."""
    columns: dict[str, Any] = {name: table.column(name) for name in spec.columns}
    grains = [table.column(name).to_pylist() for name in spec.grain]
    keys = zip(*grains, strict=True)
    ids = [row_id(spec.id, key) for key in keys]
    schema = result_schema(spec, table.schema)
    arrays = [*columns.values(), pa.array(ids, pa.string()), pa.array(refs, pa.list_(pa.string()))]
    return pa.Table.from_arrays(arrays, schema=schema)
