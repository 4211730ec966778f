"""Cases that the tests of the report look at, each converted once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from forensics.case import Case, open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.report import ReportContext, build_context, write_report
from forensics.testing.world import build_world, load_spec
from tests.report.homes import write_colliding_home, write_hostile_home, write_plain_home

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DEMO = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "demo.toml"


def convert_home(root: Path, case: Path, *, label: str = "home", raw: bool = True) -> Path:
    """The case of a home, made with one worker."""
    return convert([f"{label}={root}"], case, options=ConvertOptions(workers=1, raw=raw)).case


@pytest.fixture(scope="session")
def demo_case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """The case of the demo world."""
    root = tmp_path_factory.mktemp("demo")
    world = root / "world"
    build_world(load_spec(DEMO)).lay_out(world)
    with open_case(convert_home(world, root / "case", label="demo")) as case:
        yield case


@pytest.fixture(scope="session")
def demo(demo_case: Case) -> ReportContext:
    """The content of the demo's report."""
    return build_context(demo_case)


@pytest.fixture(scope="session")
def plain_case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A case in which there is nothing to find."""
    root = tmp_path_factory.mktemp("plain")
    with open_case(convert_home(write_plain_home(root / "home"), root / "case")) as case:
        yield case


@pytest.fixture(scope="session")
def colliding_case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A case with one collision and one torn line."""
    root = tmp_path_factory.mktemp("colliding")
    with open_case(convert_home(write_colliding_home(root / "home"), root / "case")) as case:
        yield case


@pytest.fixture(scope="session")
def hostile_case(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    """A case whose evidence attacks whoever looks at it."""
    root = tmp_path_factory.mktemp("hostile")
    with open_case(convert_home(write_hostile_home(root / "home"), root / "case")) as case:
        yield case


@pytest.fixture(scope="session")
def hostile(hostile_case: Case) -> ReportContext:
    """The content of the hostile case's report."""
    return build_context(hostile_case)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None, "Chromium is missing: install the package chromium"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def demo_page(demo: ReportContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(demo, tmp_path_factory.mktemp("page"), formats=("html",))[0]
