"""A probe as rows of the tables it gives a case."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from forensics.host.places import Place
from forensics.host.probe import PathFacts, Probe, Repository
from forensics.host.probe_schema import PROBE_TABLES
from forensics.keys import Rule, Ruleset, encode, load_rules


def probe_tables(
    label: str, probe: Probe, *, ruleset: Ruleset | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table in `PROBE_TABLES`, in the order of their grain, ready for Arrow.

    Lone surrogates, which Arrow cannot hold, are spelled as in the other tables. Keys are computed here and
    not on the probed machine, so that newer rules reach older probes.
    """
    rules = [rule for rule in (ruleset or load_rules()).rules if rule.kind == "tool"]
    rows: dict[str, list[dict[str, Any]]] = {
        "probe_paths": [_path_row(each.place) for each in probe.paths],
        "probe_keys": [row for each in probe.paths for row in _key_rows(each, rules)],
        "probe_worktrees": [row for each in probe.repositories for row in _worktree_rows(each)],
        "probe_host": [{"name": name, "value": value} for name, value in probe.facts],
        "probe_registry": [
            {"home": home.path, **msgspec.to_builtins(entry)}
            for home in probe.homes
            for entry in home.registry
        ],
        "probe_active_worktrees": [
            {"home": home.path, **msgspec.to_builtins(active)}
            for home in probe.homes
            for active in home.active_worktrees
        ],
    }
    return {name: _finish(name, label, rows[name]) for name in PROBE_TABLES}


def _finish(name: str, label: str, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    table = PROBE_TABLES[name]
    unique: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        spelled = {key: _spell(value) for key, value in row.items()}
        full = {column: {**spelled, "label": label}[column] for column in table.names}
        unique.setdefault(tuple(str(full[column]) for column in table.grain), full)
    return [unique[key] for key in sorted(unique)]


def _spell(value: object) -> object:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _path_row(place: Place) -> dict[str, Any]:
    git = place.git
    return {
        "path": place.path,
        "exists": place.exists,
        "is_dir": place.is_dir,
        "real_path": place.real_path,
        "git_common_dir": git.common_dir if git and place.exists else None,
        "is_worktree": git.is_worktree if git and place.exists else None,
        "git_top": git.top if git and place.exists else None,
        "nearest_git_common_dir": git.common_dir if git and not place.exists else None,
        "note": place.note,
    }


def _key_rows(facts: PathFacts, rules: Sequence[Rule]) -> list[dict[str, Any]]:
    place = facts.place
    if place.real_path is None or place.real_path == place.path:
        return []
    return [
        {
            "path": place.path,
            "real_path": place.real_path,
            "rule": rule.name,
            "key": (key := encode(place.real_path, rule)),
            "is_folder": key in facts.key_folders,
        }
        for rule in rules
    ]


def _worktree_rows(repository: Repository) -> list[dict[str, Any]]:
    root = repository.worktrees[0].path if repository.worktrees else repository.common_dir
    return [
        {
            "repo_root": root,
            "worktree_path": tree.path,
            "branch": tree.branch,
            "head": tree.head,
            "is_detached": tree.is_detached,
            "is_locked": tree.is_locked,
            "is_prunable": tree.is_prunable,
            "is_bare": tree.is_bare,
            "git_common_dir": repository.common_dir,
            "told_by": repository.told_by,
        }
        for tree in repository.worktrees
    ]
