"""`--fail-on`: which results turn a success into exit code 10."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensics.errors import UsageError
from forensics.spec import KINDS

if TYPE_CHECKING:
    from forensics.results import FindingResult
    from forensics.spec import FindingSpec

FAILED = 10
_GAPS = "gaps"
_NEW = "new:"


@dataclass(frozen=True, slots=True)
class Condition:
    """One `--fail-on` word, understood."""

    word: str
    names: frozenset[str]
    only_new: bool = False
    on_gaps: bool = False


def parse_conditions(words: Sequence[str], specs: Mapping[str, FindingSpec]) -> tuple[Condition, ...]:
    """The conditions that the words state.

    Raises:
        UsageError: a word is neither a finding, nor a kind, nor `gaps`.
    """
    return tuple(_parse(word, specs) for word in words)


def select_findings(words: Sequence[str], specs: Mapping[str, FindingSpec]) -> tuple[str, ...]:
    """Names of the findings that names, ids, kinds or `all` stand for, in the registry's order.

    Raises:
        UsageError: a word stands for nothing.
    """
    chosen = {name for word in words for name in _names(word, specs)}
    return tuple(name for name in specs if name in chosen)


def needed_findings(conditions: Iterable[Condition]) -> frozenset[str]:
    """Names of the findings that have to be asked to judge the conditions."""
    return frozenset().union(*(condition.names for condition in conditions))


def failures(
    conditions: Iterable[Condition],
    results: Iterable[FindingResult],
    *,
    n_gaps: int,
    known_rows: frozenset[str] | None = None,
) -> list[str]:
    """A sentence for each thing that the conditions forbid; what was not assessed is forbidden too."""
    by_name = {result.spec.name: result for result in results}
    reasons: dict[str, None] = {}
    for condition in conditions:
        if condition.on_gaps and n_gaps:
            reasons[f"gaps: {n_gaps:,}"] = None
        for name in sorted(condition.names & by_name.keys()):
            reason = _reason(by_name[name], condition, known_rows)
            if reason is not None:
                reasons[reason] = None
    return list(reasons)


def read_baseline(path: Path) -> frozenset[str]:
    """Row ids of an earlier `findings --json`, against which rows count as new.

    Raises:
        UsageError: the file is not such a result.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
        findings = document["findings"]
        return frozenset(row["row_id"] for finding in findings for row in finding["rows"])
    except OSError as error:
        raise UsageError(f"cannot read the baseline: {error.strerror}", where=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            "this is not a result of `forensics findings all --json`",
            where=str(path),
            hint="write one with: forensics findings all --json > baseline.json",
        ) from error


def _parse(word: str, specs: Mapping[str, FindingSpec]) -> Condition:
    if word == _GAPS:
        return Condition(word, frozenset(), on_gaps=True)
    if word.startswith(_NEW):
        return Condition(word, _names(word.removeprefix(_NEW), specs), only_new=True)
    return Condition(word, _names(word, specs))


def _names(word: str, specs: Mapping[str, FindingSpec]) -> frozenset[str]:
    if word == "all":
        return frozenset(specs)
    if word in KINDS:
        return frozenset(name for name, spec in specs.items() if spec.kind == word)
    for name, spec in specs.items():
        if word in (name, spec.id):
            return frozenset({name})
    from difflib import get_close_matches

    close = get_close_matches(word, [*specs, *KINDS], n=3)
    known = f"did you mean {' or '.join(close)}?" if close else "forensics explain lists all findings"
    raise UsageError(f"no finding is called {word!r}", hint=known)


def _reason(result: FindingResult, condition: Condition, known_rows: frozenset[str] | None) -> str | None:
    if result.status != "assessed":
        return f"{result.spec.name}: not assessed ({result.reason})"
    n_rows = result.n_rows
    if condition.only_new:
        known = known_rows or frozenset()
        n_rows = sum(row_id not in known for row_id in _row_ids(result.rows))
        return f"{result.spec.name}: {n_rows:,} new" if n_rows else None
    return f"{result.spec.name}: {n_rows:,}" if n_rows else None


def _row_ids(rows: Any) -> list[str]:
    ids: list[str] = rows.column("row_id").to_pylist()
    return ids
