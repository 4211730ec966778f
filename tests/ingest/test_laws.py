"""Laws of reading lines: two ways give one result, blocks do not show, bytes are never lost."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from forensics.sources.claude_code import block
from forensics.sources.claude_code.marks import PAYLOAD_FIELDS
from tests.ingest.evidence import SESSION, Decoded, answer, decode, encode, say, take_in

MANY = settings.default.max_examples if settings.default else 100
IS_DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
DEEP = MANY * 10 if IS_DEEP else MANY

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
scalars = st.none() | st.booleans() | numbers | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
maybe_words = st.none() | words
flags = st.none() | st.booleans()
counts = st.none() | st.integers(0, 2**53)
times = st.sampled_from(["2026-05-04T09:00:00.000Z", "2026-05-04T09:00:00+02:00", "soon", ""])
paths = st.sampled_from(["/srv/shop", "/srv/caf\u00e9", "C:\\work", "/"])

blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "image", "thinking"])},
    optional={
        "text": maybe_words,
        "id": maybe_words,
        "name": st.sampled_from(["Bash", "AskUserQuestion", "Read"]),
        "tool_use_id": maybe_words,
        "is_error": flags,
        "input": st.dictionaries(st.sampled_from(["file_path", "questions", "x"]), values, max_size=2),
        "content": values,
        "source": values,
    },
)
usages = st.dictionaries(
    st.sampled_from(["input_tokens", "output_tokens", "cache_read_input_tokens"]), counts, max_size=3
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "id": maybe_words,
        "role": maybe_words,
        "model": maybe_words,
        "stop_reason": maybe_words,
        "content": st.none() | words | st.lists(blocks, max_size=4),
        "usage": st.none() | usages,
        "container": values,
    },
)
types = st.sampled_from(["user", "assistant", "progress", "made-up", *sorted(PAYLOAD_FIELDS)])
records = st.fixed_dictionaries(
    {},
    optional={
        "type": types,
        "subtype": maybe_words,
        "uuid": maybe_words,
        "parentUuid": maybe_words,
        "sessionId": maybe_words,
        "agentId": maybe_words,
        "cwd": st.none() | paths,
        "gitBranch": maybe_words,
        "version": maybe_words,
        "timestamp": st.none() | times,
        "isSidechain": flags,
        "isMeta": flags,
        "isCompactSummary": flags,
        "requestId": maybe_words,
        "message": st.none() | messages,
        "toolUseResult": values,
        "origin": values,
        "summary": values,
        "snapshot": st.dictionaries(st.sampled_from(["timestamp", "x"]), times | values, max_size=2),
        "compactMetadata": st.dictionaries(st.sampled_from(["trigger", "preTokens"]), values, max_size=2),
        "worktreeSession": st.none() | st.dictionaries(st.sampled_from(["worktreePath", "x"]), values),
        "content": values,
        "slug": values,
    },
)


def read_carefully(data: bytes) -> Decoded:
    """What the careful path alone makes of lines."""

    def refuse(_: Any) -> Any:
        raise msgspec.DecodeError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(block, "decode_record", refuse)
        patch.setattr(block, "decode_records", refuse)
        return decode(data)


@settings(max_examples=max(MANY // 2, 20))
@given(st.lists(records, min_size=1, max_size=3), st.booleans())
def test_whole_lines_go_the_same_way_through_both_paths(rows: list[Any], escaped: bool) -> None:
    lines = [json.dumps(row, ensure_ascii=escaped).encode() for row in rows]
    data = b"".join(line + b"\n" for line in lines)
    fast = decode(data)
    assert fast == read_carefully(data)
    assert {row["class"] for row in fast.gaps} <= {"type_clash"}
    assert all(row["field"] == "timestamp" for row in fast.gaps)
    assert [row["line_hash"] for row in fast.lines] == [xxhash.xxh3_64_intdigest(line) for line in lines]


LINES = (
    say('a request\nof two lines, with "quotes" and \\ slashes', uuid="u1"),
    answer("日本語 and 😀", uuid="u2"),
    answer(
        uuid="u3",
        message={
            "id": "m3",
            "content": [
                {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "/srv/shop/a.py"}}
            ],
        },
    ),
    say(
        uuid="u4",
        message={
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "{[ok"}],
        },
        toolUseResult={"stdout": '{"type":"user"}', "cwd": "/inner"},
    ),
    encode({"type": "summary", "summary": "what was done", "leafUuid": "u2"}),
    encode({"type": "custom-title", "customTitle": "shop", "sessionId": SESSION}),
    encode(
        {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "u5",
            "compactMetadata": {"trigger": "auto", "preTokens": 9},
            "sessionId": SESSION,
        }
    ),
    encode(
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"timestamp": "2026-05-04T09:00:00Z"}}
    ),
    b"",
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Real-shaped lines after a few flips, cuts, splices, repetitions and runs of NUL."""
    data = b"".join(draw(st.sampled_from(LINES)) + b"\n" for _ in range(draw(st.integers(1, 5))))
    for _ in range(draw(st.integers(1, 4))):
        if not data:
            break
        at = draw(st.integers(0, len(data) - 1))
        to = draw(st.integers(at, min(len(data), at + 200)))
        how = draw(st.sampled_from(["flip", "cut", "splice", "repeat", "nul", "insert", "line"]))
        if how == "flip":
            data = data[:at] + bytes([data[at] ^ (1 << draw(st.integers(0, 7)))]) + data[at + 1 :]
        elif how == "cut":
            data = data[:at] + data[to:]
        elif how == "splice":
            other = draw(st.sampled_from(LINES))
            data = data[:at] + other[draw(st.integers(0, len(other))) :] + data[to:]
        elif how == "repeat":
            data = data[:to] + data[at:to] + data[to:]
        elif how == "nul":
            data = data[:at] + b"\0" * (to - at) + data[to:]
        elif how == "insert":
            odd = [b"\n", b"{", b"}", b'"', b"\\", b"\xff", b"\xef\xbb\xbf", b"\r", rb"\ud800", b"[" * 600]
            data = data[:at] + draw(st.sampled_from(odd)) + data[at:]
        else:
            data = data[:at] + draw(st.binary(max_size=30)) + data[to:]
    return data


