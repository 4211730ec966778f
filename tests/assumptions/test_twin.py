"""What the case says about keys, against a naive reading of the lines."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from forensics.assumptions import judge_keys, weigh_hypotheses
from forensics.keys import encode
from forensics.refs import Ref, format_ref
from forensics.testing.world import PLANTS, WorldSpec, build_world
from tests.assumptions.evidence import open_home, put, said
from tests.assumptions.naive import Said, read_sessions, told, verdict_of

LONG = "/srv/" + "x" * 210
WORKTREE = "/srv/repo/.worktrees/fix"
TREES = ["/srv/repo", WORKTREE, "/srv/repo", WORKTREE]
FAMILIES = [["/srv/a.b", "/srv/a-b"], [f"{LONG}/mine", f"{LONG}/other"], TREES, ["/srv/c_d"]]
CWDS = [cwd for family in FAMILIES for cwd in family]
VERSIONS = ["1.0.51", "2.1.45", "2.1.50", "2.1.186", "2.1.200", "2.1.223", "2.1.238", "2.1.239", "2.1.332"]
RULES = ["cli_e3", "cli_e3", "cli_e3", "cli_e1", "cli_e2_bun", "slash_only"]
SEEDS = (1, 2, 3)
REPOSITORIES = {"/srv/repo": "/srv/repo", WORKTREE: "/srv/repo"}
COUNTED_ELSEWHERE = {"V-08", "V-09", "V-11"}
"""V-08 and V-11 speak of verdicts, which are compared one by one; V-09 of the times of files."""


def _records(draw: random.Random) -> list[dict[str, Any]]:
    """A few records: directories and versions change now and then, some are missing."""
    near = draw.choice([*FAMILIES, TREES, CWDS])
    cwd, version = draw.choice(near), draw.choice(VERSIONS)
    records: list[dict[str, Any]] = []
    if draw.random() < 0.2:
        records.append({"type": "custom-title", "customTitle": "Sails"})
        records += [{"type": "agent-name", "agentName": "Sails"}] * draw.randint(0, 1)
    for minute in range(draw.randint(1, 7)):
        if draw.random() < 0.4:
            cwd = draw.choice(near)
        if draw.random() < 0.3:
            version = draw.choice(VERSIONS)
        kind = draw.choice(["user", "user", "assistant"])
        place = None if draw.random() < 0.1 else cwd
        records.append(said(place, version, kind=kind, minute=minute))
        if draw.random() < 0.08:
            records.append({"type": "relocated", "relocatedCwd": draw.choice(CWDS)})
    return records


def _put_many(root: Path, seed: int, n_sessions: int) -> None:
    draw = random.Random(seed)
    # The worktree is known from the path of a directory that somebody recorded.
    put(root, "-srv-repo--worktrees-fix", 0, said(WORKTREE, "2.1.332"))
    for number in range(1, n_sessions + 1):
        records = _records(draw)
        moves = [record["relocatedCwd"] for record in records if record["type"] == "relocated"]
        recorded = [record["cwd"] for record in records if "cwd" in record]
        known = (moves if draw.random() < 0.4 else recorded) or CWDS
        key = encode(draw.choice(known if draw.random() < 0.9 else CWDS), draw.choice(RULES))
        assert key is not None
        put(root, key if len(key) < 250 else key[:250], number, *records)


def _weighed(root: Path, case: Path) -> tuple[dict[str, tuple[str, str]], Counter[Said]]:
    with open_home(root, case) as opened:
        verdicts = judge_keys(opened)
        tallies = weigh_hypotheses(opened, verdicts)
    counted: Counter[Said] = Counter()
    for each in tallies:
        if each.hypothesis.id in COUNTED_ELSEWHERE:
            continue
        for count in each.by_version:
            for word in ("support", "against", "undecided"):
                counted[each.hypothesis.id, count.version, word] += getattr(count, f"n_{word}")
    found: dict[str, tuple[str, str]] = {each.ref: (each.explanation.kind, each.version) for each in verdicts}
    return found, +counted


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_many_wandering_sessions_are_counted_as_by_naive_reading(tmp_path: Path, seed: int) -> None:
    root = tmp_path / "home"
    _put_many(root, seed, 200)
    sessions = read_sessions(root)
    found, counted = _weighed(root, tmp_path / "case")
    assert found == {format_ref(Ref("home", session.path)): verdict_of(session) for session in sessions}
    assert counted == told(sessions, REPOSITORIES)


def test_the_wandering_sessions_speak_for_and_against_all_that_lines_can_decide(tmp_path: Path) -> None:
    said: Counter[Said] = Counter()
    for seed in SEEDS:
        _put_many(tmp_path / str(seed), seed, 200)
        said += told(read_sessions(tmp_path / str(seed)), REPOSITORIES)
    both = ("V-01", "V-02", "V-03", "V-05", "V-07", "V-10", "V-12", "V-13", "V-14")
    assert {(about, word) for about, _, word in said} >= {
        *((about, word) for about in both for word in ("support", "against")),
        *(("V-04", "against"), ("V-06", "support")),
        *((f"V-{number:02}", "undecided") for number in (1, 2, 3, 4, 5, 6, 12, 14)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4, 5])
def test_the_keys_of_a_world_are_explained_as_by_naive_reading(tmp_path: Path, seed: int) -> None:
    unsound = ("damage", "blank", "decoys", "stub_corrupt", "backup", "home_copy", "links", "fifo")
    sound = dict.fromkeys((name for name in PLANTS if not name.startswith(unsound)), 2)
    root = tmp_path / "world"
    build_world(WorldSpec(seed=seed, homes=("laptop/.claude",), turns=(1, 2), plants=sound)).lay_out(root)
    found, _ = _weighed(root, tmp_path / "case")
    naive = {format_ref(Ref("home", session.path)): verdict_of(session) for session in read_sessions(root)}
    assert found == naive
    assert {kind for kind, _ in found.values()} >= {"exact", "moved", "named", "wrong_rule", "unexplained"}
