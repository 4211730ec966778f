"""One home and one case for all tests of verbs that only read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.evidence import write_home
from tests.cli.words import call


@pytest.fixture(autouse=True)
def _no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal around the tests does not make their tables narrow."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small home; no test changes it."""
    return write_home(tmp_path_factory.mktemp("evidence") / "home")


@pytest.fixture(scope="session")
def case(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case of that home, with its report; no test changes it."""
    out = tmp_path_factory.mktemp("cases") / "case"
    ended = call("run", f"home={home}", "-o", out)
    assert ended.returncode == 0, ended.stderr.decode()
    return out
