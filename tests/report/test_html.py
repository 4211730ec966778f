"""The page stands alone, is well formed, and nothing in the evidence becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from forensics.case import Case
from forensics.report import ReportContext, build_context
from forensics.report.html import write_html
from forensics.report.markdown import write_markdown
from forensics.report.words import say_headline, split_code
from tests.report.homes import HOSTILE
from tests.report.pages import Element, read_page


@pytest.fixture(scope="module")
def page(demo: ReportContext) -> Element:
    return read_page(write_html(demo))


@pytest.fixture(scope="module")
def hostile_page(hostile: ReportContext) -> Element:
    return read_page(write_html(hostile))


@pytest.fixture(scope="module")
def plain_page(plain_case: Case) -> Element:
    return read_page(write_html(build_context(plain_case, pictures=False)))


def _policy(page: Element) -> dict[str, str]:
    meta = next(m for m in page.all("meta") if m.attributes.get("http-equiv") == "Content-Security-Policy")
    return {part.split()[0]: part.split(maxsplit=1)[1] for part in meta.attributes["content"].split(";")}


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def test_the_policy_allows_only_the_style_and_the_script_of_the_page(page: Element) -> None:
    policy = _policy(page)
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == _hash(page.all("style")[0].text)
    assert policy["script-src"] == _hash(page.all("script")[0].text)
    assert policy["img-src"] == "data:"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert len(page.all("style")) == len(page.all("script")) == 1


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_no_element_loads_anything_or_carries_a_handler_or_a_style(
    which: str, request: pytest.FixtureRequest
) -> None:
    def walk(element: Element) -> None:
        for name, value in element.attributes.items():
            assert not name.startswith("on"), (element.tag, name)
            assert name not in {"style", "srcdoc", "formaction", "ping", "background"}
            if name in {"src", "href", "srcset", "action", "data", "poster"}:
                assert value.startswith(("#", "data:image/svg+xml;base64,")) or value == "data:,", value
        assert element.tag not in {"iframe", "object", "embed", "base", "video", "audio", "a:href"}
        for child in element.children:
            walk(child)

    walk(request.getfixturevalue(which))


@pytest.mark.parametrize("which", ["page", "hostile_page"])
def test_every_link_leads_to_a_place_on_the_page_and_every_id_is_there_once(
    which: str, request: pytest.FixtureRequest
) -> None:
    ids: list[str] = []
    links: list[str] = []

    def walk(element: Element) -> None:
        if "id" in element.attributes:
            ids.append(element.attributes["id"])
        names = [name for name in ("href", "aria-labelledby") if name in element.attributes]
        links.extend(element.attributes[name].removeprefix("#") for name in names if element.tag != "link")
        for child in element.children:
            walk(child)

    walk(request.getfixturevalue(which))
    assert len(ids) == len(set(ids))
    assert len(links) > 10
    assert set(links) <= set(ids)


@pytest.mark.parametrize("which", ["page", "hostile_page", "plain_page"])
def test_headings_never_skip_a_level_and_there_is_one_first(
    which: str, request: pytest.FixtureRequest
) -> None:
    levels: list[int] = []

    def walk(element: Element) -> None:
        if re.fullmatch(r"h[1-6]", element.tag):
            levels.append(int(element.tag[1]))
        for child in element.children:
            walk(child)

    walk(request.getfixturevalue(which))
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_caption_named_columns_and_a_container_of_its_own(page: Element) -> None:
    tables = page.all("table")
    assert len(tables) > 4
    for table in tables:
        assert table.all("caption")[0].whole_text().strip()
        heads = table.all("thead")[0].all("th")
        assert all(head.attributes["scope"] == "col" and head.whole_text().strip() for head in heads)
        assert table.parent is not None
        assert table.parent.attributes["class"] == "scroll"
        assert table.parent.attributes["tabindex"] == "0"
        assert table.parent.attributes["aria-label"]


def test_every_cell_of_a_row_stands_below_a_column(page: Element) -> None:
    for table in page.all("table"):
        width = len(table.all("thead")[0].all("th"))
        for body in table.all("tbody"):
            for row in body.all("tr"):
                cells = [cell for cell in row.children if cell.tag in {"td", "th"}]
                assert sum(int(cell.attributes.get("colspan", "1")) for cell in cells) == width


def test_a_row_shows_its_evidence_and_the_command_that_prints_it(demo: ReportContext, page: Element) -> None:
    finding = next(f for f in demo.findings if f.name == "encoding_collision")
    row = finding.rows[0]
    body = next(b for b in page.all("tbody") if b.attributes.get("id") == f"{finding.name}-{row.row_id[:12]}")
    text = body.whole_text()
    quote = row.quotes[0]
    assert quote.text
    assert quote.text in text
    assert f"forensics show '{quote.ref}'" in text
    assert quote.sha256 is not None
    assert quote.sha256 in text
    assert f"line {quote.line_no}" in text


def test_pictures_have_a_text_and_a_size(page: Element) -> None:
    images = page.all("img")
    assert len(images) >= 5
    for image in images:
        assert len(image.attributes["alt"]) > 40
        assert int(image.attributes["width"]) > 400
        assert int(image.attributes["height"]) > 30
        assert image.is_inside("picture")


def test_hostile_evidence_is_shown_as_the_text_it_is(hostile_page: Element) -> None:
    shown = hostile_page.whole_text()
    assert "<script>window.hacked=1</script>" in shown
    assert '<img src=x onerror="window.hacked=1">' in shown
    assert "{{ 7*7 }} {% raw %}" in shown
    assert {element.whole_text().strip() for element in hostile_page.all("script")} == {
        hostile_page.all("script")[0].text.strip()
    }
    assert len(HOSTILE) == 8


def test_no_control_and_no_direction_mark_reaches_the_page(hostile: ReportContext) -> None:
    text = write_html(hostile)
    found = re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", text)
    assert found == []


def test_a_page_reads_well_when_nothing_was_found(plain_case: Case) -> None:
    results = plain_case.findings(["encoding_collision", "orphaned_worktree_key", "damaged_line"])
    text = read_page(write_html(build_context(plain_case, findings=results))).whole_text()
    assert "No fault and no risk found" in text
    assert "Nothing was found: " in text
    assert "There are none: every byte of 1 file was read and understood." in text
    assert "Different directories share one project key" in text


def test_a_finding_that_could_not_be_asked_is_told_with_its_reason(demo: ReportContext) -> None:
    first = demo.findings[0]
    unasked = replace(
        first, status="not_assessed", reason="this case has no probe", rows=(), n_rows=0, n_shown=0
    )
    page = read_page(write_html(replace(demo, findings=(unasked, *demo.findings[1:]))))
    section = next(s for s in page.all("section") if s.attributes["id"] == "not-assessed")
    assert first.title in section.whole_text()
    assert "this case has no probe" in section.whole_text()
    faults = next(s for s in page.all("section") if s.attributes["id"] == "faults")
    assert first.title not in faults.whole_text()


def test_a_long_table_says_how_many_rows_it_leaves_out(demo: ReportContext) -> None:
    finding = next(f for f in demo.findings if f.n_rows > 2)
    cut = replace(demo, findings=tuple(replace(f, n_shown=min(f.n_shown, 2)) for f in demo.findings))
    page = read_page(write_html(cut))
    article = next(a for a in page.all("article") if a.attributes["id"] == finding.name)
    assert len(article.all("tbody")) == 2
    assert f"The first 2 of {finding.n_rows} rows; all of them stand in report.json." in article.whole_text()


def test_the_headline_names_faults_and_risks_alone(demo: ReportContext) -> None:
    heads = [
        replace(head, n_with_rows={"fault": 1, "risk": 2, "measure": 3}[head.kind]) for head in demo.headlines
    ]
    assert say_headline(replace(demo, headlines=tuple(heads))) == "1 fault and 2 risks found"
    quiet = tuple(replace(head, n_with_rows=0) for head in heads)
    assert say_headline(replace(demo, headlines=quiet)) == "No fault and no risk found"


def test_blanks_around_code_are_kept(demo: ReportContext) -> None:
    finding = replace(demo.findings[0], claim="so `--continue` or a listing")
    told = replace(demo, findings=(finding, *demo.findings[1:]))
    assert "so --continue or a listing" in read_page(write_html(told)).whole_text()
    assert "so `--continue` or a listing" in write_markdown(told)


def test_text_between_backticks_is_code() -> None:
    assert split_code("run `forensics key KEY` now") == [
        (False, "run "),
        (True, "forensics key KEY"),
        (False, " now"),
    ]
    assert split_code("no code, one ` tick") == [(False, "no code, one ` tick")]
