"""The facts of `scope.toml`: which lookup a version of the command line does, and how sure that is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from forensics.keys import parse_version

PACKAGED = Path(__file__).with_name("scope.toml")

Basis = Literal["observed", "interpolated", "beyond_observed", "unversioned"]
Reach = Literal["folder", "home"]
Version = tuple[int, int, int]
_SpanT = TypeVar("_SpanT", bound="Span")


@dataclass(frozen=True, slots=True)
class Span:
    """Versions between which a lookup was not seen to change."""

    first: str
    last: str
    observed: tuple[str, ...]
    source: str

    def bounds(self) -> tuple[Version, Version]:
        """The first and the last version as numbers."""
        return number_of(self.first), number_of(self.last)


@dataclass(frozen=True, slots=True)
class ResumeRule(Span):
    """Where `--resume ID` looks."""

    reach: Reach


@dataclass(frozen=True, slots=True)
class ContinueRule(Span):
    """What `--continue` takes beyond the newest session of its own directory."""

    colliding: Literal["take", "pass_while_there"]
    prefix: Literal["none", "any", "same_cwd"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The words of a refusal."""

    name: str
    text: str
    observed: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known about lookups."""

    resume: tuple[ResumeRule, ...]
    continue_: tuple[ContinueRule, ...]
    user_only_from: str
    user_only_source: str
    refusals: tuple[Refusal, ...]

    def resume_rules(self, version: str | None) -> tuple[tuple[ResumeRule, ...], Basis]:
        """The rules that this version may follow in `--resume ID`, and how that is known."""
        return _applying(self.resume, version)

    def continue_rules(self, version: str | None) -> tuple[tuple[ContinueRule, ...], Basis]:
        """The rules that this version may follow in `--continue`, and how that is known."""
        return _applying(self.continue_, version)

    def takes_user_only(self, version: str | None) -> bool | None:
        """Whether a session without an answer of the model can be resumed; None without a version."""
        number = parse_version(version)
        return None if number is None else number >= number_of(self.user_only_from)


def number_of(version: str) -> Version:
    """The version as three numbers.

    Raises:
        ValueError: it is not written so.
    """
    number = parse_version(version)
    if number is None:
        raise ValueError(f"{version!r} is not a version")
    return number


@cache
def load_facts(path: Path = PACKAGED) -> Facts:
    """The facts in a file."""
    document: Mapping[str, Any] = tomllib.loads(path.read_text("utf-8"))
    user_only = document["no_model_turn"]
    return Facts(
        resume=tuple(ResumeRule(**_lists_as_tuples(table)) for table in document["resume"]),
        continue_=tuple(ContinueRule(**_lists_as_tuples(table)) for table in document["continue"]),
        user_only_from=user_only["resumable_from"],
        user_only_source=user_only["source"],
        refusals=tuple(Refusal(**_lists_as_tuples(table)) for table in document["refusal"]),
    )


def _lists_as_tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}


def _applying(rules: tuple[_SpanT, ...], version: str | None) -> tuple[tuple[_SpanT, ...], Basis]:
    number = parse_version(version)
    if number is None:
        return rules, "unversioned"
    for rule in rules:
        low, high = rule.bounds()
        if low <= number <= high:
            is_observed = number in {number_of(text) for text in rule.observed}
            return (rule,), "observed" if is_observed else "interpolated"
    before = [rule for rule in rules if rule.bounds()[1] < number]
    after = [rule for rule in rules if rule.bounds()[0] > number]
    neighbours = (*before[-1:], *after[:1])
    return neighbours, "interpolated" if before and after else "beyond_observed"
