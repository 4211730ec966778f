"""A pytest plugin for CI: only the shared corpora may be missing; any other skipped test has failed."""

from __future__ import annotations

from collections.abc import Generator

import pytest

ALLOWED = "the shared corpora are not on this machine"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a test, failed where it was skipped for another reason."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and ALLOWED not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI allows no skip: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The report of a module, failed where the whole of it was skipped."""
    report = yield
    if report.skipped and ALLOWED not in str(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI allows no skip: {report.longrepr}"
    return report
