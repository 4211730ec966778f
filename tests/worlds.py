"""Worlds laid out and converted for tests, each once a session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import write_probes
from forensics.testing.world import PLANTS, Truth, World, WorldSpec, build_world


def everything(seed: int = 1) -> WorldSpec:
    """A recipe with each phenomenon at least once."""
    homes = ("laptop/.claude", "desk/.claude")
    return WorldSpec(seed=seed, homes=homes, turns=(1, 3), output_lines=4, plants=dict.fromkeys(PLANTS, 2))


def probe_of(truth: Truth) -> Mapping[str, object]:
    """What a probe of the machine in a world would tell, as a table for `build_probe`."""
    repositories: dict[str, list[str]] = {}
    for each in truth.directories:
        if each.is_worktree and each.repo_root is not None and each.exists:
            repositories.setdefault(each.repo_root, []).append(each.cwd)
    there = [each.cwd for each in truth.directories if each.exists and not each.is_worktree]
    gone = [each.cwd for each in truth.directories if not each.exists]
    return {"there": there, "gone": gone, "repositories": repositories}


def take_in(worlds: Mapping[str, World], folder: Path) -> Path:
    """The case of some worlds by label, with a probe of each; their evidence stands beside it."""
    for label, world in worlds.items():
        world.lay_out(folder / label)
    probes = write_probes({label: probe_of(world.truth) for label, world in worlds.items()}, folder)
    options = ConvertOptions(workers=1, probe_files=probes)
    convert([f"{label}={folder / label}" for label in worlds], folder / "case", options=options)
    return folder / "case"


def lay_out_everything(folder: Path) -> tuple[World, Path]:
    """A world with each phenomenon, and its case under the label `world`."""
    world = build_world(everything())
    return world, take_in({"world": world}, folder)
