"""The prose of a world: what people ask, what agents answer, and text to fill bytes with."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random


@dataclass(frozen=True, slots=True)
class Ask:
    """One request and its answer."""

    prompt: str
    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Story:
    """A small tool that somebody builds."""

    name: str
    title: str
    place: str | None
    files: tuple[str, ...]
    below: tuple[str, ...]
    asks: tuple[Ask, ...]
    runs: tuple[tuple[str, str], ...]


@cache
def load_stories() -> tuple[Story, ...]:
    """Every story, in the order of the file."""
    text = resources.files(__package__).joinpath("stories.toml").read_text(encoding="utf-8")
    return tuple(
        Story(
            name=raw["name"],
            title=raw["title"],
            place=raw.get("place"),
            files=tuple(raw["files"]),
            below=tuple(raw["below"]),
            asks=tuple(Ask(*ask) for ask in raw["asks"]),
            runs=tuple((command, output) for command, output in raw["runs"]),
        )
        for raw in tomllib.loads(text)["story"]
    )


_VERBS = ("reads", "keeps", "counts", "checks", "draws", "sorts", "splits", "names", "prints", "loads")
_NOUNS = (
    "the table",
    "one row",
    "a label",
    "the last line",
    "each page",
    "the index",
    "two columns",
    "a date",
)
_SYLLABLES = ("ba", "ke", "li", "mo", "nu", "ra", "si", "to", "ve", "zu", "an", "el", "ip", "or", "ul", "sh")
_ENDS = ("before the loop", "once a day", "in file order", "without a copy", "when it is empty", "at the end")


def write_sentence(rng: Random) -> str:
    """A plain sentence of filler."""
    word = "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4)))
    what = f"{rng.choice(_VERBS)} {rng.choice(_NOUNS)} {rng.choice(_ENDS)}"
    return f"`{word}` {what}, {rng.randint(2, 997)} in all."


def write_output(rng: Random, *, n_lines: int, file: str) -> str:
    """Lines as a search tool prints them."""
    number = 0
    lines = []
    for _ in range(n_lines):
        number += rng.randint(1, 23)
        verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS).split(" ")[-1]
        word = "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 4)))
        lines.append(
            f'{file}:{number}:    {word} = {verb}_{noun}({rng.randint(0, 9999)}, "{rng.choice(_ENDS)}")'
        )
    return "\n".join(lines)
