"""What a person means who chooses from a numbered list."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forensics.errors import UsageError

_ONE = re.compile(r"[0-9]{1,9}")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Pick:
    """The numbers chosen, and those that count as dismissed because others were chosen instead."""

    chosen: tuple[int, ...]
    dismissed: tuple[int, ...]


def apply_pick(selection: str, n: int) -> Pick:
    """What a selection from a list of `n` means: `1 3`, `1-3`, `all`, `none`, or nothing at all.

    Nothing typed decides nothing. Everything else is a decision about the whole list: what is not chosen
    counts as dismissed, with `none` all of it. A number named twice is chosen once.

    Raises:
        UsageError: the selection is none of these, or names what is not in the list.
    """
    words = selection.split()
    if not words:
        return Pick((), ())
    if words == ["all"]:
        chosen = set(range(1, n + 1))
    elif words == ["none"]:
        chosen = set()
    else:
        chosen = {number for word in words for number in _numbers(word, n)}
    rest = [number for number in range(1, n + 1) if number not in chosen]
    return Pick(tuple(sorted(chosen)), tuple(rest))


def _numbers(word: str, n: int) -> range:
    if _ONE.fullmatch(word):
        first = last = int(word)
    elif found := _RANGE.fullmatch(word):
        first, last = int(found[1]), int(found[2])
    else:
        raise UsageError(f"{word!r} is no choice", hint="1 3, 1-3, all, none, or nothing to leave it")
    if not 1 <= first <= last <= n:
        raise UsageError(
            f"{word!r} is not in the list",
            hint=f"the list has {n:,}" if n else "there is nothing to choose from",
        )
    return range(first, last + 1)
