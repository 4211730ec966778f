"""RULES.md: every rule by which a folder was named, with the versions it was observed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from forensics.keys import Rule, Ruleset, encode, load_rules
from forensics.report.pages.markdown import code, join, table

EXAMPLES: Final = (
    ("/srv/w/my.app_v2", "dot and underscore"),
    ("/srv/w/my-app-v2", "the same key: nothing tells the two apart"),
    ("/srv/w/UPPER09lower", "case stays"),
    ("/srv/w/日本", "one dash a character"),
    ("/srv/w/x😀y", "an emoji is two UTF-16 units"),
    ("/srv/w/cafe\u0301", "an accent of its own (U+0301)"),
    ("/", "the root"),
    ("C:\\Users\\kit\\app", "Windows"),
    ("/srv/" + "a" * 200, "a long path"),
)
"""Directories that show where rules differ, with the reason."""

_INTRODUCTION: Final = """
# Encoding rules

Agents keep the transcripts of a working directory in a folder named after it: the *project key*. Each rule
below says how a tool has made that name from the directory. The rules are data, `forensics/keys/rules.toml`;
this page is made from them. No rule can be turned around: a key has many directories, and nothing here
decodes one.

A rule is as certain as the versions it was run in. For a version among those the basis is `observed`; between
them, or between two rules, it is `interpolated`; beyond all of them the nearest rule is used and the basis is
`beyond_observed`. `forensics check-keys` counts what transcripts say for and against the rules,
`forensics oracle` asks a real tool, and `--rules FILE` adds a rule before we do.
"""

_HASHES: Final = """
## Long names

A rule with a limit keeps that many units of the name and appends a dash and a hash of the whole path.

- `int32`: h = 31·h + unit over the path, kept to 32 bits; its absolute value in base 36, 1 to 6 characters.
  -2^31 gives `zik0zk`. Paths that end in `Aa` and `BB`, or hash to h and -h, share a name.
- `wyhash64`: 64 bits over the UTF-8 bytes, seed 0, in base 36, up to 13 characters.
"""


def rules_page(ruleset: Ruleset | None = None) -> str:
    """The page of all rules: agents with their versions, names of a chosen kind, wrong rules, examples."""
    rules = ruleset or load_rules()
    tools = [rule for rule in rules.rules if rule.kind == "tool"]
    agents = list(dict.fromkeys(rule.agent for rule in tools))
    blocks = [_INTRODUCTION, f"Ruleset {rules.version}, {len(rules.rules)} rules, {_digest(rules)}."]
    for agent in agents:
        mine = [rule for rule in tools if rule.agent == agent]
        blocks += [f"## {agent}", table(_SPANS, map(_span, mine)), *_details(mine)]
    blocks += [_HASHES, *_chosen_names(tools)]
    blocks += ["## Wrong rules", _WRONG, *_details([rule for rule in rules.rules if rule.kind == "foreign"])]
    blocks += ["## The same directory under each rule", *_examples(tools)]
    return join(blocks)


_SPANS: Final = ("rule", "versions", "where", "normal form", "unit", "limit and hash", "tried in")

_WRONG: Final = """
Rules met in other tools. They are here so that a key they made can be told from one that a tool's own rule
made.
"""


def _digest(rules: Ruleset) -> str:
    return f"SHA-256 `{rules.digest[:12]}…`"


def _span(rule: Rule) -> tuple[str, ...]:
    versions = f"{rule.first} to {rule.last}" if rule.first else "not versioned"
    limit = f"{rule.limit}, {rule.hash}" if rule.limit else "none"
    normal = "NFC" if rule.normal_form == "nfc" else "as it is"
    tried = ", ".join(rule.observed) or "read, not run"
    return code(rule.name), versions, rule.where or "any", normal, rule.unit, limit, tried


def _details(rules: Iterable[Rule]) -> Iterator[str]:
    yield "\n".join(f"- {code(rule.name)}: {rule.title} ({rule.source})" for rule in rules)


def _chosen_names(rules: Iterable[Rule]) -> Iterator[str]:
    takers = [rule for rule in rules if rule.override]
    if takers:
        yield "## Names that somebody chose"
        yield table(
            ("rule", "variable", "from version"),
            [(code(rule.name), code(rule.override), rule.override_first) for rule in takers],
        )


def _examples(rules: Iterable[Rule]) -> Iterator[str]:
    for path, why in EXAMPLES:
        by_key: dict[str | None, list[str]] = {}
        for rule in rules:
            by_key.setdefault(encode(path, rule), []).append(rule.name)
        yield f"{code(_short(path))}: {why}"
        yield table(
            ("key", "rules"),
            [
                ("(refused)" if key is None else code(_short(key)) or "(empty)", ", ".join(map(code, names)))
                for key, names in by_key.items()
            ],
        )


def _short(text: str) -> str:
    """The text with its middle left out when it is long, and combining marks written out."""
    shown = text.replace("\u0301", "\\u0301")
    return shown if len(shown) <= 60 else f"{shown[:24]}…{shown[-24:]} ({len(text)} characters)"
