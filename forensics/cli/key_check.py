"""Is every key of a case explained by a rule that its version may have used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensics.errors import UsageError
from forensics.keys import CLAUDE_CODE, Explanation, Ruleset, classify
from forensics.refs import Ref, format_ref

if TYPE_CHECKING:
    from forensics.case import Case

EXPLAINED = ("exact", "moved", "alias", "named")
UNDECIDED = "undecided"

RECORD = (
    *("label", "home", "project_key", "kind", "version", "rule"),
    *("basis", "cwd", "alias", "note", "ancestor", "ref"),
)

_SESSIONS = """
select
    s.label, s.home, s.project_key, s.path, s.agent, s.file_id, s.generation,
    coalesce(s.last_version, '') as version
from sessions as s
where s.project_key is not null
order by s.label, s.home, s.project_key, s.path, s.generation
"""
_CWDS = """
select file_id, generation, cwd from session_cwds
order by file_id, generation, first_position, cwd
"""


@dataclass(frozen=True, slots=True)
class KeyVerdict:
    """What explains the key of one session, or why nothing does."""

    label: str
    home: str
    project_key: str
    version: str
    ref: str
    explanation: Explanation

    @property
    def is_violation(self) -> bool:
        """Whether the rules of this version are contradicted."""
        return self.explanation.kind not in (*EXPLAINED, UNDECIDED)

    @property
    def identity(self) -> str:
        """What names this verdict in a baseline; a further file of the same kind under a key is not new."""
        return json.dumps([self.label, self.home, self.project_key, self.explanation.kind])


@dataclass(frozen=True, slots=True)
class VersionCount:
    """Verdicts of one agent version."""

    version: str
    n_sessions: int
    n_explained: int
    n_contradicted: int
    n_undecided: int

    @property
    def violation_rate(self) -> float | None:
        """Contradicted out of decided; None when nothing was decided."""
        decided = self.n_explained + self.n_contradicted
        return self.n_contradicted / decided if decided else None


def judge_keys(case: Case, *, ruleset: Ruleset | None = None) -> list[KeyVerdict]:
    """A verdict for each session under a key; subagents lie where their session does."""
    cwds: dict[tuple[int, int], list[str]] = {}
    for row in case.sql(_CWDS).to_pylist():
        cwds.setdefault((row["file_id"], row["generation"]), []).append(row["cwd"])
    return [
        KeyVerdict(
            label=row["label"],
            home=row["home"],
            project_key=row["project_key"],
            version=row["version"],
            ref=format_ref(Ref(row["label"], row["path"])),
            explanation=classify(
                row["project_key"],
                cwds.get((row["file_id"], row["generation"]), ()),
                row["version"] or None,
                row["agent"] or CLAUDE_CODE,
                ruleset,
            ),
        )
        for row in case.sql(_SESSIONS).to_pylist()
    ]


def count_by_version(verdicts: Iterable[KeyVerdict]) -> list[VersionCount]:
    """Counts for each version, oldest first; sessions without one come first."""
    from forensics.keys import parse_version

    by_version: dict[str, list[KeyVerdict]] = {}
    for verdict in verdicts:
        by_version.setdefault(verdict.version, []).append(verdict)
    order = sorted(by_version, key=lambda version: (parse_version(version) or (-1, -1, -1), version))
    return [
        VersionCount(
            version=version,
            n_sessions=len(by_version[version]),
            n_explained=sum(v.explanation.kind in EXPLAINED for v in by_version[version]),
            n_contradicted=sum(v.is_violation for v in by_version[version]),
            n_undecided=sum(v.explanation.kind == UNDECIDED for v in by_version[version]),
        )
        for version in order
    ]


def new_violations(verdicts: Iterable[KeyVerdict], known: frozenset[str]) -> list[KeyVerdict]:
    """Violations that an earlier result does not hold."""
    return [verdict for verdict in verdicts if verdict.is_violation and verdict.identity not in known]


def read_known(path: Path) -> frozenset[str]:
    """Identities of the violations in an earlier `check-keys --json`.

    Raises:
        UsageError: the file is not such a result.
    """
    try:
        rows = json.loads(path.read_text("utf-8"))["violations"]
        return frozenset(
            json.dumps([row["label"], row["home"], row["project_key"], row["kind"]]) for row in rows
        )
    except OSError as error:
        raise UsageError(f"cannot read the baseline: {error.strerror}", where=str(path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            "this is not a result of `forensics check-keys --json`",
            where=str(path),
            hint="write one with: forensics check-keys --json > known-keys.json",
        ) from error


def verdict_record(verdict: KeyVerdict) -> dict[str, Any]:
    """A verdict for JSON and tables."""
    why = verdict.explanation
    return {
        "label": verdict.label,
        "home": verdict.home,
        "project_key": verdict.project_key,
        "kind": why.kind,
        "version": verdict.version,
        "rule": why.rule,
        "basis": why.basis,
        "cwd": why.cwd,
        "alias": why.alias,
        "note": why.note,
        "ancestor": why.ancestor,
        "ref": verdict.ref,
    }


def kinds_counted(verdicts: Sequence[KeyVerdict]) -> Iterator[tuple[str, int]]:
    """Each kind of explanation that occurs, with its count."""
    kinds = [verdict.explanation.kind for verdict in verdicts]
    for kind in (*EXPLAINED, "alien_hash", "untruncated", "wrong_rule", "unexplained", UNDECIDED):
        if n := kinds.count(kind):  # type: ignore[arg-type]
            yield kind, n
