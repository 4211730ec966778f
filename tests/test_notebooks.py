"""The notebooks run from top to bottom, on the demo and on a case of one's own, and hold no outputs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assumptions.evidence import open_home, put, said

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def _run(notebook: Path, home: Path, **env: str) -> None:
    pytest.importorskip("nbmake")
    # A process of its own: the kernel's libraries warn of things that are not ours to mend.
    words = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-o",
        "filterwarnings=default",
        "--nbmake",
        "--nbmake-timeout=300",
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(notebook)],
        cwd=notebook.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home), "IPYTHONDIR": str(home), **env},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:]
    assert "1 passed" in ended.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_on_the_demo(notebook: Path, cache: Path, tmp_path: Path) -> None:
    _run(notebook, tmp_path, XDG_CACHE_HOME=str(cache))


@pytest.fixture(scope="module")
def small_case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with one short session: most of what a notebook asks for is not there."""
    folder = tmp_path_factory.mktemp("small")
    put(folder / "home", "-srv-a", 1, said("/srv/a", "2.1.332"))
    open_home(folder / "home", folder / "case").close()
    return folder / "case"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_on_a_case_where_there_is_little_to_see(
    notebook: Path, small_case: Path, tmp_path: Path
) -> None:
    _run(notebook, tmp_path, FORENSICS_CASE=str(small_case))


def _cells(notebook: Path) -> list[dict[str, object]]:
    cells: list[dict[str, object]] = json.loads(notebook.read_text("utf-8"))["cells"]
    return cells


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_outputs_and_says_first_what_it_is_about(notebook: Path) -> None:
    cells = _cells(notebook)
    assert all(
        cell["outputs"] == [] and cell["execution_count"] is None for cell in cells if "outputs" in cell
    )
    assert str(cells[0]["source"][0]).startswith("# ")  # type: ignore[index]
    assert len(cells) < 40


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_link_of_a_notebook_leads_somewhere(notebook: Path) -> None:
    for cell in _cells(notebook):
        text = "".join(cell["source"])  # type: ignore[arg-type]
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)\)", text):
            assert (notebook.parent / link).exists(), link


def test_the_notebooks_are_these() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "01_tour",
        "02_cwd_histories",
        "03_encoding_rules",
        "04_worktree_keys",
        "05_compaction_coverage",
        "06_write_a_finding",
    ]
