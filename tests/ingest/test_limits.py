"""What is too deep, too long or too much to decode is a row; up to the limit everything is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.ingest import scan
from forensics.sources import limits
from forensics.sources.claude_code import block as blocks
from forensics.sources.claude_code import decode as decoding
from tests.ingest.evidence import answer, decode, gap, nested, say, take_in


def test_nesting_of_512_is_read_and_of_513_is_not() -> None:
    assert limits.MAX_DEPTH == 512
    found = decode(nested(512) + b"\n" + nested(513) + b"\n")
    assert [row["status"] for row in found.lines] == ["ok", "lost"]
    assert [gap(row) for row in found.gaps] == [
        ("too_deep", 0, len(nested(512)) + 1, len(nested(513)), "nothing")
    ]


def beside(deep: bytes) -> bytes:
    """A record with that in it, and more brackets beside it than any record may nest."""
    return b'{"type":"user","uuid":"u1","x":' + deep + b',"y":[' + b",".join([b"{}"] * 600) + b"]}"


@pytest.mark.parametrize("form", [b"%b", b" %b ", b'[%b,"\\u001b\\\\\\""]'])
def test_nesting_is_told_to_the_level_however_many_brackets_there_are(form: bytes) -> None:
    """Both where the shape of what was parsed tells, and where brackets have to be counted."""
    above = 2 if form.startswith(b"[") else 1
    for levels, status in ((512, "ok"), (513, "lost")):
        deep = b"[" * (levels - above) + b"]" * (levels - above)
        found = decode(beside(form.replace(b"%b", deep)) + b"\n")
        assert [row["status"] for row in found.lines] == [status]


def test_a_key_that_stands_twice_hides_no_depth() -> None:
    line = b'{"type":"user","x":' + b"[" * 600 + b"]" * 600 + b',"x":1}'
    found = decode(line + b"\n" + say() + b"\n")
    assert [row["status"] for row in found.lines] == ["lost", "ok"]
    assert found.gap_kinds() == ["too_deep"]


def test_brackets_inside_strings_do_not_nest() -> None:
    found = decode(say("[" * 2000 + '\\"' + "{" * 2000) + b"\n")
    assert found.lines[0]["status"] == "ok"


def test_a_hundred_thousand_brackets_end_in_a_row() -> None:
    found = decode(b'{"a":' + b"[" * 100_000 + b"\n" + say() + b"\n")
    assert [row["status"] for row in found.lines] == ["lost", "ok"]
    assert found.gap_kinds() == ["too_deep"]


@pytest.mark.parametrize("size", [999, 1000])
def test_a_line_up_to_the_limit_is_read(monkeypatch: pytest.MonkeyPatch, size: int, tmp_path: Path) -> None:
    _limit_lines(monkeypatch, 1000)
    line = _line_of(size)
    found = take_in(tmp_path, line + b"\n" + say() + b"\n")
    assert [row["status"] for row in found.tables["lines"]] == ["ok", "ok"]


@pytest.mark.parametrize("size", [1001, 5000])
@pytest.mark.parametrize("block", [64, 1 << 20])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_a_line_beyond_the_limit_is_kept_as_bytes_only(
    monkeypatch: pytest.MonkeyPatch, size: int, block: int, ending: bytes, tmp_path: Path
) -> None:
    _limit_lines(monkeypatch, 1000)
    monkeypatch.setattr(scan, "BLOCK_BYTES", block)
    line = _line_of(size) + ending.removesuffix(b"\n")
    before = say() + b"\n"
    found = take_in(tmp_path, before + line + ending[-1:])
    assert [row["status"] for row in found.tables["lines"]] == ["ok", "lost"]
    long = found.tables["lines"][1]
    assert (long["byte_start"], long["n_bytes"]) == (len(before), len(line))
    assert [gap(row) for row in found.gaps if row["line_no"]] == [
        ("too_long", 0, len(before), len(line), "nothing")
    ]
    assert found.raw() == before + line + ending[-1:]
    notes = {row["class"] for row in found.gaps if row["line_no"] is None}
    assert notes == {b"\n": set(), b"\r\n": {"crlf"}, b"": {"no_final_newline"}}[ending]


def test_a_line_of_too_many_values_is_kept_as_bytes_only() -> None:
    many = b",".join([b'{"type":"text"}'] * (limits.MAX_VALUES + 1))
    blocks = b'{"type":"user","uuid":"u2","message":{"content":[' + many + b"]}}"
    glued = say(uuid="u3") * 30_000
    found = decode(say() + b"\n" + blocks + b"\n" + glued + b"\n" + answer() + b"\n")
    assert [row["status"] for row in found.lines] == ["ok", "lost", "lost", "ok"]
    assert found.gap_kinds() == ["too_long", "too_long"]


def test_a_large_line_of_few_values_is_read_whole() -> None:
    text = "if (a[i] != '{') { return \"x\"; }\n" * 60_000
    found = decode(say(text, uuid="u9") + b"\n")
    assert found.gaps == []
    assert found.lines[0]["content_chars"] == len(text)


def _limit_lines(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    monkeypatch.setattr(scan, "MAX_LINE_BYTES", limit)
    monkeypatch.setattr(decoding, "MAX_LINE_BYTES", limit)
    monkeypatch.setattr(blocks, "MAX_LINE_BYTES", limit)
    monkeypatch.setattr(blocks, "_LARGE_BYTES", 0)


def _line_of(size: int) -> bytes:
    return say("x" * (size - len(say("")))) if size else b""
