"""Worlds are repeatable, stay in their place and refuse what they cannot do."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from forensics.testing.world import PLANTS, WorldSpec, build_world, draw_spec, load_spec
from forensics.testing.world.__main__ import main
from forensics.testing.world.spec import parse_spec

RECIPES = Path(__file__).resolve().parents[2] / "fixtures" / "worlds"
EVERYTHING = WorldSpec(seed=5, turns=(1, 2), plants=dict.fromkeys(PLANTS, 1))


def hash_tree(root: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        digest.update(str(path.relative_to(root)).encode() + b"\0")
        status = path.lstat()
        digest.update(f"{status.st_mode} ".encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
            continue
        digest.update(str(status.st_mtime_ns).encode())
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


@pytest.mark.parametrize("seed", range(3))
def test_the_same_recipe_gives_the_same_tree(seed: int, tmp_path: Path) -> None:
    spec = draw_spec(seed)
    for name in ("one", "two"):
        build_world(spec).lay_out(tmp_path / name)
    assert hash_tree(tmp_path / "one") == hash_tree(tmp_path / "two")
    assert build_world(spec).truth == build_world(spec).truth


def test_another_seed_gives_another_tree(tmp_path: Path) -> None:
    for seed in (1, 2):
        build_world(EVERYTHING.with_seed(seed)).lay_out(tmp_path / str(seed))
    assert hash_tree(tmp_path / "1") != hash_tree(tmp_path / "2")


def test_a_phenomenon_does_not_change_with_the_number_of_others() -> None:
    alone = build_world(WorldSpec(seed=9, plants={"plain": 1}))
    beside = build_world(WorldSpec(seed=9, plants={"plain": 1, "near_case": 2}))
    assert set(alone.truth.files) < set(beside.truth.files)


def test_nothing_is_written_outside_the_root(tmp_path: Path) -> None:
    root = tmp_path / "in" / "evidence"
    build_world(EVERYTHING).lay_out(root)
    outside = [
        path for path in tmp_path.rglob("*") if root not in (path, *path.parents) and path != root.parent
    ]
    assert outside == []


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(FileExistsError, match="not empty"):
        build_world(EVERYTHING).lay_out(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_unknown_phenomena_and_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown phenomena: moonlight"):
        build_world(WorldSpec(plants={"moonlight": 1}))
    with pytest.raises(ValueError, match="unknown settings: sede"):
        parse_spec({"sede": 3})


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_recipe_can_be_read(path: Path) -> None:
    assert set(load_spec(path).plants) <= set(PLANTS)


def test_the_command_lays_out_a_world_and_keeps_the_truth_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text("seed = 3\n[plants]\nplain = 1\n")
    out, truth = tmp_path / "evidence", tmp_path / "truth.json"
    assert main([str(recipe), "--out", str(out), "--truth", str(truth)]) == 0
    assert truth.is_file()
    assert list(out.rglob("*.json")) == []
    assert str(out) in capsys.readouterr().out
    assert main([str(recipe), "--out", str(tmp_path / "b"), "--truth", str(tmp_path / "b" / "t.json")]) == 2
    assert not (tmp_path / "b").exists()
    assert main([str(recipe), "--out", str(out)]) == 2
    assert "not empty" in capsys.readouterr().err


def test_the_seed_of_the_command_line_wins(tmp_path: Path) -> None:
    recipe = tmp_path / "small.toml"
    recipe.write_text("seed = 3\n[plants]\nplain = 1\n")
    main([str(recipe), "--out", str(tmp_path / "a")])
    main([str(recipe), "--out", str(tmp_path / "b"), "--seed", "4"])
    assert hash_tree(tmp_path / "a") != hash_tree(tmp_path / "b")


def test_the_size_of_the_command_line_wins(tmp_path: Path) -> None:
    recipe = tmp_path / "large.toml"
    recipe.write_text("seed = 3\n[bulk]\ntotal_bytes = 60_000_000\nfiles = 12\n")
    out = tmp_path / "evidence"
    assert main([str(recipe), "--out", str(out), "--total-bytes", "200000", "--files", "2"]) == 0
    sizes = [path.stat().st_size for path in out.rglob("*.jsonl")]
    assert len(sizes) == 2
    assert 200_000 <= sum(sizes) < 400_000
