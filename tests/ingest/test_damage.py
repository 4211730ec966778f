"""Damage in lines: its name, its place, what is kept of the line, and that nothing is invented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from forensics.schema import GAP_CLASSES
from forensics.sources.claude_code.careful import looks_like_record
from forensics.sources.damage import examine
from tests.ingest.evidence import SESSION, USER, answer, decode, gap, nested, say, take_in, told


def test_a_whole_line_has_no_gap() -> None:
    found = decode(say() + b"\n")
    assert [row["status"] for row in found.lines] == ["ok"]
    assert told(found.lines[0]) == USER
    assert found.gaps == []


def test_blank_lines_are_blank_and_no_gap() -> None:
    found = decode(b"\n \t \n" + say() + b"\n\r\n")
    assert [row["status"] for row in found.lines] == ["blank", "blank", "ok", "blank"]
    assert [(row["byte_start"], row["n_bytes"]) for row in found.lines[:2]] == [(0, 0), (1, 3)]
    assert found.gaps == []


def test_a_torn_line_costs_only_itself() -> None:
    torn = b'llo"},"uuid":"u1","version":"2.1.100"}'
    found = decode(answer(uuid="a") + b"\n" + torn + b"\n" + answer(uuid="b") + b"\n")
    assert [row["status"] for row in found.lines] == ["ok", "salvaged", "ok"]
    assert told(found.lines[1]) == {"uuid": "u1", "agent_version": "2.1.100"}
    start = len(answer(uuid="a")) + 1
    assert [gap(row) for row in found.gaps] == [("torn", 0, start, len(torn), "fields")]
    assert [row["uuid"] for row in found.lines] == ["a", "u1", "b"]


def test_a_torn_line_whose_last_brace_closes_an_inner_object_keeps_nothing() -> None:
    torn = b'k":"v","worktreeSession":{"worktreePath":"/srv/w","sessionId":"s"}'
    found = decode(torn + b"\n")
    assert told(found.lines[0]) == {}
    assert [gap(row) for row in found.gaps] == [("torn", 0, 0, len(torn), "nothing")]
    assert found.lines[0]["status"] == "lost"


def test_a_torn_line_within_a_string_keeps_the_pairs_behind_it() -> None:
    torn = b'he said \\"x\\", and {left","b":1}],"n":{"q":2}},"uuid":"u9"}'
    found = decode(torn + b"\n")
    assert told(found.lines[0]) == {"uuid": "u9"}


def test_a_torn_line_that_repeats_an_earlier_tail_lost_nothing() -> None:
    whole = say(uuid="u1")
    tail = whole[whole.index(b'"cwd"') + 3 :]
    found = decode(whole + b"\n" + answer() + b"\n" + tail + b"\n")
    assert found.gap_kinds() == ["torn_repeat"]
    assert found.gaps[0]["kept"] == "all"
    assert found.gaps[0]["n_bytes"] == len(tail)


def test_a_torn_line_that_ends_as_all_lines_do_is_not_taken_for_a_repetition() -> None:
    end = b'","version":"2.1.100","gitBranch":"main"}'
    earlier = b'{"type":"user","uuid":"u1","sessionId":"' + SESSION.encode() + end
    found = decode(earlier + b"\n" + end + b"\n")
    assert found.gap_kinds() == ["torn"]


def test_a_torn_line_whose_like_comes_only_later_is_torn() -> None:
    whole = say(uuid="u1")
    tail = whole[whole.index(b'"cwd"') + 3 :]
    assert decode(tail + b"\n" + whole + b"\n").gap_kinds() == ["torn"]


@pytest.mark.parametrize(
    ("cut", "kept"),
    [
        (b'{"type":"user","uuid":"u1","cwd":"/srv/sh', {"type": "user", "uuid": "u1"}),
        (b'{"type":"user","uuid":"u1","cwd":"/srv/shop"', {"type": "user", "uuid": "u1"}),
        (b'{"type":"user","uuid":"u1","cwd":"/srv/shop",', {**USER} | {"session_id": None}),
        (b'{"type":"user","uuid":', {"type": "user"}),
        (b'{"type":"user","message":{"id":"m1","role":"us', {"type": "user"}),
        (b'{"type":"us', {}),
        (b'{"', {}),
        (b"{", {}),
    ],
)
def test_a_truncated_line_keeps_the_pairs_before_its_cut(cut: bytes, kept: dict[str, Any]) -> None:
    kept = {k: v for k, v in kept.items() if v is not None and k != "agent_version"}
    found = decode(cut + b"\n")
    assert told(found.lines[0]) == kept
    assert [gap(row) for row in found.gaps] == [
        ("truncated", 0, 0, len(cut), "fields" if kept else "nothing")
    ]
    assert found.lines[0]["status"] == ("salvaged" if kept else "lost")


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","uuid":"u1","x":tru}',
        b'{"type":"user","uuid":"u1","x":01}',
        b'{"type":"user","uuid":"u1","x":NaN}',
        b'{"type":"user","uuid":"u1",}',
        b'{"type":"user","uuid":"u1",cwd:"/srv/shop"}',
        b'{"type":"user","uuid":"u1","x":"\\q"}',
    ],
)
def test_an_object_with_its_end_that_is_no_json_is_malformed(line: bytes) -> None:
    found = decode(line + b"\n")
    assert told(found.lines[0]) == {"type": "user", "uuid": "u1"}
    assert [gap(row) for row in found.gaps] == [("malformed", 0, 0, len(line), "fields")]


def test_glued_records_are_both_kept() -> None:
    one, two = say(uuid="u1"), answer(uuid="u2")
    found = decode(one + two + b"\n" + say(uuid="u3") + b"\n")
    assert [(row["line_no"], row["part"], row["uuid"], row["status"]) for row in found.lines] == [
        (1, 0, "u1", "salvaged"),
        (1, 1, "u2", "salvaged"),
        (2, 0, "u3", "ok"),
    ]
    assert [(row["byte_start"], row["n_bytes"]) for row in found.lines] == [
        (0, len(one) + len(two)),
        (len(one), len(two)),
        (len(one) + len(two) + 1, len(say(uuid="u3"))),
    ]
    assert [gap(row) for row in found.gaps] == [("glued", 0, 0, len(one) + len(two), "record")]


def test_a_record_glued_to_a_truncated_one_is_kept_whole() -> None:
    cut = b'{"type":"user","uuid":"u1","message":{"role":"user","content":"I was say'
    whole = answer(uuid="u2")
    found = decode(cut + whole + b"\n")
    assert [told(row).get("uuid") for row in found.lines] == ["u1", "u2"]
    assert found.lines[1]["message_id"] == "msg_u2"
    assert [gap(row) for row in found.gaps] == [
        ("truncated", 0, 0, len(cut), "fields"),
        ("glued", 0, 0, len(cut + whole), "record"),
    ]


def test_a_record_after_a_torn_head_is_kept_whole() -> None:
    torn = b'tail of it"},"uuid":"u1"}'
    found = decode(torn + answer(uuid="u2") + b"\n")
    assert [row["uuid"] for row in found.lines] == ["u1", "u2"]
    assert [(row["class"], row["n_bytes"]) for row in found.gaps] == [
        ("torn", len(torn)),
        ("glued", len(torn + answer(uuid="u2"))),
    ]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"progress","uuid":"u1","data":{"type":"user","sessionId":"inner","cwd":"/inner"}',
        b'{"type":"progress","uuid":"u1","data":[1,{"type":"user","sessionId":"inner","cwd":"/inner"}',
        b'x"},"data":{"type":"user","sessionId":"inner","cwd":"/inner"}',
    ],
)
def test_an_object_inside_a_damaged_record_is_no_record(line: bytes) -> None:
    found = decode(line + b"\n")
    assert len(found.lines) == 1
    assert found.lines[0]["cwd"] is None
    assert found.lines[0]["session_id"] is None


def test_an_object_quoted_in_text_before_a_record_does_not_hide_it() -> None:
    line = b'12:00 INFO: {"a":1} ' + answer(uuid="u2")
    found = decode(line + b"\n")
    assert [row["uuid"] for row in found.lines if row["uuid"]] == ["u2"]
    assert found.gaps[0]["n_bytes"] == len(b'12:00 INFO: {"a":1} ')


@pytest.mark.parametrize(
    ("line", "gaps", "told_"),
    [
        (b"\0\0\0" + say(), [("nul", 0, 0, 3, "nothing")], USER),
        (say() + b"\0\0", [("nul", 0, len(say()), 2, "nothing")], USER),
        (b"\0" * 40, [("nul", 0, 0, 40, "nothing")], {}),
    ],
)
def test_nul_bytes_before_after_and_instead_of_a_record(
    line: bytes, gaps: list[Any], told_: dict[str, Any]
) -> None:
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == gaps
    assert told(found.lines[0]) == told_
    assert found.lines[0]["status"] == ("salvaged" if told_ else "lost")


def test_nul_bytes_inside_a_record_split_it() -> None:
    line = b'{"type":"user","uuid":"u1","cwd":"/srv\0\0\0\0shop","version":"2.1.100"}'
    found = decode(line + b"\n")
    assert found.gap_kinds() == ["nul", "truncated", "torn", "glued"]
    assert [told(row) for row in found.lines] == [
        {"type": "user", "uuid": "u1"},
        {"agent_version": "2.1.100"},
    ]


def test_nul_bytes_between_two_records_keep_both() -> None:
    found = decode(say(uuid="u1") + b"\0" * 9 + answer(uuid="u2") + b"\n")
    assert [row["uuid"] for row in found.lines] == ["u1", "u2"]
    assert found.gap_kinds() == ["nul", "glued"]


def test_a_byte_order_mark_is_cut_away_and_noted() -> None:
    found = decode(b"\xef\xbb\xbf" + say() + b"\n")
    assert [gap(row) for row in found.gaps] == [("bom", 0, 0, 3, "all")]
    assert told(found.lines[0]) == USER
    assert (found.lines[0]["byte_start"], found.lines[0]["n_bytes"]) == (0, len(say()) + 3)


def test_a_control_character_in_a_string_is_kept_and_named() -> None:
    line = say("a@b").replace(b"@", b"\x1b")
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == [("control", 0, 0, len(line), "all")]
    assert found.text[0]["text"] == "a\x1bb"
    assert told(found.lines[0]) == USER


@pytest.mark.parametrize("line", [b"[1,2]", b'"text"', b"null", b"17", b"true", b"-0.5e3"])
def test_json_that_is_no_object_is_lost_and_named(line: bytes) -> None:
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == [("not_object", 0, 0, len(line), "nothing")]
    assert [(row["status"], row["type"]) for row in found.lines] == [("lost", None)]


@pytest.mark.parametrize("line", [b"Killed", b"<<<<<<< HEAD", "保存しました".encode(), b"NaN", b"17 apples"])
def test_plain_text_is_lost_and_named(line: bytes) -> None:
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == [("text", 0, 0, len(line), "nothing")]
    assert found.lines[0]["status"] == "lost"


def test_line_ends_of_two_bytes_are_noted_once_with_their_number(tmp_path: Path) -> None:
    data = say(uuid="a") + b"\r\n" + say(uuid="b") + b"\n" + say(uuid="c") + b"\r\n"
    found = take_in(tmp_path, data)
    assert [(row["class"], row["line_no"], row["n_bytes"], row["kept"]) for row in found.gaps] == [
        ("crlf", None, 2, "all")
    ]
    assert [row["status"] for row in found.tables["lines"]] == ["ok", "ok", "ok"]
    assert found.raw() == data


def test_a_missing_last_newline_is_noted_and_the_line_kept(tmp_path: Path) -> None:
    found = take_in(tmp_path, say(uuid="a") + b"\n" + say(uuid="b"))
    assert [(row["class"], row["line_no"], row["kept"]) for row in found.gaps] == [
        ("no_final_newline", None, "all")
    ]
    assert found.result.ends_with_newline is False
    assert [row["uuid"] for row in found.tables["lines"]] == ["a", "b"]


def test_characters_that_other_readers_cut_at_do_not_end_a_line() -> None:
    text = "a\u2028b\u2029c\u0085d\x0be".replace("\x0b", "")
    found = decode(say(text) + b"\n" + say().replace(b"hello", b"one\\rtwo") + b"\r\n")
    assert [row["line_no"] for row in found.lines] == [1, 2]
    assert [row["status"] for row in found.lines] == ["ok", "ok"]


def test_every_class_of_a_line_is_shown_here_and_described() -> None:
    lines = [
        b'x"},"uuid":"u1"}',
        b'{"type":"user","uuid":"u',
        b'{"type":"user",}',
        say() + say(),
        b"\0",
        b'{"a":"\xff"}',
        rb'{"a":"\ud800"}',
        b"\xef\xbb\xbf{}",
        b'{"a":"\x01"}',
        b"[]",
        b"text",
        nested(600),
        say(cwd=1),
        answer(tokens=-1),
        b'{"cwd":"a","cwd":"b"}',
    ]
    repeat = say(uuid="zz")
    found = decode(b"\n".join([*lines, repeat, repeat[30:]]) + b"\n")
    expected = "torn torn_repeat truncated malformed glued nul bad_utf8 lone_surrogate bom control not_object"
    assert set(found.gap_kinds()) == {
        *expected.split(),
        *("text", "too_deep", "duplicate_key", "type_clash", "out_of_range"),
    }
    assert set(found.gap_kinds()) <= set(GAP_CLASSES)
    assert len(found.lines) >= len(lines) + 2


def test_what_a_damaged_line_tells_stands_in_its_bytes() -> None:
    """Every cut of a real-shaped line keeps only pairs that the whole line has."""
    whole = answer('a {"b":1} c', uuid="u7")
    full = decode(whole + b"\n").lines[0]
    for at in range(1, len(whole)):
        for part in (whole[:at], whole[at:]):
            for row in decode(part + b"\n").lines:
                for name, value in told(row).items():
                    assert value == full[name], (part, name)


@pytest.mark.parametrize(
    "line",
    [
        say("please")[60:],
        say("please", zz="cut")[:-3],
        say("please", isMeta="true"),
        say("please").replace(b'"type":"user"', b'"type":"user",'),
    ],
)
def test_nobody_is_said_to_have_written_a_line_whose_flags_are_lost(line: bytes) -> None:
    found = decode(line + b"\n")
    assert found.lines[0]["type"] == "user"
    assert (found.lines[0]["is_human_prompt"], found.lines[0]["prompt_class"]) == (None, "damaged")
    assert found.text == []


def test_damage_elsewhere_in_a_line_leaves_a_request_a_request() -> None:
    found = decode(b"\0" + say("please", slug="\x1b").replace(b"\\u001b", b"\x1b") + b"\n")
    assert found.gap_kinds() == ["nul", "control"]
    assert found.lines[0]["is_human_prompt"] is True


def test_two_halves_of_two_records_give_no_third() -> None:
    """Only the value that the seam runs through may be one that neither record has."""
    one, two = say("first", uuid="u1"), answer("second", uuid="u2", cwd="/srv/other")
    tells = [decode(line + b"\n").lines[0] for line in (one, two)]
    for at in range(0, len(one), 7):
        for to in range(0, len(two), 11):
            for row in decode(one[:at] + two[to:] + b"\n").lines:
                strange = [n for n, v in told(row).items() if v not in (tells[0][n], tells[1][n])]
                assert len(strange) <= 1, (at, to)


def test_examining_a_line_of_many_records_is_not_slow_in_their_number() -> None:
    record = '{"type":"user","sessionId":"s","text":"é"}'.encode()
    found = examine(record * 20_000, is_record=looks_like_record)
    assert len(found.pieces) == 20_000
    assert found.pieces[-1].start == len(record) * 19_999
