"""A pytest plugin for CI: a test that was skipped has failed, but for what CI cannot have."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest

ALLOWED = re.compile("the shared corpora are not on this machine|root can read everything")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The report of a test, failed where it was skipped for another reason."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and not ALLOWED.search(str(report.longrepr)):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI allows no skip: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The report of a module, failed where the whole of it was skipped."""
    report = yield
    if report.skipped and not ALLOWED.search(str(report.longrepr)):
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI allows no skip: {report.longrepr}"
    return report
