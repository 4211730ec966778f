"""Which rule and which recorded directory explain a key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from forensics.keys.alias import aliases
from forensics.keys.encode import encode, is_allowed_name, is_named_key
from forensics.keys.rules import (
    CLAUDE_CODE,
    Basis,
    Candidate,
    Rule,
    Ruleset,
    load_rules,
    parse_version,
    rules_for,
)

Kind = Literal[
    "exact", "moved", "alias", "named", "alien_hash", "untruncated", "wrong_rule", "unexplained", "undecided"
]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What explains a key: kind, rule, recorded cwd, kind of alias, and how far that is known.

    `exact` is the first recorded cwd, `moved` a later one, `alias` another spelling of one, all under a rule
    of the version; `untruncated` and `alien_hash` are long keys under another rule, `wrong_rule` any other
    key under another rule. `ancestor` names a directory above a cwd that would explain the key, and decides
    nothing.
    """

    kind: Kind
    rule: str | None = None
    cwd: str | None = None
    alias: str | None = None
    basis: Basis | None = None
    note: str | None = None
    ancestor: str | None = None


def classify(
    key: str,
    cwds: Iterable[str],
    version: str | None = None,
    agent: str = CLAUDE_CODE,
    ruleset: Ruleset | None = None,
) -> Explanation:
    """Return what explains a key, given the cwds recorded under it in their order."""
    rules = ruleset or load_rules()
    candidates = rules_for(agent, version, ruleset=rules)
    recorded = tuple(dict.fromkeys(cwds))
    if not recorded:
        return Explanation("undecided", note=_note_on_name(key, candidates, version) or "no cwd is recorded")
    mine = {candidate.rule.name for candidate in candidates}
    others = [rule for rule in rules.rules if rule.name not in mine]
    return (
        _by_recorded(key, recorded, candidates)
        or _by_alias(key, recorded, candidates)
        or _by_other_rule(key, recorded, _nearest_first(others, agent))
        or _by_unknown_hash(key, recorded, candidates)
        or _by_name(key, recorded, candidates, version)
    )


def _by_recorded(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> Explanation | None:
    for cwd in cwds:
        for rule, basis in ((candidate.rule, candidate.basis) for candidate in candidates):
            if encode(cwd, rule) == key:
                return Explanation("exact" if cwd == cwds[0] else "moved", rule.name, cwd, basis=basis)
    return None


def _by_alias(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> Explanation | None:
    for cwd in cwds:
        for alias in aliases(cwd):
            for rule, basis in ((candidate.rule, candidate.basis) for candidate in candidates):
                if encode(alias.spelling, rule) == key:
                    return Explanation("alias", rule.name, cwd, alias.kind, basis)
    lowered = key.lower()
    for cwd in cwds:
        for rule, basis in ((candidate.rule, candidate.basis) for candidate in candidates):
            name = encode(cwd, rule)
            if name is not None and not _is_cut(name, rule) and name.lower() == lowered and key != lowered:
                return Explanation("alias", rule.name, cwd, "case", basis)
    return None


def _is_cut(name: str, rule: Rule) -> bool:
    return bool(rule.limit) and len(name) > rule.limit


def _nearest_first(rules: list[Rule], agent: str) -> Iterator[Rule]:
    yield from (rule for rule in rules if rule.agent == agent)
    yield from (rule for rule in rules if rule.agent != agent and rule.kind == "tool")
    yield from (rule for rule in rules if rule.agent != agent and rule.kind != "tool")


def _by_other_rule(key: str, cwds: tuple[str, ...], others: Iterator[Rule]) -> Explanation | None:
    for rule in others:
        for cwd in cwds:
            if encode(cwd, rule) != key:
                continue
            if not rule.limit and len(key) > 200:
                return Explanation(
                    "untruncated", rule.name, cwd, note="the rule of this version would cut it"
                )
            if _is_cut(key, rule) and not rule.lower and not rule.collapse:
                return Explanation("alien_hash", rule.name, cwd, note="the suffix is another rule's")
            return Explanation("wrong_rule", rule.name, cwd, note=rule.title)
    return None


def _by_unknown_hash(
    key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]
) -> Explanation | None:
    for candidate in candidates:
        limit = candidate.rule.limit
        if not limit or not re.fullmatch("-[0-9a-z]{1,16}", key[limit:]):
            continue
        for cwd in cwds:
            name = encode(cwd, candidate.rule)
            if name is not None and _is_cut(name, candidate.rule) and name[:limit] == key[:limit]:
                note = "the first 200 units agree, the suffix is no known hash of this path"
                return Explanation("alien_hash", cwd=cwd, note=note)
    return None


def _by_name(
    key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...], version: str | None
) -> Explanation:
    if is_named_key(key):
        for candidate in candidates:
            if _may_be_named(candidate.rule, version):
                return Explanation("named", candidate.rule.name, cwds[0], basis=candidate.basis)
    return Explanation(
        "unexplained",
        note=_note_on_name(key, candidates, version),
        ancestor=_ancestor(key, cwds, candidates),
    )


def _may_be_named(rule: Rule, version: str | None) -> bool:
    first, number = parse_version(rule.override_first), parse_version(version)
    return first is not None and (number is None or number >= first)


def _note_on_name(key: str, candidates: tuple[Candidate, ...], version: str | None) -> str | None:
    if not is_allowed_name(key):
        return None
    if any(_may_be_named(candidate.rule, version) for candidate in candidates):
        return "it may be a chosen name"
    return "it looks like a chosen name, which this version cannot have taken" if is_named_key(key) else None


def _ancestor(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> str | None:
    for cwd in cwds:
        for match in reversed(list(re.finditer(r"[\\/]", cwd))):
            above = cwd[: match.start()] or cwd[0]
            if any(encode(above, candidate.rule) == key for candidate in candidates):
                return above
    return None
