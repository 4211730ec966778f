"""Large transcripts: their size, their damage and the way they are streamed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from forensics.testing.world import BulkSpec, WorldSpec, build_world

MEGABYTES = WorldSpec(seed=11, bulk=BulkSpec(total_bytes=3_000_000, files=3, damage_every=2, blank_every=7))


def test_the_wanted_size_is_reached_and_hardly_passed() -> None:
    files = build_world(MEGABYTES).truth.files
    assert len(files) == 3
    assert all(1_000_000 <= file.n_bytes < 1_100_000 for file in files)


def test_damage_comes_as_often_as_asked_and_in_every_kind() -> None:
    truth = build_world(MEGABYTES).truth
    n_turns = sum(session.n_human_prompts for session in truth.sessions)
    kinds = Counter(damage.kind for file in truth.files for damage in file.damage)
    assert sum(kinds.values()) == sum(session.n_human_prompts // 2 for session in truth.sessions)
    assert set(kinds) == {"torn", "truncated", "glued", "nul", "bad_utf8", "text", "not_object"}
    assert n_turns > 100


def test_a_line_past_the_limit_is_told_as_too_long(tmp_path: Path) -> None:
    spec = WorldSpec(seed=2, bulk=BulkSpec(total_bytes=1, long_line_bytes=(64 << 20) + 1))
    world = build_world(spec)
    world.lay_out(tmp_path / "evidence")
    (file,) = world.truth.files
    (damage,) = file.damage
    assert damage.kind == "too_long"
    with (tmp_path / "evidence" / file.path).open("rb") as lines:
        sizes = [len(line) for line in lines]
    assert sizes[damage.line_no - 1] > 64 << 20
    assert sum(sizes) == file.n_bytes
    assert len(sizes) == file.n_lines


def test_files_of_one_world_differ(tmp_path: Path) -> None:
    world = build_world(MEGABYTES)
    world.lay_out(tmp_path / "evidence")
    contents = {(tmp_path / "evidence" / file.path).read_bytes() for file in world.truth.files}
    assert len(contents) == 3
