"""Damage, each kind in a session of its own at lines that are known."""

from __future__ import annotations

from collections.abc import Callable

from ..damage import DAMAGE
from ..ground import Ground


def plant_damage(ground: Ground, index: int, *, kind: str) -> None:
    """A session with one or two lines of this damage is kept."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open(name=place.story.title)
    transcript.turns(max(3, ground.pick_turns()))
    for number in range(1 + index % 2):
        DAMAGE[kind](transcript.lines, ground.rng, index + number)
    ground.keep(transcript, home=place.home)


def plant_blank_lines(ground: Ground, index: int) -> None:
    """A session with blank lines, which are no damage."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(max(2, ground.pick_turns()))
    DAMAGE["blank"](transcript.lines, ground.rng, index)
    ground.keep(transcript, home=place.home)


def _bind(kind: str) -> Callable[[Ground, int], None]:
    return lambda ground, index: plant_damage(ground, index, kind=kind)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    **{f"damage_{kind}": _bind(kind) for kind in DAMAGE if kind != "blank"},
    "blank_lines": plant_blank_lines,
}
