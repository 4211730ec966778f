"""The report of the demo in the repository is the one that is made now."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from forensics.ingest.manifest import library_versions
from forensics.testing.demo import SHOWN, write_demo

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "reports" / "demo"
NAMES = ("index.html", "report.md", "report.json", f"{SHOWN}-light.svg", f"{SHOWN}-dark.svg")
README = (ROOT / "README.md").read_text("utf-8")

_SVG = re.compile(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)")
_LABEL = re.compile(r"<(?:text|title|desc)[^>]*>([^<]*)<")

pytestmark = pytest.mark.slow


def libraries_of_the_committed_report() -> dict[str, str]:
    examined = json.loads((DEMO / "report.json").read_text("utf-8"))["examined"]
    return {each["name"]: each["version"] for each in examined["libraries"]}


def without_drawing(text: str) -> str:
    """The text with each picture reduced to its labels: where these stand depends on the fonts there are."""

    def labels(svg: str) -> str:
        return "|".join(_LABEL.findall(svg))

    if text.startswith("<svg"):
        return labels(text)
    return _SVG.sub(lambda found: labels(base64.b64decode(found[1]).decode("utf-8")), text)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the demo as it is made now."""
    out = tmp_path_factory.mktemp("made") / "demo"
    written = write_demo(ROOT / "fixtures" / "worlds" / "demo.toml", out)
    assert [path.name for path in written] == list(NAMES)
    return out


@pytest.mark.skipif(
    libraries_of_the_committed_report() != library_versions(),
    reason="the committed report was made with other versions of the libraries",
)
@pytest.mark.parametrize("name", NAMES)
def test_the_committed_report_is_fresh(name: str, made: Path) -> None:
    committed, now = ((folder / name).read_text("utf-8") for folder in (DEMO, made))
    assert without_drawing(committed) == without_drawing(now), "renew it with: make pages"


def test_the_report_is_that_of_the_example_in_the_readme(made: Path) -> None:
    report = json.loads((made / "report.json").read_text("utf-8"))
    counted = re.search(r"examined \d+ transcripts among (\d+) files: ([0-9,]+) lines", README)
    assert counted is not None
    examined = report["examined"]
    assert (examined["n_files"], examined["n_lines"]) == (int(counted[1]), int(counted[2].replace(",", "")))
    assert [source["label"] for source in examined["sources"]] == ["home"]
    assert all(len(without_drawing((made / name).read_text("utf-8"))) > 100 for name in NAMES)


def test_nothing_else_lies_beside_the_committed_report_and_the_readme_shows_its_picture() -> None:
    assert sorted(path.name for path in DEMO.iterdir()) == sorted(NAMES)
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', README)
    assert sorted(shown) == [f"reports/demo/{SHOWN}-{shade}.svg" for shade in ("dark", "light")]
    assert re.search(r'<img [^>]*alt="[^"]{20,}"', README)


def test_a_folder_must_be_named() -> None:
    command = [sys.executable, "-m", "forensics.testing.demo", "only-one"]
    ended = subprocess.run(command, check=False, capture_output=True, cwd=ROOT)
    assert (ended.returncode, ended.stderr[:7]) == (1, b"usage: ")
