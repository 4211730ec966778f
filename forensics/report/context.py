"""The report's content, gathered from a case: one tree for all formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Protocol

from forensics.errors import CaseError
from forensics.redaction import Redactor
from forensics.report.evidence import EvidenceCase, Mask, Quoter
from forensics.report.model import (
    ColumnDoc,
    Examined,
    Finding,
    Headline,
    ReportContext,
    Row,
    Source,
    Value,
    Version,
)
from forensics.report.pictures import draw_pictures
from forensics.report.redact import mask_tree
from forensics.report.sections import list_steps, list_unseen, read_gaps
from forensics.report.sessions import cite_sessions
from forensics.report.text import count_of, read_zone
from forensics.results import ROW_ID, FindingResult
from forensics.spec import KINDS, REFS

TITLE = "Transcript forensics"
_NO_ROOTS: Mapping[str, Path] = {}
_ROWS = 200
_ROWS_OF_ALL = 1_500
_FEWEST_ROWS = 25
_QUOTES = 3
_CLIP = 120
_FULL_CLIP = 400


class ReportCase(EvidenceCase, Protocol):
    """What a report needs from a case."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the case says of itself."""

    @property
    def models(self) -> Mapping[str, Any]:
        """The models by name."""

    def findings(self, names: Sequence[str] = ()) -> list[FindingResult]:
        """The answers, in the order of a report."""


def build_context(
    case: ReportCase,
    *,
    findings: Sequence[FindingResult] | None = None,
    tz: str = "UTC",
    full: bool = False,
    redact: Redactor | bool = False,
    roots: Mapping[str, Path] = _NO_ROOTS,
    pictures: bool = True,
) -> ReportContext:
    """Everything a report of the case says.

    `full` shows every row on the page and longer quotes; `redact` masks names and secrets in all of it.

    Raises:
        UsageError: there is no such time zone.
    """
    zone = read_zone(tz)
    redactor = Redactor.of_case(case) if redact is True else redact or None
    mask: Mask = redactor.mask if redactor is not None else _as_it_is
    results = list(case.findings() if findings is None else findings)
    quoter = Quoter(case=case, width=_FULL_CLIP if full else _CLIP, mask=mask, roots=roots)
    asked = _read_findings(results, quoter, zone, full=full)
    examined = _read_examined(case, zone)
    context = ReportContext(
        title=TITLE,
        verdict=_say_verdict(asked, examined),
        tz=tz,
        is_full=full,
        is_redacted=redactor is not None,
        examined=examined,
        headlines=tuple(_count_kind(kind, asked) for kind in KINDS),
        findings=asked,
        sessions=cite_sessions(case, asked, zone, full=full),
        pictures=draw_pictures(case, asked, mask) if pictures else (),
        gaps=read_gaps(case, full=full),
        unseen=list_unseen(case),
        steps=list_steps(case, is_redacted=redactor is not None, full=full, tz=tz),
    )
    return mask_tree(context, mask) if redactor is not None else context


def _as_it_is(text: str) -> str:
    return text


