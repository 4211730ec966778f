"""Every case of every scenario file gives exactly the rows that were written down by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.testing.scenario import Scenario, ask, compare, load_scenarios

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "scenarios"
SCENARIOS = [scenario for path in sorted(FOLDER.glob("*.toml")) for scenario in load_scenarios(path)]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_expected_rows_are_found(scenario: Scenario, tmp_path: Path) -> None:
    assert compare(scenario, ask(scenario, tmp_path)) == []
