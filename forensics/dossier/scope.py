"""What a lookup would take, asked in a directory by a version of the command line.

Each possible rule of the version is played through; where they do not agree, the answer is `unknown`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from forensics.dossier.lookups import Basis, ContinueRule, Facts, ResumeRule, load_facts
from forensics.keys import CLAUDE_CODE, LIMIT, encode, rules_for
from forensics.paths import canonical_guess, style

Verdict = Literal["found", "not_found", "unknown"]
Why = Literal[
    "own_folder",
    "elsewhere_in_home",
    "same_beginning",
    "other_folder",
    "several_elsewhere",
    "no_file",
    "nothing_to_continue",
    "rules_differ",
    "not_looked",
]
Exists = Callable[[str], bool | None]

_BASES: tuple[Basis, ...] = ("observed", "interpolated", "beyond_observed", "unversioned")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A main transcript that a lookup may take; the greater `newness` the newer."""

    path: str
    session_id: str | None
    project_key: str
    head_cwd: str | None = None
    newness: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """A directory in which the command line is run, and the keys that this version may give it."""

    directory: str
    version: str | None
    keys: tuple[str, ...]
    basis: Basis

    @property
    def ignores_case(self) -> bool:
        """Whether folders there are found whatever their letters' case."""
        return style(self.directory) in ("windows", "unc")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a lookup does: the file it takes, or why it takes none, and how sure that is."""

    verdict: Verdict
    why: Why
    path: str | None
    basis: Basis


def ask_in(directory: str, *, version: str | None) -> Asked:
    """The directory as a version of the command line would file it."""
    candidates = rules_for(CLAUDE_CODE, version)
    keys = dict.fromkeys(key for each in candidates if (key := encode(directory, each.rule)) is not None)
    bases = [each.basis for each in candidates] or ["unversioned"]
    return Asked(directory, version, tuple(keys), max(bases, key=_BASES.index))


def predict_resume(files: Iterable[Candidate], asked: Asked, *, facts: Facts | None = None) -> Outcome:
    """What `--resume ID` takes; `files` are those of one home that have the id as their name."""
    places = tuple(files)
    rules, basis = (facts or load_facts()).resume_rules(asked.version)
    outcomes = [_resume(places, key, rule, asked) for key in asked.keys for rule in rules]
    return _agreed(outcomes, basis)


def predict_continue(
    files: Iterable[Candidate],
    asked: Asked,
    *,
    folders: Iterable[str],
    exists: Exists,
    facts: Facts | None = None,
) -> Outcome:
    """What `--continue` takes; `files` are all of one home that hold messages, `folders` all its keys.

    `exists` says whether a directory is there, or None where nobody looked.
    """
    places = sorted(files, key=lambda file: (-file.newness, file.path))
    rules, basis = (facts or load_facts()).continue_rules(asked.version)
    there = frozenset(folders)
    outcomes = [_continue(places, key, rule, asked, there, exists) for key in asked.keys for rule in rules]
    return _agreed(outcomes, basis)


def _agreed(outcomes: Sequence[tuple[Verdict, Why, str | None]], basis: Basis) -> Outcome:
    kinds = dict.fromkeys((verdict, path) for verdict, _, path in outcomes)
    if len(kinds) != 1:
        return Outcome("unknown", "rules_differ", None, basis)
    verdict, why, path = outcomes[0]
    return Outcome(verdict, why, path, basis)


def _same_key(one: str, other: str, asked: Asked) -> bool:
    return one.lower() == other.lower() if asked.ignores_case else one == other


def _resume(
    places: Sequence[Candidate], key: str, rule: ResumeRule, asked: Asked
) -> tuple[Verdict, Why, str | None]:
    own = [file for file in places if _same_key(file.project_key, key, asked)]
    if own:
        return "found", "own_folder", own[0].path
    if not places:
        return "not_found", "no_file", None
    if rule.reach == "folder":
        return "not_found", "other_folder", None
    if len({file.project_key for file in places}) > 1:
        return "not_found", "several_elsewhere", None
    return "found", "elsewhere_in_home", places[0].path


def _continue(
    places: Sequence[Candidate],
    key: str,
    rule: ContinueRule,
    asked: Asked,
    folders: frozenset[str],
    exists: Exists,
) -> tuple[Verdict, Why, str | None]:
    for file in places:
        if not _same_key(file.project_key, key, asked):
            continue
        if rule.colliding == "pass_while_there" and len(key) <= LIMIT and _is_of_another(file, key, asked):
            assert file.head_cwd is not None
            match exists(file.head_cwd):
                case True:
                    continue
                case None:
                    return "unknown", "not_looked", file.path
        return "found", "own_folder", file.path
    if len(key) > LIMIT and not any(_same_key(folder, key, asked) for folder in folders):
        return _by_beginning(places, key, rule, asked)
    return "not_found", "nothing_to_continue", None


def _by_beginning(
    places: Sequence[Candidate], key: str, rule: ContinueRule, asked: Asked
) -> tuple[Verdict, Why, str | None]:
    here = canonical_guess(asked.directory)
    for file in places:
        if rule.prefix == "none" or file.project_key[:LIMIT] != key[:LIMIT]:
            continue
        if rule.prefix == "any" or canonical_guess(file.head_cwd or "") == here:
            return "found", "same_beginning", file.path
    return "not_found", "nothing_to_continue", None


def _is_of_another(file: Candidate, key: str, asked: Asked) -> bool:
    """Whether the session began in another directory that has the same key."""
    if file.head_cwd is None or canonical_guess(file.head_cwd) == canonical_guess(asked.directory):
        return False
    return key in ask_in(file.head_cwd, version=asked.version).keys
