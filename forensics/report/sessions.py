"""The sessions that findings cite, each with its directories in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from forensics.refs import Ref, format_ref, parse_ref
from forensics.report.model import Finding, Run, Session, Sessions
from forensics.report.sections import SectionCase, exact_path

_SHOWN = 200
_RUNS = 40

_MAIN = """
select
    s.file_id,
    s.label,
    s.path,
    f.path_bytes,
    s.project_key,
    s.session_id,
    s.n_lines,
    s.first_ts,
    s.last_ts
from sessions as s
join files as f on f.file_id = s.file_id and f.generation = s.generation
order by s.label, s.path
"""
_RUNS_OF = """
select
    r.file_id,
    r.cwd,
    r.first_line_no,
    r.last_line_no,
    r.n_lines
from cwd_runs as r
where r.chain = 'main'
order by r.file_id, r.run_no
"""


def cite_sessions(
    case: SectionCase, findings: Sequence[Finding], zone: tzinfo, *, full: bool = False
) -> Sessions:
    """The main transcripts that findings point at: those with faults first, then with most findings."""
    rows = case.sql(_MAIN).to_pylist()
    cited_by = _citations(findings)
    runs: dict[int, list[Run]] = defaultdict(list)
    for row in case.sql(_RUNS_OF).to_pylist():
        runs[row["file_id"]].append(
            Run(row["cwd"], row["first_line_no"], row["last_line_no"], row["n_lines"])
        )
    cited = [
        Session(
            session_id=row["session_id"] or "",
            label=row["label"],
            project_key=row["project_key"],
            ref=format_ref(Ref(row["label"], exact_path(row))),
            n_lines=row["n_lines"],
            first_ts=_at(row["first_ts"], zone),
            last_ts=_at(row["last_ts"], zone),
            n_runs=len(runs[row["file_id"]]),
            runs=tuple(runs[row["file_id"]][:_RUNS]),
            findings=cited_by[row["label"], exact_path(row)],
        )
        for row in rows
        if (row["label"], exact_path(row)) in cited_by
    ]
    kinds = {finding.name: finding.kind for finding in findings}
    cited.sort(key=lambda session: _weight(session, kinds))
    n_shown = len(cited) if full else min(_SHOWN, len(cited))
    return Sessions(n_sessions=len(rows), cited=tuple(cited), n_shown=n_shown)


def _weight(session: Session, kinds: Mapping[str, str]) -> tuple[int, ...]:
    of = [kinds[name] for name in session.findings]
    return (-of.count("fault"), -of.count("risk"), -len(of))


def _citations(findings: Sequence[Finding]) -> Mapping[tuple[str, str], tuple[str, ...]]:
    names: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for finding in findings:
        for ref in _refs(finding):
            place = parse_ref(ref)
            names[place.label, place.path][finding.name] = None
    return {key: tuple(found) for key, found in names.items()}


def _refs(finding: Finding) -> Iterable[str]:
    return dict.fromkeys(ref for row in finding.rows for ref in row.refs)


def _at(moment: Any, zone: tzinfo) -> datetime | None:
    return moment.astimezone(zone) if isinstance(moment, datetime) else None
