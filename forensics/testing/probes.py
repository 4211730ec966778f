"""Probe files written from a scenario or a world, for those who have no such machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forensics.host.places import Place
from forensics.host.probe import PathFacts, Probe, Repository, write_probe
from forensics.host.worktrees import GitPlace, Worktree


def build_probe(table: Mapping[str, Any]) -> Probe:
    """The probe that a table describes.

    `there` and `gone` list directories; `repositories` gives each main working tree its linked ones, of which
    those that are `gone` as well stand in git's list all the same; `boot_s` is when the machine booted, in
    seconds since 1970.
    """
    repositories: Mapping[str, list[str]] = table.get("repositories", {})
    tops = {tree: root for root, trees in repositories.items() for tree in (root, *trees)}

    def place(path: str, *, exists: bool) -> PathFacts:
        root = tops.get(path)
        git = None
        if root is not None and exists:
            common = f"{root}/.git"
            linked = path != root
            own = f"{common}/worktrees/{path.rsplit('/', 1)[-1]}" if linked else common
            git = GitPlace(top=path, git_dir=own, common_dir=common, is_worktree=linked)
        return PathFacts(Place(path, exists=exists, is_dir=exists, real_path=path, git=git))

    gone = set(table.get("gone", ()))
    there = {*table.get("there", ()), *tops} - gone
    paths = [place(path, exists=path in there) for path in sorted(there | gone)]
    return Probe(
        sources=("/nowhere",),
        facts=(
            ("platform", "linux"),
            ("taken_at", "2026-06-01T00:00:00Z"),
            *((("boot_time_s", str(table["boot_s"])),) if "boot_s" in table else ()),
        ),
        paths=tuple(paths),
        repositories=tuple(
            Repository(
                f"{root}/.git",
                "git",
                tuple(
                    Worktree(tree, branch=f"refs/heads/{tree.rsplit('/', 1)[-1]}", is_prunable=tree in gone)
                    for tree in (root, *trees)
                ),
            )
            for root, trees in sorted(repositories.items())
        ),
        homes=(),
    )


def write_probes(tables: Mapping[str, Mapping[str, Any]], folder: Path) -> dict[str, Path]:
    """The probe files by label, as they lie in the folder afterwards."""
    files = {label: folder / f"probe-{label}.json" for label in tables}
    for label, table in tables.items():
        write_probe(build_probe(table), files[label])
    return files
