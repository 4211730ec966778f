"""The page for people who read it by keyboard, by ear or in high contrast: axe-core finds nothing to mend."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from tests.report.test_browser import pytestmark

__all__ = ["pytestmark"]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
    for (const details of [...document.querySelectorAll("details")].slice(0, 40)) details.open = true;
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
    const options = {runOnly: {type: "tag", values: tags}, resultTypes: ["violations"]};
    const found = await axe.run(document, options);
    return found.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200)]);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_no_violation(
    browser: Browser, demo_page: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    # The page's own policy forbids every script but its own: axe is let in past it, the page stays as it is.
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    page = context.new_page()
    page.goto(demo_page.as_uri())
    page.evaluate(AXE)
    violations: list[Any] = page.evaluate(RUN)
    context.close()
    assert violations == []
