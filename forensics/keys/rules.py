"""The known rules, read from data, and which of them a version may have used."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

Basis = Literal["observed", "interpolated", "beyond_observed", "unversioned"]
Version = tuple[int, int, int]

PACKAGED: Final = Path(__file__).with_name("rules.toml")
CLAUDE_CODE: Final = "claude_code"

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "kind": ("tool", "foreign"),
    "normal_form": ("none", "nfc"),
    "unit": ("utf16", "codepoint", "byte"),
    "strip": ("none", "separator", "unit"),
    "hash": ("none", "int32", "wyhash64"),
    "hash_over": ("path", "name"),
    "hash_sign": ("abs", "unsigned"),
    "refuses": ("", "lone_surrogate"),
}
_VERSION = re.compile(r"[vV]?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?![0-9])", re.ASCII)


class RulesError(ValueError):
    """A rules file that cannot be used, or a rule that is not known."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of naming the folder of a working directory; `rules.toml` says what each field means."""

    name: str
    agent: str = ""
    kind: str = "tool"
    title: str = ""
    first: str = ""
    last: str = ""
    observed: tuple[str, ...] = ()
    where: str = ""
    normal_form: str = "none"
    unit: str = "utf16"
    replaced: str = "other"
    resolve: bool = False
    strip: str = "none"
    prefix: str = ""
    suffix: str = ""
    lower: bool = False
    collapse: bool = False
    limit: int = 0
    hash: str = "none"
    hash_over: str = "path"
    hash_sign: str = "abs"
    hash_base: int = 36
    override: str = ""
    override_first: str = ""
    refuses: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Rules in the order in which they are tried, with what identifies them in a manifest."""

    rules: tuple[Rule, ...]
    version: str
    digest: str

    def get(self, name: str) -> Rule:
        """Return the rule of this name.

        Raises: RulesError when there is none.
        """
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise RulesError(
            f"no rule is named {name!r}; there are {', '.join(rule.name for rule in self.rules)}"
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that a version may have used, and how far that is known."""

    rule: Rule
    basis: Basis


def load_rules(extra: Path | None = None) -> Ruleset:
    """Return the packaged rules, with those of a further file added or laid over them by name.

    Raises: RulesError, naming file and rule, when a file cannot be read or holds an impossible rule.
    """
    return _packaged() if extra is None else _load(PACKAGED, extra)


@cache
def _packaged() -> Ruleset:
    return _load(PACKAGED)


def _load(*paths: Path) -> Ruleset:
    import hashlib

    digest = hashlib.sha256()
    tables: dict[str, dict[str, Any]] = {}
    version = ""
    for path in paths:
        content, document = _read(path)
        digest.update(len(content).to_bytes(8, "big") + content)
        stated = document.pop("version", "")
        if not isinstance(stated, str):
            raise RulesError(f"{path}: version must be a text")
        version = "+".join(filter(None, (version, stated)))
        entries = document.pop("rule", [])
        if document:
            raise RulesError(f"{path}: unknown field {min(document)!r}")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise RulesError(f"{path}: rules are written as [[rule]] tables")
        for entry in entries:
            _lay_over(tables, entry, path=path)
    rules = tuple(_make(table, path=paths[-1]) for table in tables.values())
    return Ruleset(rules, version, digest.hexdigest())


def _read(path: Path) -> tuple[bytes, dict[str, Any]]:
    import tomllib

    try:
        content = path.read_bytes()
        return content, tomllib.loads(content.decode())
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(f"{path}: is not TOML: {error}") from error


def _lay_over(tables: dict[str, dict[str, Any]], entry: dict[str, Any], *, path: Path) -> None:
    name = entry.get("name")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise RulesError(f"{path}: a rule needs a name of a-z, 0-9 and _, not {name!r}")
    tables[name] = {**tables.get(name, {}), **entry}


