"""What a real tool did beside what a rule predicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from forensics.errors import NothingThereError
from forensics.host.awkward import awkward_directories, generate_paths
from forensics.keys import Candidate, Ruleset, rules_for

Isolation = Literal["namespace", "none"]


@dataclass(frozen=True, slots=True)
class OracleRow:
    """One directory, the name a tool gave its folder, and the name a rule predicted.

    `agree` is None where the tool made no folder although the predicted name is possible, or was not asked:
    that decides nothing. `observed` is None too where no folder is what the rule predicts.
    """

    version: str
    case: str
    path: str
    observed: str | None
    predicted: str | None
    rule: str
    basis: str
    agree: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class OracleRun:
    """What one tool said: the rows, which tool it was, and whether it was cut off from every network."""

    oracle: Literal["cli", "sdk", "javascript"]
    version: str
    runtime: str
    isolation: Isolation
    rows: tuple[OracleRow, ...]

    @property
    def n_agree(self) -> int:
        """Rows in which rule and tool agree."""
        return _count(self.rows, agree=True)

    @property
    def n_disagree(self) -> int:
        """Rows in which the tool did something else."""
        return _count(self.rows, agree=False)

    @property
    def n_undecided(self) -> int:
        """Rows that decide nothing."""
        return sum(row.agree is None for row in self.rows)

    @property
    def holds(self) -> bool | None:
        """Whether the rules hold: False with one disagreement, None when nothing was decided."""
        return False if self.n_disagree else (True if self.n_agree else None)


def fitting_rules(agent: str, version: str, where: str, ruleset: Ruleset | None) -> tuple[Candidate, ...]:
    """Return the rules that a version of an agent may use where it runs.

    Raises: NothingThereError when none is known.
    """
    found = rules_for(agent, version, ruleset=ruleset)
    fitting = tuple(each for each in found if each.rule.where in ("", where))
    if not fitting:
        raise NothingThereError(f"no rule is known for version {version} on {where}")
    return fitting


def settle(
    candidates: Sequence[Candidate], compare: Callable[[Candidate], tuple[OracleRow, ...]]
) -> tuple[OracleRow, ...]:
    """Return the rows under the one rule that contradicts a tool least and then explains most.

    A version follows one rule in every directory: rows may not each pick the rule that suits them.
    """
    compared = [compare(candidate) for candidate in candidates]
    return min(compared, key=lambda rows: (_count(rows, agree=False), -_count(rows, agree=True)))


def _count(rows: Sequence[OracleRow], *, agree: bool) -> int:
    return sum(row.agree is agree for row in rows)


def default_paths() -> list[str]:
    """Return what is asked when nobody names paths: the awkward ones and 2,000 generated ones."""
    return [each.path for each in awkward_directories("/srv/w")] + list(generate_paths(2000))