def check_spans(data: bytes, found: Decoded) -> None:
    """Part 0 of the lines partitions the bytes; further parts and gaps lie inside their line."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    whole = [row for row in found.lines if row["part"] == 0]
    assert [row["line_no"] for row in whole] == list(range(1, len(lines) + 1))
    at = 0
    for row, line in zip(whole, lines, strict=True):
        assert (row["byte_start"], row["n_bytes"]) == (at, len(line))
        assert row["line_hash"] == xxhash.xxh3_64_intdigest(line)
        at += len(line) + 1
    spans = {row["line_no"]: (row["byte_start"], row["byte_start"] + row["n_bytes"]) for row in whole}
    parts = [(row["line_no"], row["part"]) for row in found.lines]
    assert len(parts) == len(set(parts))
    for row in (*found.lines, *found.gaps):
        first, end = spans[row["line_no"]]
        assert first <= row["byte_start"] <= row["byte_start"] + row["n_bytes"] <= end
    for row in found.lines:
        if row["part"]:
            span = data[row["byte_start"] : row["byte_start"] + row["n_bytes"]]
            assert row["line_hash"] == xxhash.xxh3_64_intdigest(span)
    harmed = {row["line_no"] for row in found.gaps}
    for row in found.lines:
        assert (row["status"] in {"ok", "blank"}) is (row["line_no"] not in harmed)
    told = set(parts)
    for table in (found.marks, found.tool_calls, found.tool_results, found.text):
        assert {(row["line_no"], row["part"]) for row in table} <= told
    keys = [(row["line_no"], row["part"], row["class"], row["ord"]) for row in found.gaps]
    assert len(keys) == len(set(keys))


@settings(max_examples=DEEP)
@given(damaged())
def test_damaged_files_are_read_to_the_end_and_their_spans_partition_them(data: bytes) -> None:
    check_spans(data, decode(data))


@settings(max_examples=DEEP)
@given(
    st.binary(max_size=400) | st.lists(st.sampled_from(list(b'{}[]":,\\\n\0 abu"')), max_size=60).map(bytes)
)
def test_any_bytes_are_read_to_the_end_and_their_spans_partition_them(data: bytes | list[int]) -> None:
    check_spans(bytes(data), decode(bytes(data)))


@given(damaged(), st.integers(1, 700))
def test_where_blocks_end_shows_nowhere(data: bytes, block: int) -> None:
    assert decode(data, block=block) == decode(data)


@given(damaged())
def test_a_line_tells_the_same_wherever_it_stands(data: bytes) -> None:
    """But for what a torn line repeats, which lies before it."""
    lines = data.split(b"\n")
    together = decode(data).lines
    alone = [row for line in lines for row in decode(line + b"\n").lines]
    if not lines[-1]:
        alone = alone[: len(together)]
    skip = {"line_no", "byte_start"}
    assert [{k: v for k, v in row.items() if k not in skip} for row in together] == [
        {k: v for k, v in row.items() if k not in skip} for row in alone
    ]


@settings(max_examples=DEEP if IS_DEEP else max(MANY // 2, 20))
@given(damaged())
def test_every_byte_of_a_damaged_file_can_be_had_again(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    folder: Path = tmp_path_factory.getbasetemp() / "laws"
    found = take_in(folder, data)
    assert found.raw() == data
    assert found.result.size_bytes == len(data)
    assert found.result.role in {"main", "other"}
    if found.result.role == "main":
        whole = [row for row in found.tables["lines"] if row["part"] == 0]
        n_ends = data.count(b"\n")
        assert sum(row["n_bytes"] for row in whole) + n_ends == len(data)
