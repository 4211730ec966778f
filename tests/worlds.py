"""Worlds laid out and converted for tests, each once a session."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import write_probes
from forensics.testing.world import PLANTS, Truth, World, WorldSpec, build_world


def everything(seed: int = 1) -> WorldSpec:
    """A recipe with each phenomenon at least once."""
    homes = ("laptop/.claude", "desk/.claude")
    return WorldSpec(seed=seed, homes=homes, turns=(1, 3), output_lines=4, plants=dict.fromkeys(PLANTS, 2))


def probe_of(truth: Truth, *, forgetful: bool = False) -> dict[str, Any]:
    """What a probe of the machine in a world would tell, as a table for `build_probe`.

    In a `forgetful` one git still lists a worktree that is gone, and has forgotten one that is there.
    """
    repositories: dict[str, list[str]] = {}
    for each in truth.directories:
        if each.is_worktree and each.repo_root is not None and each.exists:
            repositories.setdefault(each.repo_root, []).append(each.cwd)
    there = [each.cwd for each in truth.directories if each.exists and not each.is_worktree]
    gone = [each.cwd for each in truth.directories if not each.exists]
    if forgetful:
        lost = next(each for each in truth.worktree_keys if each.state == "removed" and each.n_sessions)
        kept = next(each for each in truth.worktree_keys if each.state == "registered" and each.n_sessions)
        repositories.setdefault(lost.repo_root, []).append(lost.worktree)
        repositories[kept.repo_root].remove(kept.worktree)
        there.append(kept.worktree)
    boot = {"boot_s": truth.shutdowns[0].t_boot_s} if truth.shutdowns else {}
    return {"there": there, "gone": gone, "repositories": repositories, **boot}


def write_dismissed(worlds: Mapping[str, World], folder: Path) -> Mapping[str, Path]:
    """A list of dismissed sessions, last written before one of them said its last word."""
    sessions = [session for world in worlds.values() for session in world.truth.sessions]
    named = [each for each in sessions if each.role == "main" and each.stub_reason is None][:1]
    if not named:
        return {}
    file = folder / "dismissed"
    file.write_text("".join(f"{each.session_id}\t{each.last_cwd}\n" for each in named), encoding="utf-8")
    os.utime(file, ns=(0, 0))
    return {"dismissed": file}


def take_in(worlds: Mapping[str, World], folder: Path, *, forgetful: bool = False) -> Path:
    """The case of some worlds by label, with a probe of each; their evidence stands beside it."""
    for label, world in worlds.items():
        world.lay_out(folder / label)
    tables = {label: probe_of(world.truth, forgetful=forgetful) for label, world in worlds.items()}
    probes = write_probes(tables, folder)
    withs = write_dismissed(worlds, folder)
    options = ConvertOptions(workers=1, probe_files=probes, withs=withs)
    convert([f"{label}={folder / label}" for label in worlds], folder / "case", options=options)
    return folder / "case"


def lay_out_everything(folder: Path) -> tuple[World, Path]:
    """A world with each phenomenon, and its case under the label `world`."""
    world = build_world(everything())
    return world, take_in({"world": world}, folder, forgetful=True)
