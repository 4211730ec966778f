"""The phenomena that can be planted: each is a function that takes the ground and which time it is planted.

`PLANTS` holds them by the name that a recipe uses, in the order in which they are planted.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ground import Ground
from . import collisions, damages, plain, worktrees

Plant = Callable[[Ground, int], None]

PLANTS: dict[str, Plant] = {
    **plain.PLANTS,
    **collisions.PLANTS,
    **worktrees.PLANTS,
    **damages.PLANTS,
}
