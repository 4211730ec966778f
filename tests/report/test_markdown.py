"""Markdown in which evidence stays text: no cell, tag, link or heading comes from it."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from forensics.case import Case
from forensics.report import ReportContext, build_context
from forensics.report.markdown import _code, _plain, _table, write_markdown

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_BAR = re.compile(r"(?<!\\)(?:\\\\)*\|")


def _without_code(text: str) -> str:
    return _CODE_SPAN.sub("CODE", text)


def _tables(text: str) -> list[list[str]]:
    return [block.split("\n") for block in text.split("\n\n") if block.startswith("| ")]


def test_every_line_of_a_table_has_as_many_cells_as_its_head(
    demo: ReportContext, hostile: ReportContext
) -> None:
    for context in (demo, hostile):
        tables = _tables(write_markdown(context))
        assert len(tables) > 4
        for table in tables:
            assert len({len(_BAR.findall(line)) for line in table}) == 1, table[0]


def test_outside_of_code_there_is_no_tag_and_no_link(demo: ReportContext, hostile: ReportContext) -> None:
    for context in (demo, hostile):
        rest = _without_code(write_markdown(context))
        assert "<" not in rest
        assert "](" not in re.sub(r"\\.", "", rest)
        assert "javascript:" not in rest
        assert "http://" not in rest


def test_headings_come_from_the_report_alone(hostile: ReportContext) -> None:
    heads = [line for line in write_markdown(hostile).split("\n") if line.startswith("#")]
    titles = {finding.title for finding in hostile.findings}
    for head in heads[1:]:
        assert head.removeprefix("## ") in {
            *("What was examined", "Faults", "Risks", "Measures", "Not assessed", "Gaps"),
            *("Sessions that findings point at", "What was not looked at", "How to repeat"),
        } or any(re.fullmatch(rf"### {re.escape(title)} \([A-Z]\d{{3}}\)", head) for title in titles), head


def test_faults_stand_before_risks_before_measures(demo: ReportContext) -> None:
    text = write_markdown(demo)
    places = [
        text.index(f"\n## {name}\n") for name in ("Faults", "Risks", "Measures", "Not assessed", "Gaps")
    ]
    assert places == sorted(places)


def test_it_reads_well_when_nothing_was_found(plain_case: Case) -> None:
    results = plain_case.findings(["encoding_collision", "orphaned_worktree_key"])
    text = write_markdown(build_context(plain_case, findings=results, pictures=False))
    assert text.startswith("# Transcript forensics: No fault and no risk found\n")
    assert (
        "Asked, nothing found:\n\n- Different directories share one project key (F001): 0 among 1 keys"
        in text
    )
    assert "None: every byte of 1 file was read." in text
    assert "0 of 1 main transcript." in text


def test_a_finding_that_was_not_assessed_stands_apart(demo: ReportContext) -> None:
    unasked = replace(
        demo.findings[0], status="not_assessed", reason="this case has no probe", rows=(), n_rows=0, n_shown=0
    )
    text = write_markdown(replace(demo, findings=(unasked,)))
    assert f"- {unasked.title} ({unasked.id}): this case has no probe" in text
    assert "Asked, nothing found" not in text


@given(st.text("`|\\ab ", max_size=20).map(str.strip).filter(bool))
def test_code_holds_any_text_and_ends_where_it_should(text: str) -> None:
    found = _CODE_SPAN.fullmatch(_code(text))
    assert found is not None
    assert found[2].strip() == " ".join(text.split())


@given(st.lists(st.text("`|\\ab", max_size=9), min_size=1, max_size=4))
def test_a_row_has_as_many_cells_as_were_given(cells: list[str]) -> None:
    for line in _table(["head"] * len(cells), [[_code(cell or "x") for cell in cells]]).split("\n"):
        assert len(_BAR.findall(line)) == len(cells) + 1


@given(st.text(max_size=40))
def test_plain_text_never_opens_markup(text: str) -> None:
    shown = re.sub(r"\\.|&(?:#\d+|amp|lt|gt);", "", _plain(text))
    assert not set(shown) & set("`*_{}[]<>#~!@&\n")
