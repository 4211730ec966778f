"""From a recipe to a world: everything planted, nothing written yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from .eras import KNOWN_VERSIONS
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


def draw_spec(seed: int, *, names: tuple[str, ...] = tuple(PLANTS)) -> WorldSpec:
    """A small random recipe: each named phenomenon none, once or twice."""
    rng = Random(f"recipe {seed}")  # noqa: S311
    versions = tuple(
        sorted(rng.sample(KNOWN_VERSIONS, rng.randint(3, len(KNOWN_VERSIONS))), key=KNOWN_VERSIONS.index)
    )
    plants = {name: rng.choice((0, 0, 1, 1, 2)) for name in names}
    plants["plain"] = rng.randint(2, 5)
    homes = ("laptop/.claude", "desk/.claude", "old disk/kit/.claude")[: rng.randint(1, 3)]
    return WorldSpec(seed=seed, homes=homes, versions=versions, turns=(1, 3), output_lines=4, plants=plants)
