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

_SLOW_NAMES = """
alive.test_worlds assumptions.test_hypotheses cli.test_alive cli.test_check_keys cli.test_edge cli.test_key
cli.test_keys cli.test_reading cli.test_redact cli.test_sessions dossier.test_dossier host.test_oracle
ingest.test_crash ingest.test_live ingest.test_redacted ingest.test_same report.test_axe report.test_browser
report.test_context report.test_evidence report.test_pictures test_case_damaged test_conformance
test_metamorphic test_redaction testing.test_plugin testing.test_world_phenomena twins.test_truth
twins.test_twins
"""
SLOW_MODULES = frozenset(f"tests.{name}" for name in _SLOW_NAMES.split())
"""Whole worlds, browsers and processes: the quick loop does without."""

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what takes long out of the quick loop."""
    for item in items:
        if item.nodeid.partition("::")[0].removesuffix(".py").replace("/", ".") in SLOW_MODULES:
            item.add_marker(pytest.mark.slow)


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