def _share_rows(results: Sequence[FindingResult]) -> int:
    """How many rows of a finding a page can carry, so that the page stays one that opens at once."""
    n = sum(1 for result in results if result.n_rows)
    return max(_FEWEST_ROWS, min(_ROWS, _ROWS_OF_ALL // max(1, n)))


def _read_findings(
    results: Sequence[FindingResult], quoter: Quoter, zone: tzinfo, *, full: bool
) -> tuple[Finding, ...]:
    limit = _share_rows(results)
    shown = {r.spec.name: r.n_rows if full else min(r.n_rows, limit) for r in results}
    rows = {r.spec.name: r.rows.to_pylist() for r in results}
    cited = [
        ref
        for result in results
        for row in rows[result.spec.name][: shown[result.spec.name]]
        for ref in row[REFS][:_QUOTES]
    ]
    quotes = quoter.quote(cited)
    return tuple(
        Finding(
            name=result.spec.name,
            id=result.spec.id,
            kind=result.spec.kind,
            confidence=result.spec.confidence,
            title=result.spec.title,
            claim=result.spec.claim,
            does_not_show=result.spec.does_not_show,
            next=result.spec.next,
            grain=result.spec.grain,
            columns=tuple(ColumnDoc(name, doc) for name, doc in result.spec.columns.items()),
            status=result.status,
            reason=result.reason,
            n_rows=result.n_rows,
            n_shown=shown[result.spec.name],
            denominator=result.denominator,
            denominator_of=result.denominator_of,
            rows=tuple(
                Row(
                    row_id=row[ROW_ID],
                    values=tuple(to_value(row[name], zone) for name in result.spec.columns),
                    refs=tuple(row[REFS]),
                    quotes=tuple(quotes[ref] for ref in row[REFS][:_QUOTES])
                    if n < shown[result.spec.name]
                    else (),
                )
                for n, row in enumerate(rows[result.spec.name])
            ),
        )
        for result in results
    )


def to_value(value: object, zone: tzinfo) -> Value:
    """A value of a result as a value of a report; times move to the zone, bytes become hex."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return value.astimezone(zone)
        case bytes():
            return value.hex()
        case dict():
            return {str(name): to_value(item, zone) for name, item in value.items()}
        case list() | tuple():
            return tuple(to_value(item, zone) for item in value)
        case _:
            return str(value)


def _count_kind(kind: str, findings: Sequence[Finding]) -> Headline:
    of_kind = [finding for finding in findings if finding.kind == kind]
    return Headline(
        kind=kind,
        n_findings=len(of_kind),
        n_with_rows=sum(1 for finding in of_kind if finding.n_rows),
        n_rows=sum(finding.n_rows for finding in of_kind),
        n_not_assessed=sum(1 for finding in of_kind if not finding.is_assessed),
    )


def _say_verdict(findings: Sequence[Finding], examined: Examined) -> str:
    asked = [finding for finding in findings if finding.is_assessed]
    found = [finding for finding in asked if finding.n_rows]
    over = (
        f"{count_of(len(asked), 'question')} {'was' if len(asked) == 1 else 'were'} asked of "
        f"{count_of(examined.n_lines, 'line')} in {count_of(examined.n_files, 'file')}"
    )
    left = len(findings) - len(asked)
    rest = f" {count_of(left, 'question')} could not be asked, which is not an answer." if left else ""
    if not asked:
        return f"No question could be asked of this evidence.{rest}"
    if not found:
        return f"Nothing was found: {over}, and none found a row.{rest}"
    counts = [
        count_of(n, kind) for kind in KINDS if (n := sum(1 for finding in found if finding.kind == kind))
    ]
    said = counts[0] if len(counts) == 1 else f"{', '.join(counts[:-1])} and {counts[-1]}"
    return f"{over[0].upper()}{over[1:]}; {len(found)} found something: {said}.{rest}"


_SOURCES = """
select
    files.label,
    count(*) as n_files,
    count(*) filter (where files.size_bytes is null) as n_unread,
    coalesce(sum(files.size_bytes), 0)::bigint as n_bytes,
    coalesce(sum(files.n_lines), 0)::bigint as n_lines,
    count(distinct coalesce(t.session_id, t.path)) as n_sessions
from files
left join transcripts as t
    on files.file_id = t.file_id
    and files.generation = t.generation
    and t.role = 'main'
group by files.label
order by files.label
"""
_KEYS = "select label, count(*) as n_keys from keys group by label order by label"


def _read_examined(case: ReportCase, zone: tzinfo) -> Examined:
    manifest = case.manifest
    by_label = {row["label"]: row for row in case.sql(_SOURCES).to_pylist()}
    keys = {row["label"]: row["n_keys"] for row in case.sql(_KEYS).to_pylist()}
    sources = tuple(_read_source(said, by_label.get(said["label"], {}), keys) for said in manifest["sources"])
    as_of = manifest["as_of"]
    return Examined(
        sources=sources,
        n_files=sum(row["n_files"] for row in by_label.values()),
        n_unread=sum(row["n_unread"] for row in by_label.values()),
        n_bytes=sum(row["n_bytes"] for row in by_label.values()),
        n_lines=sum(row["n_lines"] for row in by_label.values()),
        n_sessions=sum(row["n_sessions"] for row in by_label.values()),
        n_keys=sum(keys.values()),
        tool=Version(manifest["tool"]["name"], manifest["tool"]["version"]),
        ruleset=Version("ruleset", str(manifest["ruleset"]["version"])),
        ruleset_digest=manifest["ruleset"]["digest"],
        libraries=tuple(Version(name, text) for name, text in sorted(manifest["libraries"].items())),
        case_schema=manifest["schema"],
        as_of=_read_time(as_of).astimezone(zone) if as_of is not None else None,
        as_of_basis=manifest.get("as_of_basis"),
        content_sha256=manifest["content_sha256"],
    )


def _read_source(said: Mapping[str, Any], row: Mapping[str, Any], keys: Mapping[str, int]) -> Source:
    return Source(
        label=said["label"],
        kind=said["kind"],
        n_files=row.get("n_files", 0),
        n_bytes=row.get("n_bytes", 0),
        n_lines=row.get("n_lines", 0),
        n_sessions=row.get("n_sessions", 0),
        n_keys=keys.get(said["label"], 0),
        same_as=said.get("same_as"),
    )


def _read_time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise CaseError(f"the manifest's as_of is no time: {text!r}") from error
