"""What `run` prints in the end: what was examined, what was found, where to read on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forensics.cli import output
from forensics.cli.output import Sheet

if TYPE_CHECKING:
    from forensics.results import FindingResult

_PLURAL = {"fault": "faults", "risk": "risks", "measure": "measures"}


def put_run_summary(
    examined: str, results: Sequence[FindingResult], *, case: Path, written: Sequence[Path]
) -> None:
    """Nothing; the summary stands on stdout."""
    lines = [examined, _verdict(results)]
    found = [result for result in results if result.status == "assessed" and result.n_rows]
    telling = [result for result in found if result.spec.kind != "measure"]
    if telling:
        rows = [(r.spec.kind, r.n_rows, r.spec.name, r.spec.title) for r in telling]
        lines += ["", output.terminal_table(Sheet(("kind", "rows", "finding", "what"), rows)), ""]
    for result in results:
        if result.status != "assessed":
            lines.append(f"not assessed: {result.spec.name}: {result.reason}")
    page = next((path for path in written if path.suffix == ".html"), None)
    if page is not None:
        lines.append(f"report: {page}")
    lines.append(f"ask on: forensics findings -C {_quoted(case)}")
    output.put("\n".join(lines))


def _verdict(results: Sequence[FindingResult]) -> str:
    parts = []
    for kind, plural in _PLURAL.items():
        of_kind = [r for r in results if r.spec.kind == kind and r.status == "assessed"]
        with_rows = sum(1 for result in of_kind if result.n_rows)
        parts.append(f"{with_rows} of {len(of_kind)} {plural}")
    unasked = sum(1 for result in results if result.status != "assessed")
    tail = f"; {unasked} not assessed" if unasked else ""
    return f"findings with rows: {', '.join(parts)}{tail}"


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
