"""Characters that are none: bytes that are not UTF-8, and halves of surrogate pairs."""

from __future__ import annotations

import pytest

from tests.ingest.evidence import USER, decode, gap, say, told


def test_bad_utf8_in_prose_is_mended_and_named() -> None:
    line = say("caf\N{LATIN SMALL LETTER E WITH ACUTE}").replace("é".encode(), b"\xe9")
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == [("bad_utf8", 0, line.index(b"\xe9"), 1, "fields")]
    assert [row["text"] for row in found.text] == ["caf\ufffd"]
    assert told(found.lines[0]) == USER
    assert found.lines[0]["content_chars"] == 4


def test_bad_utf8_in_an_id_refuses_that_field_alone() -> None:
    line = say(uuid="u1").replace(b'"u1"', b'"u\xff1"')
    found = decode(line + b"\n")
    assert told(found.lines[0]) == {k: v for k, v in USER.items() if k != "uuid"}
    assert [(row["class"], row["field"]) for row in found.gaps] == [("bad_utf8", None), ("bad_utf8", "uuid")]


def test_bad_utf8_in_a_field_that_is_not_kept_is_named() -> None:
    line = say(slug="x").replace(b'"slug":"x"', b'"slug":"\xed\xa0\x80"')
    found = decode(line + b"\n")
    assert [(row["class"], row["n_bytes"]) for row in found.gaps] == [("bad_utf8", 3)]
    assert found.lines[0]["status"] == "salvaged"
    assert told(found.lines[0]) == USER


def test_a_good_line_beside_one_with_bad_utf8_stays_whole() -> None:
    found = decode(say("日本") + b"\n" + b'{"a":"\xff"}\n' + say("한글") + b"\n")
    assert [row["status"] for row in found.lines] == ["ok", "salvaged", "ok"]


@pytest.mark.parametrize(
    ("escape", "at"),
    [
        (rb"\ud83d", 0),
        (rb"\udc00", 0),
        (rb"\ude00\ud83d", 0),
        (rb"\ud83d\ude00\ud83d", 12),
        (rb"\\ud83d\ude00", 7),
        (rb"\uD83D", 0),
    ],
)
def test_half_a_surrogate_pair_is_named_where_it_stands(escape: bytes, at: int) -> None:
    line = say("@").replace(b"@", escape)
    found = decode(line + b"\n")
    assert [gap(row) for row in found.gaps] == [("lone_surrogate", 0, line.index(escape) + at, 6, "fields")]
    assert told(found.lines[0]) == USER
    assert "\ufffd" in found.text[0]["text"]


@pytest.mark.parametrize(
    "escape", [rb"\ud83d\ude00", rb"\\ud83d", rb"\\\\ud83d", rb"\\\ud83d\ude00", r"😀".encode()]
)
def test_whole_pairs_and_escaped_backslashes_are_no_damage(escape: bytes) -> None:
    found = decode(say("@").replace(b"@", escape) + b"\n")
    assert found.gaps == []
    assert found.lines[0]["status"] == "ok"


def test_half_a_pair_in_an_id_refuses_that_field_alone() -> None:
    found = decode(say(uuid="@").replace(b"@", rb"\ud83d") + b"\n")
    assert told(found.lines[0]) == {k: v for k, v in USER.items() if k != "uuid"}
    assert [(row["class"], row["field"]) for row in found.gaps] == [
        ("lone_surrogate", None),
        ("lone_surrogate", "uuid"),
    ]
