"""A field is refused by itself: the rest of its record is kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ingest.evidence import USER, answer, decode, encode, say, told


@pytest.mark.parametrize(("twice", "last"), [("cwd", "/srv/two"), ("sessionId", "two")])
def test_of_a_key_that_stands_twice_the_last_value_is_taken(twice: str, last: str) -> None:
    line = b"{" + encode({twice: "/srv/one"})[1:-1] + b"," + say(**{twice: last})[1:]
    found = decode(line + b"\n")
    assert [(row["class"], row["field"], row["kept"]) for row in found.gaps] == [
        ("duplicate_key", twice, "fields")
    ]
    name = {"cwd": "cwd", "sessionId": "session_id"}[twice]
    assert found.lines[0][name] == last
    assert found.lines[0]["status"] == "salvaged"


def test_a_key_that_stands_again_deeper_down_is_no_repetition() -> None:
    found = decode(say(toolUseResult={"cwd": "/srv/inner", "sessionId": "x"}) + b"\n")
    assert found.gaps == []
    assert told(found.lines[0]) == USER


@pytest.mark.parametrize(
    ("field", "value"),
    [("isSidechain", "true"), ("cwd", 7), ("uuid", ["u"]), ("timestamp", 1_700_000_000), ("message", "text")],
)
def test_a_field_of_another_type_is_refused_and_the_rest_kept(field: str, value: Any) -> None:
    found = decode(say(**{field: value}) + b"\n")
    assert [(row["class"], row["field"], row["kept"]) for row in found.gaps] == [
        ("type_clash", field, "fields")
    ]
    column = {"isSidechain": "is_sidechain", "timestamp": "ts"}.get(field, field)
    expected = {k: v for k, v in USER.items() if k != column}
    assert told(found.lines[0]) == expected
    assert found.lines[0].get(column) is None
    assert found.lines[0]["status"] == "salvaged"


def test_a_time_that_is_none_is_refused() -> None:
    found = decode(say(timestamp="yesterday") + b"\n")
    assert [(row["class"], row["field"]) for row in found.gaps] == [("type_clash", "timestamp")]
    assert (found.lines[0]["ts"], found.lines[0]["ts_source"]) == (None, None)
    assert told(found.lines[0]) == USER


def test_a_block_that_is_no_object_leaves_the_others_in_their_places() -> None:
    content = [7, {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}]
    found = decode(answer(message={"id": "m", "role": "assistant", "content": content}) + b"\n")
    assert [(row["class"], row["field"]) for row in found.gaps] == [("type_clash", "message.content[0]")]
    assert [(row["block_no"], row["tool_use_id"]) for row in found.tool_calls] == [(1, "t1")]


@pytest.mark.parametrize(
    ("number", "kind", "taken"),
    [
        ("9007199254740992", None, 2**53),
        ("0", None, 0),
        ("-0", None, 0),
        ("9007199254740993", "out_of_range", None),
        ("18446744073709551615", "out_of_range", None),
        ("1" * 5000, "out_of_range", None),
        ("1e999", "out_of_range", None),
        ("-1", "out_of_range", None),
        ("-1.5", "out_of_range", None),
        ("1.0", "type_clash", None),
        ("1e2", "type_clash", None),
        ("true", "type_clash", None),
        ('"7"', "type_clash", None),
        ("null", None, None),
    ],
)
def test_counts_are_whole_numbers_up_to_two_to_the_53(
    number: str, kind: str | None, taken: int | None
) -> None:
    line = answer(tokens="@").replace(b'"@"', number.encode())
    found = decode(line + b"\n")
    expected = [] if kind is None else [(kind, "message.usage.input_tokens", "fields")]
    assert [(row["class"], row["field"], row["kept"]) for row in found.gaps] == expected
    assert found.lines[0]["input_tokens"] == taken
    assert found.lines[0]["output_tokens"] == 3
    assert found.lines[0]["uuid"] == "u2"


def test_numbers_that_others_refuse_do_no_harm_where_they_are_not_kept() -> None:
    line = (
        b'{"type":"system","subtype":"x","sessionId":"s","content":"note","a":1e999,"b":' + b"9" * 400 + b"}"
    )
    found = decode(line + b"\n")
    assert found.gaps == []
    assert found.lines[0]["subtype"] == "x"
    assert [row["text"] for row in found.text] == ["note"]
