"""Results of findings on stdout: all rows of some, or a summary of all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from forensics.cli import output
from forensics.cli.explaining import described, finding_version
from forensics.cli.output import Format, Sheet

if TYPE_CHECKING:
    from forensics.results import FindingResult

_SUMMARY = ("id", "name", "kind", "confidence", "status", "n_rows", "denominator", "denominator_of", "title")


def summary_record(result: FindingResult) -> dict[str, Any]:
    """One line on a finding's result, with the same keys whatever it found; no rows."""
    spec = result.spec
    return {
        "id": spec.id,
        "name": spec.name,
        "version": finding_version(spec),
        "kind": spec.kind,
        "confidence": spec.confidence,
        "title": spec.title,
        "status": result.status,
        "reason": result.reason,
        "n_rows": result.n_rows if result.status == "assessed" else None,
        "denominator": result.denominator,
        "denominator_of": result.denominator_of,
    }


def result_record(result: FindingResult) -> dict[str, Any]:
    """A finding's result with its rows and with what the finding says about itself."""
    sheet = output.sheet_of(result.rows)
    return {
        **described(result.spec),
        **summary_record(result),
        "columns": dict(result.spec.columns),
        "rows": sheet.records() if result.status == "assessed" else [],
    }


def put_summary(results: Sequence[FindingResult], fmt: Format, *, envelope: Mapping[str, object]) -> None:
    """Nothing; one row a finding stands on stdout."""
    records = [summary_record(result) for result in results]
    if fmt is Format.json:
        output.put(output.as_json({**envelope, "findings": records}))
        return
    if fmt is Format.jsonl:
        output.put(output.as_jsonl(records))
        return
    sheet = Sheet(_SUMMARY, [tuple(record[name] for name in _SUMMARY) for record in records])
    if fmt in (Format.csv, Format.md):
        if fmt is Format.csv:
            output.put_csv(sheet)
        else:
            output.put(output.as_markdown(sheet))
        return
    brief = ("id", "name", "kind", "rows", "of", "title")
    rows = [(r["id"], r["name"], r["kind"], _rows_found(r), _out_of(r), r["title"]) for r in records]
    output.put(output.terminal_table(Sheet(brief, rows)))


def put_results(
    results: Sequence[FindingResult],
    fmt: Format,
    *,
    envelope: Mapping[str, object],
    zone: dt.tzinfo,
    quote: Callable[[str], str] | None,
) -> None:
    """Nothing; every row of the findings stands on stdout."""
    match fmt:
        case Format.json:
            records = [result_record(result) for result in results]
            output.put(output.as_json({**envelope, "findings": records}))
        case Format.jsonl:
            lines = [line for result in results for line in _flat_records(result)]
            if lines:
                output.put(output.as_jsonl(lines))
        case Format.csv:
            output.put_csv(_csv_sheet(results[0]))
        case Format.md:
            output.put("\n\n".join(_as_markdown(result, zone) for result in results))
        case Format.table:
            output.put("\n\n".join(_as_text(result, zone, quote) for result in results))


def _flat_records(result: FindingResult) -> list[dict[str, object]]:
    head: dict[str, object] = {
        "finding": result.spec.name,
        "finding_id": result.spec.id,
        "finding_version": finding_version(result.spec),
        "status": result.status,
        "reason": result.reason,
    }
    if result.status != "assessed":
        return [head]
    return [{**head, **record} for record in output.sheet_of(result.rows).records()]


def _csv_sheet(result: FindingResult) -> Sheet:
    sheet = output.sheet_of(result.rows)
    columns = ("finding", "status", "reason", *sheet.columns)
    if result.status != "assessed":
        blank = (None,) * len(sheet.columns)
        return Sheet(columns, [(result.spec.name, result.status, result.reason, *blank)])
    return Sheet(columns, [(result.spec.name, result.status, None, *row) for row in sheet.rows])


def _as_markdown(result: FindingResult, zone: dt.tzinfo) -> str:
    spec = result.spec
    lines = [
        f"## {spec.id} {output.escape_markdown(spec.title)}",
        "",
        output.escape_markdown(_verdict(result)),
    ]
    lines += ["", f"Does not show: {output.escape_markdown(spec.does_not_show)}"]
    if result.n_rows and result.status == "assessed":
        lines += ["", output.as_markdown(output.sheet_of(result.rows), zone=zone)]
    return "\n".join(lines)


def _as_text(result: FindingResult, zone: dt.tzinfo, quote: Callable[[str], str] | None) -> str:
    spec = result.spec
    lines = [output.emphasise(f"{spec.id} {spec.name}: {spec.title}"), _verdict(result)]
    lines.append(output.wrapped(f"does not show: {spec.does_not_show}"))
    if result.n_rows and result.status == "assessed":
        sheet = output.sheet_of(result.rows)
        lines += ["", output.terminal_table(_without_row_id(sheet), zone=zone)]
        first = _first_reference(sheet)
        if first is not None:
            lines += ["", f"first evidence: {first}"]
            # Without raw bytes in the case the line stands in the evidence alone.
            lines += [] if quote is None else [f"  {quote(first)}"]
    return "\n".join(lines)


def _verdict(result: FindingResult) -> str:
    if result.status != "assessed":
        return f"not assessed: {result.reason}"
    out_of = (
        f" (out of {result.denominator:,} {result.denominator_of})" if result.denominator is not None else ""
    )
    return f"{result.spec.kind}, {result.spec.confidence}: {result.n_rows:,} rows{out_of}"


def _without_row_id(sheet: Sheet) -> Sheet:
    # Sixty-four hex digits push everything else off a screen; every other format carries them.
    return output.only(sheet, [name for name in sheet.columns if name != "row_id"])


def _first_reference(sheet: Sheet) -> str | None:
    if "refs" not in sheet.columns or not sheet.rows:
        return None
    refs = sheet.rows[0][sheet.columns.index("refs")]
    return str(refs[0]) if isinstance(refs, list) and refs else None


def _rows_found(record: Mapping[str, Any]) -> str:
    return "not assessed" if record["status"] != "assessed" else f"{record['n_rows']:,}"


def _out_of(record: Mapping[str, Any]) -> str:
    if record["status"] != "assessed":
        return str(record["reason"])
    return "" if record["denominator"] is None else f"{record['denominator']:,} {record['denominator_of']}"
