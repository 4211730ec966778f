"""The page in a real browser: search, sort, links, and evidence that stays harmless."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from forensics.report import ReportContext, write_report
from tests.report.conftest import CHROMIUM

IN_CI = os.environ.get("CI") == "true"
WIDTHS = (390, 820, 1440)

pytestmark = pytest.mark.skipif(CHROMIUM is None and not IN_CI, reason="there is no Chromium on this machine")


@dataclass(slots=True)
class Watched:
    """A page with all it said, asked for and did not survive."""

    page: Page
    said: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def hostile_page(hostile: ReportContext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(hostile, tmp_path_factory.mktemp("page"), formats=("html",))[0]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()


def _watch(context: BrowserContext, file: Path, *, at: str = "") -> Watched:
    watched = Watched(context.new_page())
    watched.page.on("console", lambda message: watched.said.append(message.text))
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: watched.requests.append(request.url))
    watched.page.on("dialog", lambda dialog: watched.errors.append(dialog.message))
    watched.page.goto(file.as_uri() + at)
    return watched


def _assert_quiet(watched: Watched, file: Path) -> None:
    assert watched.said == []
    assert watched.errors == []
    assert {url for url in watched.requests if not url.startswith("data:")} == {file.as_uri()}


def _rows(page: Page, finding: str) -> list[str]:
    return page.locator(f"#{finding} tbody:visible > tr:first-child").all_inner_texts()


def test_the_page_says_nothing_to_the_console_and_asks_for_nothing(
    context: BrowserContext, demo_page: Path
) -> None:
    watched = _watch(context, demo_page)
    watched.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    images = watched.page.evaluate("[...document.images].map(image => image.complete && image.naturalWidth)")
    assert len(images) >= 5
    assert all(width > 400 for width in images)
    _assert_quiet(watched, demo_page)


def test_search_leaves_the_rows_that_match_and_counts_them(context: BrowserContext, demo_page: Path) -> None:
    watched = _watch(context, demo_page)
    page = watched.page
    before = len(_rows(page, "damaged_line"))
    page.get_by_role("searchbox").fill("TORN")
    page.get_by_text("rows match").wait_for()
    after = _rows(page, "damaged_line")
    assert 0 < len(after) < before
    assert page.locator("#encoding_collision").is_hidden()
    page.get_by_role("searchbox").fill("surely-nothing-holds-this")
    page.get_by_text("No row matches").wait_for()
    assert _rows(page, "damaged_line") == []
    page.keyboard.press("Escape")
    assert len(_rows(page, "damaged_line")) == before
    _assert_quiet(watched, demo_page)


def test_a_stroke_leads_to_the_search_from_anywhere(context: BrowserContext, demo_page: Path) -> None:
    page = _watch(context, demo_page).page
    page.keyboard.press("/")
    page.keyboard.type("torn")
    assert page.get_by_role("searchbox").input_value() == "torn"


def test_a_click_sorts_a_column_and_a_third_brings_the_order_back(
    context: BrowserContext, demo_page: Path
) -> None:
    watched = _watch(context, demo_page)
    page = watched.page
    table = page.locator("#damaged_line table.rows")
    names = table.locator("thead th").all_inner_texts()
    column = next(at for at, name in enumerate(names) if "line no" in name)
    cell = table.locator(f"tbody > tr:first-child > td:nth-child({column + 1})")
    before = [int(text) for text in cell.all_inner_texts()]
    assert len(set(before)) > 2
    button = table.locator("thead th").nth(column).get_by_role("button")
    button.click()
    assert [int(text) for text in cell.all_inner_texts()] == sorted(before)
    assert table.locator("thead th").nth(column).get_attribute("aria-sort") == "ascending"
    button.click()
    assert [int(text) for text in cell.all_inner_texts()] == sorted(before, reverse=True)
    button.press("Enter")
    assert [int(text) for text in cell.all_inner_texts()] == before
    assert table.locator("thead th").nth(column).get_attribute("aria-sort") is None
    _assert_quiet(watched, demo_page)


def test_evidence_moves_with_its_row(context: BrowserContext, demo_page: Path) -> None:
    page = _watch(context, demo_page).page
    table = page.locator("#damaged_line table.rows")
    pairs = "bodies => bodies.map(body => [body.id, body.rows[1].innerText])"
    before = dict(table.locator("tbody").evaluate_all(pairs))
    table.locator("thead th button").first.click()
    assert dict(table.locator("tbody").evaluate_all(pairs)) == before


def test_every_link_of_the_contents_leads_somewhere_visible(context: BrowserContext, demo_page: Path) -> None:
    watched = _watch(context, demo_page)
    links = watched.page.locator("nav.toc a")
    assert links.count() > 10
    for at in range(links.count()):
        links.nth(at).click()
        target = watched.page.locator(str(links.nth(at).get_attribute("href")))
        assert target.is_visible()
    _assert_quiet(watched, demo_page)


def test_a_link_to_a_row_opens_what_hides_it(
    context: BrowserContext, demo: ReportContext, demo_page: Path
) -> None:
    finding = next(finding for finding in demo.findings if finding.n_rows)
    row = finding.shown[-1]
    page = _watch(context, demo_page, at=f"#{finding.name}-{row.row_id[:12]}").page
    target = page.locator(f"[id='{finding.name}-{row.row_id[:12]}']")
    assert target.is_visible()
    assert page.evaluate("scrollY") > 0


def test_without_scripts_everything_is_there(browser: Browser, demo: ReportContext, demo_page: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = _watch(context, demo_page).page
    for finding in demo.assessed:
        if finding.n_rows:
            assert len(_rows(page, finding.name)) == finding.n_shown
    assert page.locator("form.find").is_hidden()
    page.locator("#encoding_collision summary").first.click()
    assert page.locator("#encoding_collision .places code").first.is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(browser: Browser, demo_page: Path, width: int, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = _watch(context, demo_page).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = page.evaluate("[...document.images].map(image => image.currentSrc === image.src)")
    assert set(shown) == {scheme == "light"}
    context.close()


def test_everything_prints(context: BrowserContext, demo: ReportContext, demo_page: Path) -> None:
    page = _watch(context, demo_page).page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("nav.toc").is_hidden()
    for finding in demo.assessed:
        if finding.n_rows:
            assert len(_rows(page, finding.name)) == finding.n_shown
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_on_a_narrow_screen_every_cell_of_a_row_is_in_sight(context: BrowserContext, demo_page: Path) -> None:
    page = _watch(context, demo_page).page
    page.set_viewport_size({"width": 390, "height": 900})
    table = page.locator("#damaged_line table.rows")
    cells = table.locator("tbody").first.locator("tr").first.locator("td")
    boxes = [cells.nth(n).bounding_box() for n in range(cells.count())]
    assert len(boxes) >= 3
    for above, below in pairwise(boxes):
        assert above is not None
        assert below is not None
        assert above["x"] + above["width"] <= 390
        assert above["y"] + above["height"] <= below["y"] + 1
    page.get_by_role("searchbox").fill("nothing is called this")
    page.locator("#damaged_line").wait_for(state="hidden")
    assert table.locator("tbody:visible").count() == 0


def test_hostile_evidence_runs_nothing_and_loads_nothing(context: BrowserContext, hostile_page: Path) -> None:
    watched = _watch(context, hostile_page)
    page = watched.page
    page.evaluate("document.querySelectorAll('details').forEach(details => (details.open = true))")
    page.get_by_role("searchbox").fill("<script>")
    page.get_by_text("match").first.wait_for()
    for button in page.locator("#encoding_collision thead button").all():
        button.click()
    assert page.evaluate("window.hacked") is None
    assert page.get_by_text("<script>window.hacked=1</script>").first.is_visible()
    _assert_quiet(watched, hostile_page)


def test_a_script_that_got_in_would_not_run(context: BrowserContext, demo_page: Path, tmp_path: Path) -> None:
    broken = tmp_path / "index.html"
    text = demo_page.read_text("utf-8")
    attack = "<script>window.hacked=1</script><img src='http://127.0.0.1:9/x' onerror='window.hacked=2'>"
    broken.write_text(text.replace("</main>", f"{attack}</main>"), "utf-8")
    page = _watch(context, broken).page
    page.wait_for_load_state("load")
    assert page.evaluate("window.hacked") is None
