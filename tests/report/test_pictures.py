"""Pictures say what they show, are the same each time, and say so when there is nothing to draw."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import pytest

from forensics.case import Case, open_case
from forensics.report import ReportContext, build_context
from forensics.report.charts import DARK, LIGHT, drawable, frame, label_pixels, short_label
from forensics.report.pictures import draw_pictures
from forensics.report.pictures.times import count_at_once, find_cluster
from tests.report.conftest import convert_home
from tests.report.homes import write_home_outside_xml

TAGS = {"svg", "title", "desc", "g", "path", "line", "rect", "text", "circle", "defs", "clipPath"}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _at(*seconds: int) -> list[datetime]:
    return [NOON + timedelta(seconds=n) for n in seconds]


def _same(text: str) -> str:
    return text


def test_the_demo_has_every_picture_drawn(demo: ReportContext) -> None:
    assert [picture.name for picture in demo.pictures if picture.absent is None] == [
        "keys-directories",
        "worktree-keys",
        "rule-by-version",
        "compaction",
        "sessions-over-time",
        "cwd-runs",
        "damage",
    ]


def test_a_picture_is_well_formed_and_says_what_it_shows(demo: ReportContext, hostile: ReportContext) -> None:
    for context in (demo, hostile):
        for picture in context.pictures:
            if picture.absent is not None:
                continue
            assert re.search(r"\d", picture.title)
            assert re.search(r"\d", picture.caption)
            for svg in (picture.light, picture.dark):
                assert svg is not None
                root = ET.fromstring(svg)
                assert root.attrib["role"] == "img"
                assert root[0].tag.endswith("title")
                assert root[0].text == picture.title
                assert root[1].tag.endswith("desc")
                assert {e.tag.rsplit("}")[-1] for e in root.iter()} <= {
                    *(
                        "svg",
                        "title",
                        "desc",
                        "g",
                        "path",
                        "line",
                        "rect",
                        "text",
                        "circle",
                        "defs",
                        "clipPath",
                    ),
                }
                assert not any("href" in name for e in root.iter() for name in e.attrib)


def test_light_and_dark_differ_in_colours_alone(demo: ReportContext) -> None:
    for picture in demo.pictures:
        assert picture.light is not None
        assert picture.dark is not None
        assert picture.light != picture.dark
        colour = r"#[0-9a-f]{6}"
        assert re.sub(colour, "", picture.light) == re.sub(colour, "", picture.dark)


def test_no_colour_of_one_theme_stands_for_two_of_the_other() -> None:
    names = ("ink", "soft", "line", "card", "fault", "risk", "measure")
    light = [*(getattr(LIGHT, name) for name in names), *LIGHT.series]
    assert len({shade for shade in light if light.count(shade) > 1}) == 0
    assert len(DARK.series) == len(LIGHT.series)


def test_drawing_twice_gives_the_same_bytes(demo_case: Case, demo: ReportContext) -> None:
    assert draw_pictures(demo_case, demo.findings, _same) == demo.pictures


def test_a_picture_without_data_says_why(plain_case: Case) -> None:
    results = {picture.name: picture for picture in draw_pictures(plain_case, [], _same)}
    assert results["compaction"].absent == "no session was compacted."
    assert results["cwd-runs"].absent == "no session records more than one working directory."
    assert results["damage"].absent == "there are no gaps."
    assert results["worktree-keys"].absent == "the finding about worktree keys is not in this report."
    assert results["keys-directories"].absent is None
    assert all(p.light is p.dark is None for p in results.values() if p.absent is not None)


def test_a_picture_whose_table_is_absent_says_so(plain_case: Case) -> None:
    class WithoutModels:
        models = MappingProxyType({"sessions": None})
        sql = plain_case.sql

    absent = {p.name: p.absent for p in draw_pictures(WithoutModels(), [], _same)}
    assert absent["keys-directories"] == "there is no table key_dirs and no colliding_dirs."
    assert absent["rule-by-version"] == "there is no table key_matches."
    assert absent["compaction"] == "there is no table compactions."
    assert absent["sessions-over-time"] is None


def test_what_is_masked_is_masked_in_pictures(demo_case: Case, demo: ReportContext) -> None:
    pictures = draw_pictures(demo_case, demo.findings, lambda text: text.replace("kit", "XX"))
    drawn = "".join(f"{p.light}{p.dark}{p.description}" for p in pictures)
    assert "home-kit" in "".join(str(p.light) for p in demo.pictures)
    assert "kit" not in drawn


def test_three_ends_within_a_minute_are_a_cluster_and_two_are_none() -> None:
    assert find_cluster(_at(0, 30)) is None
    cluster = find_cluster(_at(0, 30, 60, 500))
    assert cluster is not None
    assert (cluster.first, cluster.last, cluster.n) == (*_at(0, 60), 3)
    assert find_cluster(_at(0, 30, 61)) is None


def test_the_largest_cluster_wins_and_the_latest_of_equals() -> None:
    larger = find_cluster(_at(0, 1, 2, 3, 1000, 1001, 1002))
    latest = find_cluster(_at(0, 1, 2, 1000, 1001, 1002))
    assert larger is not None
    assert latest is not None
    assert (larger.first, larger.n) == (NOON, 4)
    assert (latest.first, latest.n) == (NOON + timedelta(seconds=1000), 3)


@pytest.mark.parametrize(
    ("spans", "most"),
    [([(0, 1)], 1), ([(0, 5), (5, 9)], 2), ([(0, 4), (5, 9)], 1), ([(0, 9), (1, 2), (3, 4), (2, 3)], 3)],
)
def test_sessions_open_at_once_are_counted_at_their_ends_too(spans: list[tuple[int, int]], most: int) -> None:
    rows = [dict(zip(("first_ts", "last_ts"), _at(*span), strict=True)) for span in spans]
    assert count_at_once(rows) == most


def test_a_label_is_cut_at_its_beginning_between_graphemes() -> None:
    assert short_label("/srv/app", 200) == "/srv/app"
    cut = short_label("/srv/" + "long/" * 40 + "tail.py", 120)
    assert cut.startswith("…")
    assert cut.endswith("tail.py")
    assert label_pixels(cut) <= 120
    family = "👨\u200d👩\u200d👧"
    assert short_label("/srv/app/" * 9 + family, 40).removeprefix("…").endswith(family)


def test_characters_that_xml_cannot_hold_are_drawn_as_signs() -> None:
    spec = {"title": "a\x1bb", "data": [{"version": "1.0\0", "n": 3}, ("\uffff", "\ufffe", "\ud800")]}
    assert drawable(spec) == {
        "title": "a␛b",
        "data": [{"version": "1.0␀", "n": 3}, ["\ufffd", "\ufffd", "\ufffd"]],
    }
    assert drawable("tab\tline\n é 漢 👩 \ufffd") == "tab\tline\n é 漢 👩 \ufffd"
    assert frame([{"cwd": "/srv/\ud800"}])["cwd"].to_list() == ["/srv/\ufffd"]


def test_evidence_that_xml_cannot_hold_is_drawn(tmp_path: Path) -> None:
    home = write_home_outside_xml(tmp_path / "home")
    with open_case(convert_home(home, tmp_path / "case")) as case:
        pictures = {p.name: p for p in build_context(case).pictures if p.light is not None}
    assert {"keys-directories", "rule-by-version", "compaction", "sessions-over-time", "cwd-runs"} <= set(
        pictures
    )
    for picture in pictures.values():
        ET.fromstring(str(picture.light))
        ET.fromstring(str(picture.dark))


def test_no_text_of_a_picture_reaches_xml_unclean(demo_case: Case, demo: ReportContext) -> None:
    dirty = draw_pictures(demo_case, demo.findings, lambda text: text.replace("-kit", "-\x1b\0\uffff"))
    drawn = [picture.light for picture in dirty if picture.light is not None]
    assert len(drawn) == 7
    for svg in drawn:
        ET.fromstring(svg)
