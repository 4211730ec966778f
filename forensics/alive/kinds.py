"""Which places a session can be restored to, and by what name: kinds, slugs, and the trace of a given name.

Source: the rules of a tool that keeps sessions in tmux; it starts each with its slug as the title, which then
stands on the first line of the transcript. Four kinds: 1 a stopped pane, 2 a scratch directory, 3 a worktree
inside its repository, 4 any other directory, which counts only with that trace.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from forensics.paths import canonical_guess, is_inside

PANE, SCRATCH, WORKTREE, REPOSITORY = 1, 2, 3, 4
KIND_NAMES: Final = {
    PANE: "stopped pane",
    SCRATCH: "scratch directory",
    WORKTREE: "worktree",
    REPOSITORY: "repository",
}
HUB: Final = "hub"

_SCRATCH_FOLDER: Final = ".cc-scratch"
_WORKTREE_FOLDER: Final = ".worktrees"
_HUB_FOLDER: Final = ".cc-hub"
_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9_@-]")
_SLOT = re.compile(r"tmp-[1-8]")
_ISSUED = re.compile(r"tmp-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Slug:
    """The name of a place: `basis` says by which rule, `forms` are all names it may have been given."""

    text: str
    basis: str
    forms: frozenset[str]


def parts_of(path: str) -> list[str]:
    """The names in a path, whichever slashes it is written with."""
    return [part for part in re.split(r"[/\\]+", path) if part]


def kind_of(path: str) -> int:
    """The kind of a place by its path alone: 2, 3 or 4."""
    parts = parts_of(path)
    above = parts[-2] if len(parts) > 1 else ""
    if above == _SCRATCH_FOLDER:
        return SCRATCH
    return WORKTREE if above == _WORKTREE_FOLDER and len(parts) > 2 else REPOSITORY


def is_hub(path: str) -> bool:
    """Whether a place is the one in which the tool's own hub lives."""
    return parts_of(path)[-1:] == [_HUB_FOLDER]


def is_enumerable(path: str, roots: Iterable[str]) -> bool | None:
    """Whether a place lies under one of the roots that are searched, or is a frame; null without roots."""
    given = [canonical_guess(root) for root in roots]
    if not given:
        return None
    return kind_of(path) == SCRATCH or any(is_inside(canonical_guess(path), root) for root in given)


def repository_of(path: str) -> str:
    """The repository of a place: of a worktree inside it, else the place itself."""
    if kind_of(path) != WORKTREE:
        return path
    return re.sub(r"[/\\]+[^/\\]+[/\\]+[^/\\]+[/\\]*\Z", "", path)


def ambiguous_names(places: Iterable[str]) -> frozenset[str]:
    """The last names that several repositories share."""
    by_name: dict[str, set[str]] = defaultdict(set)
    for place in places:
        repository = repository_of(place)
        if kind_of(repository) == REPOSITORY and (parts := parts_of(repository)):
            by_name[parts[-1]].add(canonical_guess(repository))
    return frozenset(name for name, found in by_name.items() if len(found) > 1)


def slug_of(path: str, *, ambiguous: Set[str] = frozenset()) -> Slug:
    """The name that a place gets; `ambiguous` are last names that several repositories share."""
    parts = parts_of(path) or [path]
    if kind_of(path) == SCRATCH:
        name = _clean(f"tmp-{parts[-1]}")
        return Slug(name, "scratch", frozenset({name}))
    if is_hub(path):
        return Slug(HUB, "hub", frozenset({HUB}))
    repository = parts_of(repository_of(path)) or parts
    plain = repository[-1]
    owned = f"{repository[-2]}-{plain}" if len(repository) > 1 else plain
    is_owned = plain in ambiguous or plain == HUB
    chosen = owned if is_owned else plain
    names = {owned} if plain == HUB else {plain, owned}
    if kind_of(path) == WORKTREE:
        branch = parts[-1]
        forms = {f"{name}{joint}{branch}" for name in names for joint in ("--", "@")}
        return Slug(_clean(f"{chosen}--{branch}"), "worktree", frozenset(map(_clean, forms)))
    return Slug(_clean(chosen), "owner" if is_owned else "name", frozenset(map(_clean, names)))


def _clean(text: str) -> str:
    return _NOT_IN_SLUG.sub("-", text)


def generation_of(slug: str) -> str:
    """The way of naming a slug belongs to: slot, id, at, dashes, plain."""
    if _SLOT.fullmatch(slug):
        return "slot"
    if _ISSUED.fullmatch(slug):
        return "id"
    if "@" in slug:
        return "at"
    return "dashes" if "--" in slug else "plain"


def trace_of(first_line_type: str | None, title_hash: str | None, forms: Iterable[tuple[str, str]]) -> str:
    """What the first line tells: `exact` (the place's name), `titled_other` (another name), `none`.

    `forms` are the names a place may have been given, each with its hash.
    """
    if first_line_type != "custom-title" or title_hash is None:
        return "none"
    return "exact" if any(title_hash == hashed for _, hashed in forms) else "titled_other"
