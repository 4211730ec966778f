"""Simulated machines that go down: what was planted is found, and a naive reading comes to the same end."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forensics.alive.alive import Alive, answer
from forensics.alive.archived import load_patterns
from forensics.alive.facts import read_known
from forensics.alive.query import Query
from forensics.case import open_case
from forensics.testing.world import Truth, World, build_world, draw_spec
from forensics.testing.world.truth import Shutdown
from tests.alive.twin import read_home, restore
from tests.worlds import take_in

NAMES = (
    *("plain", "subdirectory", "resumed", "pending", "false_requests", "overlapping"),
    *("clock_back", "early_mtime", "shared_mtime", "archived", "shutdown"),
)
_TOGETHER = 10
_N_WORLDS = 2000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 50
Row = dict[str, Any]


def draw(seed: int) -> World:
    """A small world; two of three have a shutdown."""
    spec = draw_spec(seed, names=NAMES)
    return build_world(replace(spec, plants={**spec.plants, "shutdown": seed % 3}))


@pytest.mark.parametrize("first", range(0, _N_WORLDS, _TOGETHER))
def test_what_was_planted_is_found_and_a_naive_reading_agrees(first: int, tmp_path: Path) -> None:
    worlds = {f"w{seed}": draw(seed) for seed in range(first, first + _TOGETHER)}
    with open_case(take_in(worlds, tmp_path)) as case:
        rows = {
            result.spec.name: result.rows.to_pylist()
            for result in case.findings(
                [
                    "suspect_mtime",
                    "double_writer",
                    "overlapping_sessions",
                    "clock_anomaly",
                    "revived_dismissal",
                ]
            )
        }
        dismissed = set(case.sql("select session_id from dismissals").column(0).to_pylist())
        assert_findings(worlds, rows, dismissed)
        known = read_known(case, load_patterns())
        for label, shutdown, world in shutdowns_of(worlds):
            query = Query(last=True, untraced=True, label=label, home=shutdown.home, boot_s=shutdown.t_boot_s)
            found = answer(known, query)
            assert_group(found, label, shutdown)
            for untraced in (True, False):
                asked = replace(query, untraced=untraced)
                assert_twin(answer(known, asked), asked, tmp_path / label, world.truth, dismissed)


def shutdowns_of(worlds: Mapping[str, World]) -> Iterator[tuple[str, Shutdown, World]]:
    for label, world in worlds.items():
        for shutdown in world.truth.shutdowns:
            yield label, shutdown, world


def assert_group(found: Alive, label: str, shutdown: Shutdown) -> None:
    """Those that went down together, and neither who was closed before nor who began after."""
    entries = (*found.ready, *found.skipped)
    inside = {entry.log.ref for entry in entries if entry.log is not None and entry.in_last_group}
    assert inside == {f"{label}/{path.replace(' ', '%20')}" for path in shutdown.paths}
    group = found.groups[label]
    assert group.t_last_ns is not None
    assert group.t_last_ns // 1_000_000_000 == shutdown.t_last_s
    assert group.quality == "burst"
    assert found.boot_basis[label] == "given"


def assert_twin(found: Alive, query: Query, root: Path, truth: Truth, dismissed: set[str]) -> None:
    """Each transcript has the same end in both."""
    there = {each.cwd for each in truth.directories if each.exists}
    assert query.home is not None
    expected = restore(
        read_home(root, query.home),
        boot_s=query.boot_s,
        window_s=query.window_s,
        exists=there.__contains__,
        untraced=query.untraced,
        dismissed=dismissed,
        closed={path for note in truth.notes if note.kind == "archived" for path in note.paths},
    )
    told = {
        entry.log.ref.partition("/")[2].replace("%20", " "): entry.reason.code if entry.reason else "ready"
        for entry in (*found.ready, *found.alive, *found.skipped)
        if entry.log is not None
    }
    assert told == expected


def assert_findings(worlds: Mapping[str, World], rows: Mapping[str, list[Row]], dismissed: set[str]) -> None:
    """The rows of each finding are the notes of the truth."""

    def noted(kind: str) -> set[tuple[str, str]]:
        return {
            (label, path)
            for label, world in worlds.items()
            for note in world.truth.notes
            if note.kind == kind
            for path in note.paths
        }

    def found(name: str, **where: str) -> set[tuple[str, str]]:
        return {
            (row["label"], row["path"])
            for row in rows[name]
            if all(row[column] == value for column, value in where.items())
        }

    assert found("suspect_mtime", reason="before_content") == noted("mtime_before_content")
    assert found("suspect_mtime", reason="shared_second") == noted("mtime_shared")
    assert found("clock_anomaly") == noted("clock_anomaly")
    pairs = {
        (label, tuple(note.paths), note.detail)
        for label, world in worlds.items()
        for note in world.truth.notes
        if note.kind == "overlapping_sessions"
    }
    told = {
        (row["label"], tuple(sorted((row["path"], row["other_path"]))), file)
        for row in rows["overlapping_sessions"]
        for file in row["shared_files"]
    }
    assert told == pairs
    doubles = {
        (label, tuple(sorted(path.rpartition("/")[2].removesuffix(".jsonl") for path in note.paths)))
        for label, world in worlds.items()
        for note in world.truth.notes
        if note.kind == "double_writer"
    }
    writers = {
        (row["boot_basis"], row["label"], tuple(sorted(row["session_ids"]))) for row in rows["double_writer"]
    }
    assert {(label, ids) for basis, label, ids in writers if basis == "probed"} == doubles
    # Where nobody knows of a boot, two that end a machine's day one after the other look the same.
    without = {label for label, world in worlds.items() if not world.truth.shutdowns}
    assert {label for basis, label, _ in writers if basis == "unknown"} <= without
    assert {row["session_id"] for row in rows["revived_dismissal"]} == dismissed