def _make(table: dict[str, Any], *, path: Path) -> Rule:
    where = f"{path}: rule {table['name']}"
    defaults = Rule(name="")
    known = {field.name for field in fields(Rule)}
    for key, value in table.items():
        if key not in known:
            raise RulesError(f"{where}: unknown field {key!r}")
        if key == "observed":
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise RulesError(f"{where}: observed must be a list of versions")
        elif type(value) is not type(getattr(defaults, key)):
            raise RulesError(f"{where}: {key} must be {type(getattr(defaults, key)).__name__}")
        if key in _CHOICES and value not in _CHOICES[key]:
            raise RulesError(f"{where}: {key} must be one of {', '.join(map(repr, _CHOICES[key]))}")
    rule = Rule(**{**table, "observed": tuple(table.get("observed", ()))})
    _check(rule, where)
    return rule


def _check(rule: Rule, where: str) -> None:
    for text in (rule.first, rule.last, rule.override_first, *rule.observed):
        if text and parse_version(text) is None:
            raise RulesError(f"{where}: {text!r} is not a version")
    if bool(rule.first) != bool(rule.last):
        raise RulesError(f"{where}: first and last belong together")
    if rule.first and not _span(rule)[0] <= _span(rule)[1]:
        raise RulesError(f"{where}: first is later than last")
    if rule.observed and not (rule.first and all(_covers(rule, text) for text in rule.observed)):
        raise RulesError(f"{where}: an observed version lies outside first and last")
    if rule.kind == "tool" and not rule.agent:
        raise RulesError(f"{where}: a tool's rule needs its agent")
    if rule.limit < 0 or bool(rule.limit) != (rule.hash != "none"):
        raise RulesError(f"{where}: a limit above 0 and a hash belong together")
    if rule.hash_base not in (16, 36):
        raise RulesError(f"{where}: hash_base must be 16 or 36")
    if bool(rule.override) != bool(rule.override_first):
        raise RulesError(f"{where}: override and override_first belong together")
    if not rule.replaced:
        raise RulesError(f"{where}: replaced is empty")


def parse_version(text: str | None) -> Version | None:
    """Return the three numbers a version begins with, or None when it does not begin so."""
    match = _VERSION.match(text.strip()) if text else None
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def _span(rule: Rule) -> tuple[Version, Version]:
    low, high = parse_version(rule.first), parse_version(rule.last)
    assert low is not None
    assert high is not None
    return low, high


def _covers(rule: Rule, version: str) -> bool:
    low, high = _span(rule)
    number = parse_version(version)
    return number is not None and low <= number <= high


def rules_for(
    agent: str = CLAUDE_CODE, version: str | None = None, ruleset: Ruleset | None = None
) -> tuple[Candidate, ...]:
    """Return the rules that this version of an agent may have used, likeliest first.

    A version inside a rule's span is `observed` when the tool was run at it, else `interpolated`; between two
    spans the rules on both sides are candidates; outside all spans the nearest are, `beyond_observed`.
    Without a readable version every rule of the agent is a candidate, the newest first, `unversioned`.
    """
    mine = [rule for rule in (ruleset or load_rules()).rules if rule.kind == "tool" and rule.agent == agent]
    number = parse_version(version)
    spanned = [(rule, *_span(rule)) for rule in mine if rule.first]
    if number is None or not spanned:
        return tuple(Candidate(rule, "unversioned") for rule in reversed(mine))
    inside = [rule for rule, low, high in spanned if low <= number <= high]
    if inside:
        return tuple(Candidate(rule, _basis(rule, number)) for rule in inside)
    below = [high for _, _, high in spanned if high < number]
    above = [low for _, low, _ in spanned if low > number]
    before = [rule for rule, _, high in spanned if below and high == max(below)]
    after = [rule for rule, low, _ in spanned if above and low == min(above)]
    basis: Basis = "interpolated" if before and after else "beyond_observed"
    return tuple(Candidate(rule, basis) for rule in (*before, *after))


def _basis(rule: Rule, number: Version) -> Basis:
    return "observed" if number in map(parse_version, rule.observed) else "interpolated"
