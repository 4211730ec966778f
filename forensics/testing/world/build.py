"""From a recipe to a world: everything planted, nothing written yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .ground import Ground
from .plants import PLANTS
from .plants.bulk import plant_bulk
from .spec import WorldSpec
from .tree import Tree
from .truth import Truth


@dataclass(frozen=True, slots=True)
class World:
    """A tree of evidence that can be laid out, and the truth about it."""

    spec: WorldSpec
    tree: Tree
    truth: Truth

    def lay_out(self, root: Path) -> None:
        """The evidence stands below `root`, which must be new or empty.

        Raises: FileExistsError, if there is something in `root` already.
        """
        self.tree.lay_out(root)


def build_world(spec: WorldSpec) -> World:
    """The world of this recipe.

    Raises: ValueError, if the recipe names a phenomenon that is not known.
    """
    if unknown := sorted(set(spec.plants) - set(PLANTS)):
        raise ValueError(f"unknown phenomena: {', '.join(unknown)}; known are {', '.join(PLANTS)}")
    ground = Ground(spec)
    for name, plant in PLANTS.items():
        for index in range(spec.plants.get(name, 0)):
            ground.begin(name, index)
            plant(ground, index)
    plant_bulk(ground)
    return World(spec, ground.tree, ground.tell_truth())
