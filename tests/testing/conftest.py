"""Worlds that several test files look at, laid out once."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.testing.world import PLANTS, BulkSpec, WorldSpec, build_world, draw_spec, load_spec
from tests.testing.naive import Laid

RECIPES = Path(__file__).resolve().parents[2] / "fixtures" / "worlds"
EVERYTHING = WorldSpec(
    seed=7, homes=("laptop/.claude", "desk/.claude"), turns=(1, 2), plants=dict.fromkeys(PLANTS, 2)
)
BULK = BulkSpec(
    total_bytes=1_500_000,
    files=2,
    damage_every=3,
    blank_every=4,
    compact_every=5,
    long_line_bytes=100_000,
)
GIVEN = {"everything": EVERYTHING, "bulk": WorldSpec(seed=3, days=20, plants={"plain": 1}, bulk=BULK)}


@pytest.fixture(scope="session", params=[*range(20), *GIVEN, "demo", "clean"], ids=str)
def laid(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Laid:
    """Twenty random worlds, one with everything twice, and the small recipes."""
    if isinstance(request.param, int):
        spec = draw_spec(request.param)
    elif request.param in GIVEN:
        spec = GIVEN[request.param]
    else:
        spec = load_spec(RECIPES / f"{request.param}.toml")
    root = tmp_path_factory.mktemp("world") / "evidence"
    world = build_world(spec)
    world.lay_out(root)
    return Laid(root, world.truth)
