"""The hypotheses about keys, and what a case says for and against each, by version of the agent.

A witness is one session or one moment in it. It supports, contradicts, or decides nothing; what decides
nothing is counted apart and never as support. A hypothesis about a range of versions has witnesses of that
range only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from forensics.assumptions.files import witnesses_of_files
from forensics.assumptions.interval import Interval, wilson
from forensics.assumptions.placing import witnesses_of_placing
from forensics.assumptions.starts import witnesses_of_starts
from forensics.assumptions.verdicts import KeyVerdict
from forensics.assumptions.versions import version_order
from forensics.assumptions.witness import Witness
from forensics.keys import parse_version

if TYPE_CHECKING:
    from forensics.case import Case

N_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A claim about an agent, for the versions from `first` to `last`; empty for no bound."""

    id: str
    claim: str
    told_by: str
    first: str = ""
    last: str = ""

    @property
    def versions(self) -> str:
        """The range as a person writes it; empty for all versions."""
        bounds = (self.first and f"from {self.first}", self.last and f"to {self.last}")
        return " ".join(filter(None, bounds))

    def covers(self, version: str) -> bool:
        """Whether it speaks about a version; about one that cannot be read it may."""
        number, first, last = (parse_version(text) for text in (version, self.first, self.last))
        if number is None:
            return True
        return (first is None or first <= number) and (last is None or number <= last)


_MANY_KEYS = "sessions whose directories give two keys or more"
_OUTSIDE = "further versions that took a session up from a directory of another key"

HYPOTHESES: Final = (
    Hypothesis("V-01", "The key is that of the last directory.", _MANY_KEYS),
    Hypothesis("V-02", "The key is that of some directory that a line records.", _MANY_KEYS),
    Hypothesis(
        "V-03", "The key is that of the last relocation, or without one of the first directory.", _MANY_KEYS
    ),
    Hypothesis("V-04", "A lookup sees the folder of its own directory only.", _OUTSIDE),
    Hypothesis(
        "V-05",
        "A lookup sees its own folder and those of the repository's worktrees.",
        _OUTSIDE,
        last="2.1.222",
    ),
    Hypothesis("V-06", "A lookup sees every folder.", _OUTSIDE, first="2.1.223"),
    Hypothesis(
        "V-07",
        "A session of another directory under the same key is taken up to 2.1.238, and never after.",
        "further versions that took up a session that another directory of the key began",
    ),
    Hypothesis(
        "V-08",
        "CLI and SDKs end a long key in the same hash.",
        "sessions whose directory gives a name of more than 200 characters",
    ),
    Hypothesis(
        "V-09",
        "The time of the file is that of the last record, give or take five minutes.",
        "sessions with both times",
    ),
    Hypothesis(
        "V-10",
        "A title in the first line was given with `-n`; an `agent-name` follows it.",
        "sessions that begin with a title",
        first="2.1.223",
    ),
    Hypothesis(
        "V-11", "An underscore becomes a dash.", "sessions whose key is explained by a directory with one"
    ),
    Hypothesis(
        "V-12",
        "A session without an answer is taken up from 2.1.187, and never before.",
        "sessions that a version left with a request and without an answer",
    ),
    Hypothesis(
        "V-13",
        "A long key of another project is taken from 2.1.113 to 2.1.223, and never after.",
        "further versions that took up a session of a key with the same 200 characters",
    ),
    Hypothesis(
        "V-14", "A session lies under the key of its last relocation.", "sessions that record a relocation"
    ),
)


@dataclass(frozen=True, slots=True)
class Count:
    """Witnesses of one agent version."""

    version: str
    n_support: int
    n_against: int
    n_undecided: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A hypothesis with its witnesses counted; what decides nothing has its reasons counted too."""

    hypothesis: Hypothesis
    by_version: tuple[Count, ...]
    undecided_because: Mapping[str, int]
    support_refs: tuple[str, ...]
    against_refs: tuple[str, ...]
    undecided_refs: tuple[str, ...]

    @property
    def n_support(self) -> int:
        """Witnesses for it."""
        return sum(count.n_support for count in self.by_version)

    @property
    def n_against(self) -> int:
        """Witnesses against it."""
        return sum(count.n_against for count in self.by_version)

    @property
    def n_undecided(self) -> int:
        """Witnesses that decide nothing."""
        return sum(count.n_undecided for count in self.by_version)

    @property
    def n_applicable(self) -> int:
        """All witnesses: what the counts are out of."""
        return self.n_support + self.n_against + self.n_undecided

    @property
    def interval(self) -> Interval | None:
        """The 95 % range of the share of support among what decides; None when nothing decides."""
        return wilson(self.n_support, self.n_support + self.n_against)


def weigh_hypotheses(case: Case, verdicts: Sequence[KeyVerdict]) -> list[Tally]:
    """Each hypothesis with the witnesses of a case, in the order of `HYPOTHESES`."""
    witnesses = [*witnesses_of_placing(case, verdicts), *witnesses_of_starts(case), *witnesses_of_files(case)]
    return [tally(hypothesis, witnesses) for hypothesis in HYPOTHESES]


def tally(hypothesis: Hypothesis, witnesses: Iterable[Witness]) -> Tally:
    """The counts of the witnesses that name a hypothesis and lie in its range of versions."""
    mine = [each for each in witnesses if each.about == hypothesis.id and hypothesis.covers(each.version)]
    if hypothesis.versions:
        mine = [each if parse_version(each.version) else each.without_version() for each in mine]
    versions = sorted({each.version for each in mine}, key=version_order)
    reasons = Counter(each.why for each in mine if each.says == "undecided")
    return Tally(
        hypothesis,
        by_version=tuple(_count(version, mine) for version in versions),
        undecided_because=dict(sorted(reasons.items())),
        support_refs=_examples(mine, "support"),
        against_refs=_examples(mine, "against"),
        undecided_refs=_examples(mine, "undecided"),
    )


def _count(version: str, witnesses: Sequence[Witness]) -> Count:
    said = Counter(each.says for each in witnesses if each.version == version)
    return Count(version, said["support"], said["against"], said["undecided"])


def _examples(witnesses: Iterable[Witness], says: str) -> tuple[str, ...]:
    return tuple(sorted({each.ref for each in witnesses if each.says == says})[:N_EXAMPLES])
