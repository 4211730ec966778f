"""What was planted in simulated worlds is found, all of it and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forensics.case import open_case
from forensics.testing.world import build_world, draw_spec
from tests.twins.truth_checks import differences, look_at
from tests.worlds import everything, take_in

# Worlds are taken in together, each under a label of its own: nothing may cross from one to another.
_TOGETHER = 10
_N_WORLDS = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 50


@pytest.mark.parametrize("first", range(0, _N_WORLDS, _TOGETHER))
def test_what_was_planted_is_found_and_nothing_else(first: int, tmp_path: Path) -> None:
    worlds = {f"w{seed}": build_world(draw_spec(seed)) for seed in range(first, first + _TOGETHER)}
    with open_case(take_in(worlds, tmp_path)) as case:
        label = look_at(case)
        for name, world in worlds.items():
            assert differences(world.truth, label(name)) == {}, name


def test_a_world_of_everything_is_found_whole(tmp_path: Path) -> None:
    world = build_world(everything())
    with open_case(take_in({"world": world}, tmp_path)) as case:
        assert differences(world.truth, look_at(case)("world")) == {}
