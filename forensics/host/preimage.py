"""Which existing directories encode to a key: a walk that the key itself guides."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from forensics.errors import SourceError
from forensics.keys import CLAUDE_CODE, Rule, encode, rules_for


@dataclass(frozen=True, slots=True)
class Located:
    """Directories that encode to a key, with the rules under which each does, and what the walk has cost.

    Units: directories: `n_visited` were opened, `n_pruned` were seen and could not lead to the key,
    `n_unreadable` could and did not open; `n_links` are symbolic links that were not followed.
    """

    key: str
    root: str
    matches: Mapping[str, tuple[str, ...]]
    n_visited: int
    n_pruned: int
    n_unreadable: int
    n_links: int

    @property
    def paths(self) -> tuple[str, ...]:
        """The directories, sorted."""
        return tuple(self.matches)


def locate_under(
    key: str,
    root: Path,
    *,
    agent: str = CLAUDE_CODE,
    version: str | None = None,
    rules: Sequence[Rule] | None = None,
) -> Located:
    """Return the directories at and below a root that encode to a key under any of the rules.

    Without `rules` those count that this version of the agent may have used; without a version, all of it.
    The links above the root are resolved first, those below are not followed: agents encode real paths.

    Raises:
        SourceError: the root is no directory.
    """
    start = os.path.realpath(root)
    if not os.path.isdir(start):  # noqa: PTH112 - a Path would rewrite the spelling
        raise SourceError("the root is no directory", where=str(root))
    chosen = tuple(rules) if rules is not None else tuple(each.rule for each in rules_for(agent, version))
    walk = _Walk(key)
    walk.judge(start, chosen)
    while walk.pending:
        walk.visit(*walk.pending.pop())
    matches = {path: walk.matches[path] for path in sorted(walk.matches)}
    return Located(key, start, matches, walk.n_visited, walk.n_pruned, walk.n_unreadable, walk.n_links)


class _Walk:
    """The state of one walk: what is found, what is still to open with the rules that may lead on there."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.matches: dict[str, tuple[str, ...]] = {}
        self.pending: list[tuple[str, tuple[Rule, ...]]] = []
        self.n_visited = self.n_pruned = self.n_unreadable = self.n_links = 0

    def judge(self, path: str, rules: tuple[Rule, ...]) -> None:
        """Note the directory if it is wanted, and keep it for a visit if one below it may be."""
        # Rules that differ in limit and hash alone share this text, the costly part.
        raw: dict[Rule, str] = {}
        leading, matching = [], []
        for rule in rules:
            bare = _without_limit(rule)
            text = raw.get(bare)
            if text is None:
                text = raw[bare] = encode(path, bare) or ""
            if not self.key.startswith(_opening(text, rule)):
                continue
            if encode(path, rule) == self.key:
                matching.append(rule.name)
            if may_lead_to(self.key, path, rule):
                leading.append(rule)
        if matching:
            self.matches[path] = tuple(matching)
        if leading:
            self.pending.append((path, tuple(leading)))
        else:
            self.n_pruned += 1

    def visit(self, path: str, rules: tuple[Rule, ...]) -> None:
        """Judge every directory in this one."""
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        self.n_links += 1
                    elif entry.is_dir(follow_symlinks=False):
                        self.judge(entry.path, rules)
        except OSError:
            self.n_unreadable += 1
        else:
            self.n_visited += 1


def may_lead_to(key: str, directory: str, rule: Rule) -> bool:
    """Return whether a directory below this one can encode to the key; never False for one that holds it.

    What stands before a slash is encoded apart from what follows: no character joins with a slash into
    another, also not under NFC.
    """
    inside = directory if directory.endswith("/") else f"{directory}/"
    return key.startswith(_opening(encode(inside, _without_limit(rule)) or "", rule))


@cache
def _without_limit(rule: Rule) -> Rule:
    """Return the rule that replaces characters and does nothing else; a path on disk needs no resolving."""
    return replace(
        rule,
        name="",
        title="",
        source="",
        first="",
        last="",
        observed=(),
        where="",
        resolve=False,
        limit=0,
        hash="none",
        prefix="",
        suffix="",
        lower=False,
        collapse=False,
        refuses="",
        override="",
        override_first="",
    )


def _opening(raw: str, rule: Rule) -> str:
    """Return what every key begins with whose replaced path begins with `raw`."""
    if rule.limit and len(raw) > rule.limit:
        raw = raw[: rule.limit] + "-"
    if rule.collapse:
        raw = re.sub("-{2,}", "-", raw)
    return rule.prefix + (raw.lower() if rule.lower else raw)
