"""Verdicts counted by the version of the agent that they speak about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forensics.assumptions.interval import Interval, wilson
from forensics.assumptions.verdicts import UNDECIDED, KeyVerdict
from forensics.keys import parse_version


@dataclass(frozen=True, slots=True)
class VersionCount:
    """Verdicts of one agent version; the version is empty where none is recorded."""

    version: str
    n_sessions: int
    n_explained: int
    n_contradicted: int
    n_undecided: int

    @property
    def n_decided(self) -> int:
        """Sessions that say something about the rules: what the rate is out of."""
        return self.n_explained + self.n_contradicted

    @property
    def violation_rate(self) -> float | None:
        """Contradicted out of decided; None when nothing was decided."""
        return self.n_contradicted / self.n_decided if self.n_decided else None

    @property
    def interval(self) -> Interval | None:
        """The range that the true rate lies in with 95 % confidence; None when nothing was decided."""
        return wilson(self.n_contradicted, self.n_decided)


def count_by_version(verdicts: Iterable[KeyVerdict]) -> list[VersionCount]:
    """Counts for each version, oldest first; sessions without one come first."""
    by_version: dict[str, list[KeyVerdict]] = {}
    for verdict in verdicts:
        by_version.setdefault(verdict.version, []).append(verdict)
    return [_count(version, by_version[version]) for version in sorted(by_version, key=version_order)]


def version_order(version: str) -> tuple[tuple[int, int, int], str]:
    """What sorts versions as numbers; a text that is not a version comes first."""
    return (parse_version(version) or (-1, -1, -1), version)


def _count(version: str, verdicts: list[KeyVerdict]) -> VersionCount:
    return VersionCount(
        version=version,
        n_sessions=len(verdicts),
        n_explained=sum(verdict.is_explained for verdict in verdicts),
        n_contradicted=sum(verdict.is_violation for verdict in verdicts),
        n_undecided=sum(verdict.explanation.kind == UNDECIDED for verdict in verdicts),
    )
