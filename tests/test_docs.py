"""The pages that say how something is done: followed to the letter, in a copy of the project."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.ingest.convert import convert
from forensics.testing.world import PLANTS, WorldSpec, build_world
from tests.readme import lay_out_demo, read_examples, without_timing

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "forensics" / "findings" / "README.md", ROOT / "forensics" / "sources" / "README.md"]

_FILE = re.compile(
    r"^`(?P<path>[^`\n]+)`:\n\n```(?:sql|toml|python)\n(?P<content>.*?)^```$", re.MULTILINE | re.DOTALL
)
_HEAD = re.compile(r" \| head -n (\d+)$")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo and its case."""
    folder = tmp_path_factory.mktemp("demo")
    lay_out_demo(folder)
    place = folder / "build" / "demo"
    convert([f"home={place / 'evidence'}"], place / "case")
    return folder / "build"


@pytest.fixture
def copy(tmp_path: Path, demo: Path) -> Path:
    """A copy of the project in which files may be added, with the demo in it."""
    folder = tmp_path / "project"
    leave = shutil.ignore_patterns("__pycache__", ".*cache", "bench")
    for name in ("forensics", "tests", "fixtures", "reports"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave, symlinks=True)
    shutil.copy2(ROOT / "pyproject.toml", folder)
    shutil.copytree(demo, folder / "build", symlinks=True)
    return folder


def _perform(command: str, folder: Path) -> str:
    head = _HEAD.search(command)
    words = shlex.split(_HEAD.sub("", command))
    start = {"forensics": [sys.executable, "-m", "forensics"], "python": [sys.executable]}[words[0]]
    env = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "100", "FORENSICS_CASE": "build/demo/case"}
    ended = subprocess.run(
        [*start, *words[1:]], cwd=folder, env=env, capture_output=True, timeout=600, check=False
    )
    printed = ended.stdout.decode()
    assert ended.returncode == 0, (command, printed, ended.stderr.decode())
    lines = printed.rstrip("\n").split("\n")
    return "\n".join(lines[: int(head[1])] if head else lines) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_following_the_page_works(page: Path, copy: Path) -> None:
    text = page.read_text("utf-8")
    for file in _FILE.finditer(text):
        (copy / file["path"]).write_text(file["content"], "utf-8")
    examples = read_examples(text)
    assert len(examples) >= 5
    for example in examples:
        printed = _perform(example.command, copy)
        if example.output:
            assert without_timing(printed) == without_timing(example.output), example.command


def test_the_plant_of_the_page_gives_rows_to_the_finding_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {Path(file["path"]).name: file["content"] for file in _FILE.finditer(PAGES[0].read_text("utf-8"))}
    (tmp_path / "key_of_versions.sql").write_text(files["key_of_versions.sql"], "utf-8")
    plants: dict[str, Any] = {"__package__": "forensics.testing.world.plants"}
    exec(compile(files["upgrades.py"], "upgrades.py", "exec"), plants)
    for name, plant in plants["PLANTS"].items():
        monkeypatch.setitem(PLANTS, name, plant)
    world = build_world(WorldSpec(seed=3, homes=(".claude",), turns=(1, 2), plants={"upgraded": 2}))
    world.lay_out(tmp_path / "evidence")
    convert([f"home={tmp_path / 'evidence'}"], tmp_path / "case")
    with open_case(tmp_path / "case", findings=[tmp_path]) as case:
        [result] = case.findings(["key_of_versions"])
        rows = result.rows.to_pylist()
    assert [(row["n_versions"], row["n_sessions"]) for row in rows] == [(2, 2), (2, 2)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_place_the_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", text)
    assert links
    assert [link for link in links if not (page.parent / link).exists()] == []
    made = {file["path"] for file in _FILE.finditer(text)}
    named = set(
        re.findall(r"`((?:forensics|tests|fixtures|claude_code)/[A-Za-z0-9_/]+(?:\.[a-z]+)?/?)`", text)
    )
    there = (page.parent, ROOT)
    missing = {path for path in named - made if not any((base / path).exists() for base in there)}
    assert {path for path in missing if "NAME" not in path} == set()
