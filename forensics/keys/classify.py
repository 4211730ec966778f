"""Which rule and which recorded directory explain a key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from forensics.keys.alias import aliases, ignores_case_guess
from forensics.keys.encode import encode, is_allowed_name, is_named_key, nfc_is_certain
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


# Linux's limit for a path: a longer text is no directory, and walking up one would be quadratic.
PATH_MAX: Final = 4096

_SUFFIX: Final = re.compile("-[0-9a-z]{1,16}")


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
        return Explanation("undecided", note="no cwd is recorded")
    mine = {candidate.rule for candidate in candidates}
    others = _nearest_first([rule for rule in rules.rules if rule not in mine], agent)
    return (
        _by_recorded(key, recorded, candidates)
        or _by_alias(key, recorded, candidates)
        or _by_other_rule(key, recorded, candidates, others)
        or _by_unknown_hash(key, recorded, candidates)
        or _by_name(key, recorded, candidates, version)
    )


def _by_recorded(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> Explanation | None:
    for cwd in cwds:
        for candidate in candidates:
            if encode(cwd, candidate.rule) == key:
                kind: Kind = "exact" if cwd == cwds[0] else "moved"
                return Explanation(kind, candidate.rule.name, cwd, basis=candidate.basis)
    return None


def _by_alias(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> Explanation | None:
    for cwd in cwds:
        for alias in aliases(cwd):
            for candidate in candidates:
                if encode(alias.spelling, candidate.rule) == key:
                    return Explanation("alias", candidate.rule.name, cwd, alias.kind, candidate.basis)
    for cwd in filter(ignores_case_guess, cwds):
        for candidate in candidates:
            name = encode(cwd, candidate.rule)
            if name is not None and not _is_cut(name, candidate.rule) and name.lower() == key.lower():
                return Explanation("alias", candidate.rule.name, cwd, "case", candidate.basis)
    return None


def _is_cut(name: str, rule: Rule) -> bool:
    return bool(rule.limit) and len(name) > rule.limit


def _nearest_first(rules: list[Rule], agent: str) -> list[Rule]:
    return sorted(rules, key=lambda rule: (rule.agent != agent, rule.kind != "tool"))


def _by_other_rule(
    key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...], others: list[Rule]
) -> Explanation | None:
    for rule in others:
        for cwd in cwds:
            if encode(cwd, rule) != key:
                continue
            if rule.limit and _shares_start(key, cwd, candidates, rule.limit):
                return Explanation("alien_hash", rule.name, cwd, note="the suffix is another rule's")
            if not rule.limit and _shares_start(key, cwd, candidates):
                return Explanation(
                    "untruncated", rule.name, cwd, note="the rule of this version would cut it"
                )
            return Explanation("wrong_rule", rule.name, cwd, note=rule.title)
    return None


def _shares_start(key: str, cwd: str, candidates: tuple[Candidate, ...], limit: int = 0) -> bool:
    """Tell whether key and cwd agree up to the limit (each candidate's own by default) and both go beyond."""
    for candidate in candidates:
        name, at = encode(cwd, candidate.rule), limit or candidate.rule.limit
        if name is not None and at and len(name) > at and len(key) > at and name[:at] == key[:at]:
            return True
    return False


def _by_unknown_hash(
    key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]
) -> Explanation | None:
    limits = {candidate.rule.limit for candidate in candidates}
    if any(limit and _SUFFIX.fullmatch(key, limit) for limit in limits):
        for cwd in cwds:
            if _shares_start(key, cwd, candidates):
                return Explanation("alien_hash", cwd=cwd, note="the suffix is no known hash of this path")
    return None


def _by_name(
    key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...], version: str | None
) -> Explanation:
    takers = [candidate for candidate in candidates if _takes_names(candidate.rule, version)]
    if takers and is_named_key(key):
        return Explanation("named", takers[0].rule.name, cwds[0], basis=takers[0].basis)
    note = None
    if is_named_key(key):
        note = "it looks like a chosen name, which this version cannot have taken"
    elif takers and is_allowed_name(key):
        note = "it may be a chosen name"
    elif not all(map(nfc_is_certain, cwds)) and any(item.rule.normal_form == "nfc" for item in candidates):
        note = "a recorded cwd holds a character whose normal form depends on the version of Unicode"
    return Explanation("unexplained", note=note, ancestor=_ancestor(key, cwds, candidates))


def _takes_names(rule: Rule, version: str | None) -> bool:
    first, number = parse_version(rule.override_first), parse_version(version)
    return first is not None and (number is None or number >= first)


def _ancestor(key: str, cwds: tuple[str, ...], candidates: tuple[Candidate, ...]) -> str | None:
    for cwd in cwds:
        separators = "/" if cwd.startswith("/") else "/\\"
        for at in range(min(len(cwd), PATH_MAX) - 1, -1, -1):
            if cwd[at] in separators:
                above = cwd[:at] or cwd[0]
                if above != cwd and any(encode(above, candidate.rule) == key for candidate in candidates):
                    return above
    return None
