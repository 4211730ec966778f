"""What `run` prints in the end: what was examined, what was found, where to read on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forensics.cli import links, output
from forensics.cli.output import Sheet

if TYPE_CHECKING:
    from forensics.results import FindingResult

# So many findings left out for one reason are counted, not named.
_MANY = 4
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
    lines += _not_assessed(results)
    page = next((path for path in written if path.suffix == ".html"), None)
    output.put("\n".join(lines))
    if page is not None:
        links.put_path("report: ", page)
    output.put(f"ask on: forensics findings -C {_quoted(case)}")


def _verdict(results: Sequence[FindingResult]) -> str:
    parts = []
    for kind, plural in _PLURAL.items():
        of_kind = [r for r in results if r.spec.kind == kind and r.status == "assessed"]
        with_rows = sum(1 for result in of_kind if result.n_rows)
        parts.append(f"{with_rows} of {len(of_kind)} {plural}")
    unasked = sum(1 for result in results if result.status != "assessed")
    tail = f"; {unasked} not assessed" if unasked else ""
    return f"findings with rows: {', '.join(parts)}{tail}"


def _not_assessed(results: Sequence[FindingResult]) -> list[str]:
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.status != "assessed":
            reasons.setdefault(result.reason or "no reason is given", []).append(result.spec.name)
    few = [(reason, names) for reason, names in reasons.items() if len(names) < _MANY]
    many = [(reason, names) for reason, names in reasons.items() if len(names) >= _MANY]
    lines = [f"not assessed: {len(names)} findings: {reason}" for reason, names in many]
    if sum(len(names) for _, names in few) < _MANY:
        return [*lines, *(f"not assessed: {', '.join(names)}: {reason}" for reason, names in few)]
    n_few = sum(len(names) for _, names in few)
    others = " for other reasons" if lines else ""
    return [*lines, f"not assessed: {n_few} findings{others}; forensics findings says why"]


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))
