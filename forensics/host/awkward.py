"""Directories that tell one encoding rule from another."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import Final

_STEP: Final = 60
_NAME_MAX: Final = 255

SHORT: Final[dict[str, str]] = {
    "plain": "plain",
    "punctuation": "a b.c_d-e:f~g!h@i#j$k%l^m&n(o)p+q=r[s]t{u}v;w'x,y\"z",
    "shell": "a\\b*c?d<e>f|g`h\ti",
    "case": "UPPER09lower",
    "dot": "a.b",
    "dash": "a-b",
    "underscore": "a_b",
    "spaces": " two  spaces ",
    "newline": "a\nb",
    "no-break space": "a\u00a0b\uff11\u212a\u017f",
    "nfc": "caf\u00e9x",
    "nfd": "cafe\u0301x",
    "kanji": "\u65e5\u672c",
    "hangul": "\ud55c\uae00",
    "hangul in nfd": "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "emoji": "x\U0001f600y",
    "joined emoji": "\U0001f469\u200d\U0001f4bb",
    "worktree": ".claude/worktrees/feat+one",
}


_ALPHABETS: Final[tuple[str, ...]] = (
    "abcxyz",
    "ABCXYZ0189",
    " -_.,:+@~'",
    '\t\n\\"*?<>|',
    "\u00e9\u00fc\u00f1\u00c5\u212b\u212a\u017f\uff11",
    "ae\u0301\u0308\u0323\u0327o",
    "\u65e5\u672c\u5c08\uf900",
    "\ud55c\uae00\u1112\u1161\u11ab",
    "\U0001f600\U0001f469\u200d\U0001f3fd\U0002f800",
    "\U0001d15e\U00010900\u0915\u093c",
)


@dataclass(frozen=True, slots=True)
class Awkward:
    """One directory to try: the name of its case and its absolute path."""

    case: str
    path: str


def awkward_directories(base: str) -> tuple[Awkward, ...]:
    """Return the directories to try below a resolved folder, short ones and ones around the limit.

    Units: the lengths in the names of cases count UTF-16 units of the whole path, as the limit does.
    """
    short = [Awkward(case, f"{base}/{name}") for case, name in SHORT.items()]
    long = [Awkward(f"{length} units", pad_path(base, length=length)) for length in (199, 200, 201, 260)]
    tails = {
        "long, hash meets Aa": "Aa",
        "long, hash meets BB": "BB",
        "long, astral at the limit": "\U0001f600" * 3,
        "long, nfc": "caf\u00e9",
        "long, nfd": "cafe\u0301",
        "long, kanji": "\u65e5\u672c",
    }
    long.append(Awkward("long, hash over the path", pad_path(base, length=230, fill="_")))
    # 199 puts the first unit of the tail at the limit, so that a cut would fall between surrogates.
    long += [Awkward(case, pad_path(base, length=199) + tail) for case, tail in tails.items()]
    return (*short, *long)


def pad_path(base: str, *, length: int, fill: str = "x") -> str:
    """Return a path below `base` of exactly so many UTF-16 units, in steps that a file system allows.

    Raises: ValueError when the base leaves no room for it.
    """
    room = length - count_units(base)
    if room < 2 or len(fill) != 1:
        raise ValueError(f"a path of {length} units has no room below {base!r}")
    path = base
    while room:
        # A step of one unit would be a slash alone: the step before takes it.
        step = room if room <= _STEP else min(_STEP, room - 2)
        path += "/" + fill * (step - 1)
        room -= step
    return path


def generate_paths(n: int, *, seed: int = 0) -> tuple[str, ...]:
    """Return distinct absolute paths in many scripts, many around the limit; equal for an equal seed."""
    source = random.Random(seed)  # noqa: S311 - nothing secret is drawn
    paths: dict[str, None] = {}
    while len(paths) < n:
        length = source.choice((source.randint(1, 60), source.randint(190, 215), source.randint(216, 700)))
        alphabets = source.sample(_ALPHABETS, source.randint(1, 3))
        steps, size = [""], 0
        while size < length:
            step = "".join(source.choice(source.choice(alphabets)) for _ in range(source.randint(1, 40)))
            if step.strip("."):
                steps.append(step)
                size += 1 + count_units(step)
        paths["/".join(steps)] = None
    return tuple(paths)


def count_units(text: str) -> int:
    """Return the number of UTF-16 units of a text, as JavaScript's `length` does."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_creatable(path: str) -> bool:
    """Return whether each part of a path fits into the name limit of common file systems."""
    return all(len(os.fsencode(part)) <= _NAME_MAX for part in path.split("/"))
