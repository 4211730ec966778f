"""A pytest plugin for CI: a test that was skipped for want of a program or a package has failed."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import TypeVar

import pytest

WANTED = re.compile(r"\b(?:node|git|chromium|browser|playwright)\b|could not import", re.IGNORECASE)

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a test, failed where it should have run here."""
    report = yield
    return report if hasattr(report, "wasxfail") else _judge(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The report of a module, failed where the whole of it should have run here."""
    return _judge((yield))


def _judge(report: Report) -> Report:
    # The last of (path, line, reason); the path may name a program without meaning it.
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if report.skipped and WANTED.search(reason):
        report.outcome = "failed"
        report.longrepr = f"CI has what this test needs, and yet: {reason}"
    return report
