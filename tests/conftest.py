"""Settings shared by all tests: Hypothesis profiles and a home folder of the tests' own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=50, derandomize=True, **_common)  # type: ignore[arg-type]
settings.register_profile("ci", max_examples=200, derandomize=True, **_common)  # type: ignore[arg-type]
settings.register_profile("deep", max_examples=10_000, **_common)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True)
def _private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the home folder of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.delenv("FORENSICS_CASE", raising=False)


@pytest.fixture(scope="session")
def shared_corpora() -> Path:
    """The folder of real transcripts that lies beside the project on some machines."""
    corpora = SHARED / "corpora"
    if not corpora.is_dir():
        pytest.skip("the shared corpora are not on this machine")
    return corpora
