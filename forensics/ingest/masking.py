"""Masks over the names in a case: what was equal stays equal, what differed stays apart.

A path is masked folder by folder, so that what lay below a folder still does. A key is made anew from the
masked directory that explains it; only a key that no directory explains is masked as text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from forensics.keys import LIMIT, RulesError, Ruleset, encode
from forensics.keys.hashing import base36

Mask = Callable[[str], str]
Row = Mapping[str, Any]

_ABSOLUTE = re.compile(r"/|\\\\|[A-Za-z]:(?:[\\/]|\Z)")
_SEPARATORS = re.compile(r"([\\/]+)")
_HOMES = frozenset({"home", "users"})
# What no mask can touch, and most of what is asked for.
_PLAIN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]*")
# How the words of a format look, and versions.
_WORD = re.compile(r"<?[A-Za-z][A-Za-z0-9_.:-]*>?|[0-9]+(?:\.[0-9]+){0,2}(?:-[\w.+-]*)?")
# What a mask may have written: only such a text can be taken for another one's mask.
_MASKED = re.compile(r"[\[~]|(?:person|machine)\d", re.IGNORECASE)


class NameMasks:
    """Masks that keep different names different, for one case."""

    def __init__(self, mask: Mask, *, mask_word: Mask) -> None:
        self._mask = mask
        self._mask_word = mask_word
        self._taken: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
        self._paths: dict[tuple[str, str], str] = {}
        self._texts: dict[str, str] = {}
        self.n_masked = 0

    def prose(self, text: str) -> str:
        """The text with its names and secrets masked; texts that differ only in these become equal."""
        masked = self._mask(text)
        self.n_masked += masked != text
        return masked

    def name(self, value: str) -> str:
        """A path or another name, masked."""
        if _PLAIN.fullmatch(value):
            return value
        if _ABSOLUTE.match(value):
            return self.path(value)
        return self.unique(value, self._mask(value), space=("name",))

    def word(self, value: str) -> str:
        """A word of a format, masked; a person called `user` turns no request into something else."""
        return (self._mask_word if _WORD.fullmatch(value) else self._mask)(value)

    def path(self, path: str, *, below: str = "") -> str:
        """A path masked folder by folder; `below` tells apart the roots that paths are relative to."""
        key = (below, path)
        if key not in self._paths:
            self._paths[key] = self._mask_path(path, below)
        return self._paths[key]

    def _mask_path(self, path: str, below: str) -> str:
        done: list[str] = []
        plain: list[str] = []
        above = ""
        for at, part in enumerate(_SEPARATORS.split(path)):
            if at % 2 or not part:
                done.append(part)
                plain.append(part)
                continue
            folder = self._folder(part, above)
            done.append(self.unique(part, folder, space=("folder", below, "".join(done))))
            plain.append(folder)
            above = part
        # A secret may hold slashes: from the folder on where it begins such a path is masked in one piece.
        whole = _SEPARATORS.split(self._mask(path))
        if whole == plain:
            return "".join(done)
        n_same = next(
            (n for n, (one, other) in enumerate(zip(whole, plain, strict=False)) if one != other), 0
        )
        wanted = "".join(done[:n_same] + whole[n_same:])
        return self.unique(path, wanted, space=("path", below))

    def _folder(self, part: str, above: str) -> str:
        # Some names mean a person only in the folder of homes.
        if above.casefold() in _HOMES:
            home = f"/{above}/"
            both = self._shortly(f"{home}{part}")
            if both.startswith(home):
                return both.removeprefix(home)
        return self._shortly(part)

    def _shortly(self, text: str) -> str:
        if text not in self._texts:
            self._texts[text] = self._mask(text)
        return self._texts[text]

    def unique(self, value: str, wanted: str, *, space: tuple[str, ...], sign: str = "~") -> str:
        """`wanted`, or something near it where that is already the mask of another value of the space."""
        if wanted == value and not _MASKED.search(value):
            return value
        taken = self._taken[space]
        for candidate in _near(value, wanted, taken, sign):
            if candidate not in taken:
                taken[candidate] = value
                self.n_masked += candidate != value
            if taken[candidate] == value:
                return candidate
        raise AssertionError("there is always another number")


def _near(value: str, wanted: str, taken: Mapping[str, str], sign: str) -> Iterator[str]:
    yield wanted
    # Names that differ in upper and lower case alone may mean one directory; so may their masks.
    if taken[wanted].casefold() == value.casefold() and wanted.islower():
        for size in range(1, len(wanted)):
            if wanted[size - 1].isalpha():
                yield wanted[:size].upper() + wanted[size:]
    number = 2
    while True:
        yield f"{wanted}{sign}{number}"
        number += 1


class KeyMasks:
    """Masks of project keys: each is what its masked directory gives under the rule that gave the key."""

    def __init__(
        self, masks: NameMasks, *, keys: Iterable[str], cwd_keys: Iterable[Row], ruleset: Ruleset
    ) -> None:
        self._masks = masks
        self._ruleset = ruleset
        self._made: dict[str, str] = {}
        wanted = frozenset(keys)
        explained = self._explain(row for row in cwd_keys if row["key"] in wanted)
        for key in sorted(wanted):
            self._made[key] = masks.unique(
                key, explained.get(key) or self._as_text(key), space=("key",), sign="-"
            )

    def given(self, key: str | None, *, spelling: str, rule: str) -> str | None:
        """The masked key that a rule gives for a spelling; a folder that is there keeps its one mask."""
        if key is None or key in self._made:
            return None if key is None else self._made[key]
        return self._encode(spelling, rule) or self(key)

    def _encode(self, spelling: str, rule: str) -> str | None:
        try:
            return encode(self._masks.name(spelling), self._ruleset.get(rule))
        except RulesError:
            return None

    def _explain(self, cwd_keys: Iterable[Row]) -> dict[str, str]:
        """For each key that a directory gives, what the masked one gives; tools and plain spellings first."""
        foreign = {rule.name for rule in self._ruleset.rules if rule.kind != "tool"}
        best: dict[str, tuple[bool, bool, str, str]] = {}
        for row in cwd_keys:
            masked = self._encode(row["spelling"], row["rule"])
            if masked is not None:
                said = (bool(row["alias"]), row["rule"] in foreign, row["cwd"], masked)
                best[row["key"]] = min(best.get(row["key"], said), said)
        return {key: said[3] for key, said in best.items()}

    def __call__(self, key: str) -> str:
        """The masked key."""
        if key not in self._made:
            self._made[key] = self._masks.unique(key, self._as_text(key), space=("key",), sign="-")
        return self._made[key]

    def _as_text(self, key: str) -> str:
        masked = self._masks.prose(key)
        if masked == key or len(key) <= LIMIT:
            return masked
        # What a long key ends in is a hash of the whole path, by which a name could be guessed.
        head = self._masks.prose(key[:LIMIT]).ljust(LIMIT, "-")[:LIMIT]
        return f"{head}-{base36(len(self._made))}"
