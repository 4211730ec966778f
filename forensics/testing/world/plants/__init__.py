"""The phenomena that can be planted: each is a function of the ground and of how often it was planted before.

`PLANTS` holds them by the name that a recipe uses, in the order in which they are planted; copies of a whole
home come last.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ground import Ground
from . import (
    agents,
    collisions,
    compactions,
    copies,
    damages,
    lives,
    plain,
    spellings,
    stubs,
    surroundings,
    worktrees,
)

Plant = Callable[[Ground, int], None]

PLANTS: dict[str, Plant] = {
    **plain.PLANTS,
    **collisions.PLANTS,
    **worktrees.PLANTS,
    **spellings.PLANTS,
    **compactions.PLANTS,
    **agents.PLANTS,
    **copies.PLANTS,
    **stubs.PLANTS,
    **lives.PLANTS,
    **damages.PLANTS,
    **surroundings.PLANTS,
}
