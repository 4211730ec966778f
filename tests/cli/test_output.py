"""One result in five formats: the same values in each, and nothing of the evidence acts on the reader."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
import sys
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.cli import output
from forensics.cli.output import Format, Sheet
from forensics.display import display_width
from forensics.errors import UsageError

HOSTILE = "\x1b[31mred\x1b]8;;http://x\x07 <script>|\u202eabc\u2028\r\nnext"
NOON = dt.datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=dt.UTC)
SHEET = Sheet(
    ("name", "n", "at", "refs"),
    [('a,"b"\nc', 12, NOON, ["x/y#L1", "x/y#L2"]), (None, None, None, [])],
)

LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
"""Where one reader or another begins a new line."""

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
values = st.one_of(st.none(), st.booleans(), st.integers(-(2**62), 2**62), texts, st.lists(texts, max_size=3))
sheets = st.integers(1, 4).flatmap(
    lambda n: st.builds(
        Sheet,
        st.just(tuple(f"c{i}" for i in range(n))),
        st.lists(st.tuples(*[values] * n), max_size=5),
    )
)


def test_json_has_the_envelope_the_columns_and_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    output.put_sheet(SHEET, Format.json, envelope={"tool": {"version": "1"}})
    assert json.loads(capsys.readouterr().out) == {
        "tool": {"version": "1"},
        "columns": ["name", "n", "at", "refs"],
        "rows": [
            {
                "name": 'a,"b"\nc',
                "n": 12,
                "at": "2026-03-01T12:00:00.000005Z",
                "refs": ["x/y#L1", "x/y#L2"],
            },
            {"name": None, "n": None, "at": None, "refs": []},
        ],
    }


def test_json_of_nothing_has_the_same_keys(capsys: pytest.CaptureFixture[str]) -> None:
    output.put_sheet(Sheet(SHEET.columns, []), Format.json, envelope={"tool": {"version": "1"}})
    assert json.loads(capsys.readouterr().out) == {
        "tool": {"version": "1"},
        "columns": ["name", "n", "at", "refs"],
        "rows": [],
    }


def test_jsonl_of_nothing_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    output.put_sheet(Sheet(("a",), []), Format.jsonl, envelope={})
    assert capsys.readouterr().out == ""


@example(Sheet(("a", "b"), [("\r", "x"), ("y\r", "\r\n")]))
@given(sheets)
def test_json_lines_and_csv_hold_the_same_rows(sheet: Sheet) -> None:
    records = sheet.records()
    lines = output.as_jsonl(records)
    assert [json.loads(line) for line in lines.split("\n") if line] == records
    read = list(csv.reader(io.StringIO(output.as_csv(sheet) + "\n", newline="")))
    assert read[0] == list(sheet.columns)
    assert len(read) == len(sheet.rows) + 1
    for cells, record in zip(read[1:], records, strict=True):
        for cell, value in zip(cells, record.values(), strict=True):
            match value:
                case None:
                    assert cell == ""
                case bool():
                    assert cell == ("true" if value else "false")
                case list():
                    assert json.loads(cell) == value
                case _:
                    assert cell == str(value)


@example("".join(LINE_ENDS))
@given(texts)
def test_a_json_line_is_one_line_for_every_reader(text: str) -> None:
    line = output.as_jsonl([{"text": text}])
    assert LINE_ENDS.isdisjoint(line)
    assert line.splitlines() == [line]
    assert json.loads(line) == {"text": text}


def test_a_table_and_a_markdown_table_say_the_same() -> None:
    sheet = Sheet(("name", "n"), [("one", 1), ("two", 22)])
    assert output.as_table(sheet) == "name   n\n----  --\none    1\ntwo   22"
    assert output.as_markdown(sheet) == "| name | n |\n| --- | --- |\n| one | 1 |\n| two | 22 |"


def test_hostile_text_is_harmless_in_a_table_and_in_markdown() -> None:
    table = output.as_table(Sheet(("text",), [(HOSTILE,)]))
    assert table.split("\n")[2:] == ["red <script>|abc next"]
    markdown = output.as_markdown(Sheet(("text",), [(HOSTILE,)]))
    assert markdown.split("\n")[2] == "| red &lt;script&gt;\\|abc next |"


@given(sheets, st.integers(20, 200))
def test_a_table_on_a_terminal_never_runs_over_the_edge(sheet: Sheet, width: int) -> None:
    for line in output.as_table(sheet, width=width).split("\n"):
        assert display_width(line) <= width


@given(
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 60)), min_size=1, max_size=8), st.integers(10, 200)
)
def test_columns_are_cut_only_as_far_as_needed(columns: list[tuple[int, int]], width: int) -> None:
    natural = [wide for wide, _ in columns]
    least = [min(wide, low) for wide, low in columns]
    widths = output.fit_widths(natural, width, least)
    room = width - 2 * (len(natural) - 1)
    if widths is None:
        assert sum(least) > room
        return
    assert sum(widths) <= room
    assert all(low <= new <= old for low, new, old in zip(least, widths, natural, strict=True))
    if sum(natural) <= room:
        assert widths == natural
    else:
        # What a further cut would have given is less than one step of the columns that were cut.
        assert room - sum(widths) < max(1, sum(new < old for new, old in zip(widths, natural, strict=True)))


def test_numbers_times_and_ids_are_never_cut() -> None:
    columns = ("session_id", "at", "text")
    rows: list[tuple[object, ...]] = [("6cc957f1-17ed-4d36-a9c9-75c0f5404f8e", NOON, "x" * 100)]
    line = output.as_table(Sheet(columns, rows), width=90).split("\n")[2]
    assert line == f"6cc957f1-17ed-4d36-a9c9-75c0f5404f8e  2026-03-01 12:00:00+00:00  {'x' * 24}…"


def test_a_row_too_wide_for_the_terminal_is_written_one_value_a_line() -> None:
    sheet = Sheet(("first", "second", "third"), [("a" * 30, "b" * 30, "c" * 30)])
    assert output.as_table(sheet, width=30) == "\n".join(
        ["first   " + "a" * 21 + "…", "second  " + "b" * 21 + "…", "third   " + "c" * 21 + "…"]
    )


def test_a_reference_is_whole_on_every_screen() -> None:
    refs = [f"home/laptop/.claude/projects/-srv-kit-mossy/{'4f' * 16}.jsonl#L{n}" for n in (3, 17)]
    for name, value in (("refs", list(refs)), ("first", refs[0]), ("ref", refs[1])):
        sheet = Sheet(("text", name), [("word " * 40, value)])
        for width in (30, 60, 120, None):
            table = output.as_table(sheet, width=width)
            assert all(ref in table for ref in (value if isinstance(value, list) else [value]))


def test_references_of_a_row_that_does_not_fit_stand_one_a_line() -> None:
    sheet = Sheet(("kind", "refs"), [("torn", ["home/a/b.jsonl#L1", "home/a/b.jsonl#L22"])])
    assert output.as_table(sheet, width=30) == "\n".join(
        ["kind  torn", "refs  home/a/b.jsonl#L1", "      home/a/b.jsonl#L22"]
    )


def test_of_very_many_references_the_rest_is_counted() -> None:
    sheet = Sheet(("refs",), [([f"home/a.jsonl#L{n}" for n in range(1, 24)],)])
    lines = output.as_table(sheet, width=40).split("\n")
    assert lines[0] == "refs  home/a.jsonl#L1"
    assert lines[-1] == "      and 3 more; --format json lists all"
    assert len(lines) == 21


def test_a_directory_in_a_row_that_does_not_fit_is_whole() -> None:
    sheet = Sheet(("first_cwd", "session_id"), [("/srv/kit/" + "deep/" * 9, "7" * 36)])
    assert output.as_table(sheet, width=40).split("\n")[0] == "first_cwd   /srv/kit/" + "deep/" * 9


def test_in_a_pipe_prose_is_cut_to_200_columns_and_no_name_is() -> None:
    path = "/srv/kit/" + "deep/" * 18
    sheet = Sheet(("title", "path", "n"), [("word " * 40, path, 7), ("short", "/srv", 12)])
    lines = output.as_table(sheet).split("\n")
    assert len(lines) == 4
    assert max(map(display_width, lines)) == 200
    assert path in lines[2]
    assert "word…" in lines[2]


def test_in_a_pipe_a_long_reference_leaves_every_other_column_a_little() -> None:
    ref = f"home/{'p' * 300}.jsonl#L1"
    line = output.as_table(Sheet(("title", "ref"), [("x" * 90, ref)])).split("\n")[2]
    assert line == f"{'x' * 23}…  {ref}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.nan, None),
        (math.inf, None),
        (1.5, 1.5),
        (b"\x00\xff", "00ff"),
        (Decimal(12), 12),
        (Decimal("1.25"), 1.25),
        (dt.timedelta(seconds=90), 90.0),
        (dt.date(2026, 3, 1), "2026-03-01"),
        ({"a": [NOON]}, {"a": ["2026-03-01T12:00:00.000005Z"]}),
    ],
)
def test_every_value_has_one_form_in_json(value: object, expected: object) -> None:
    assert output.jsonable(value) == expected


def test_an_arrow_table_becomes_rows_of_plain_values() -> None:
    table = pa.table({"a": [1, None], "b": [["x"], []]})
    assert output.sheet_of(table) == Sheet(("a", "b"), [(1, ["x"]), (None, [])])


def test_times_for_people_show_their_offset() -> None:
    berlin = dt.timezone(dt.timedelta(hours=1))
    assert output.cell_text(NOON, berlin) == "2026-03-01 13:00:00+01:00"
    assert output.cell_text(NOON) == "2026-03-01 12:00:00+00:00"


def test_an_unknown_time_zone_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no time zone is called 'Mars/Base'"):
        output.zone_named("Mars/Base")
    assert output.zone_named("utc") is dt.UTC


EVIL = "a\x1b]0;owned\x07b\x1b[2Jc\x9b31md\u202ee\rf\x7f\x00g"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_no_text_reaches_stdout_with_a_control(capsys: pytest.CaptureFixture[str]) -> None:
    output.put(f"one  {EVIL}\n\x1b[1mtwo\x1b[0m")
    assert capsys.readouterr().out == "one  abcdefg\ntwo\n"


def test_on_a_terminal_a_whole_line_may_be_bold_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.put(output.emphasise(f"head\n{EVIL}") + "\nsaid \x1b[1mloud\x1b[0m")
    assert terminal.getvalue() == "\x1b[1mhead abcde fg\x1b[0m\nsaid loud\n"


def test_csv_is_exact_in_a_pipe_and_harmless_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = Sheet(("what", "n"), [(f"{EVIL}\nforged", 1)])
    output.put_csv(sheet)
    assert capsys.readouterr().out == f'what,n\n"{EVIL}\nforged",1\n'
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.put_csv(sheet)
    assert terminal.getvalue() == "what,n\nabcde fg forged,1\n"


def test_json_spells_out_what_a_terminal_would_act_on() -> None:
    value = {"text": f"é\x85\u2028{EVIL}"}
    for text in (output.as_json(value), output.as_jsonl([value])):
        assert json.loads(text) == value
        assert "é" in text
        assert not set(text) & set("\x00\x07\x1b\x7f\x85\x9b\u2028\u202e")
