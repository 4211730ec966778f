"""A block decodes as its lines do one by one: no record reaches over a line's end."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.sources.claude_code import block
from forensics.sources.claude_code.fields import record_columns
from forensics.sources.limits import MAX_DEPTH
from tests.ingest.evidence import encode, nested, say

PLACED = {"type": "user", "cwd": "/srv/a", "sessionId": "s1"}

lines = st.sampled_from(
    [
        b"",
        b" ",
        b"{}",
        b"{}{}",
        b"{} {}",
        b"{}\r",
        b"[{}]",
        b'{"type":"user"',
        b'"cwd":"/srv/b"}',
        b'{"type":"user","x":{}',
        b'{"type":"user","x":[',
        b'{"y":1}]}',
        b'{"type":"user"}{"type":"system"}',
        b'{"type":"user","x":"}',
        b'{"type":7}',
        b"\x00\x00{}",
        b'{"x":"\xff"}',
        encode(PLACED),
        encode(PLACED | {"message": {"role": "user", "content": "é"}}),
        say(),
    ]
)


@example([b'{"x":[', b'{"y":1}]}', b"{}{}"], True)
@example([b'{"x":', b'{"y":1}}', b"{} {}"], True)
@given(st.lists(lines, min_size=1, max_size=12), st.booleans())
def test_a_block_decodes_as_its_lines_do_one_by_one(several: list[bytes], is_ended: bool) -> None:
    data = b"\n".join(several) + b"\n" * is_ended
    starts, ends = block.cut(data, len(data))
    assert [data[start:end] for start, end in zip(starts, ends, strict=True)] == (
        several if is_ended or several[-1] else several[:-1]
    )
    alone = [
        block.decode_block(data[start:end], [0], [end - start])[0] if end > start else None
        for start, end in zip(starts, ends, strict=True)
    ]
    assert block.decode_block(data, starts, ends) == alone


def suspect(*several: bytes) -> list[int]:
    """Which of the lines are looked at carefully."""
    data = b"".join(line + b"\n" for line in several)
    starts, ends = block.cut(data, len(data))
    records = block.decode_block(data, starts, ends)
    refused = {i for i, record in enumerate(records) if record is None}
    columns = record_columns([record for record in records if record is not None])
    return sorted(refused | block.suspects(data, starts, ends, columns["cwd"], columns["session_id"]))


@pytest.mark.parametrize(
    "line",
    [
        b'{"cwd":"/srv/a","type":"user","cwd":"/srv/b"}',
        b'{"cwd":"/srv/a","cwd" : null}',
        b'{"sessionId":"a","sessionId":"b"}',
        b'{"sessionId":"a","x":"sessionId","sessionId":"b"}',
        b'{"cwd":{},"type":"user"}',
        b'{"x":"\xf0\x28\x8c\x28"}',
        b'{"x":' + b"[" * 600 + b"]" * 600 + b',"x":1}',
        b'{"type":"user"} {"type":"user"}',
        b'{"type":"user"',
        b"",
        nested(MAX_DEPTH + 1),
    ],
)
def test_a_line_with_a_fault_is_found_among_whole_ones(line: bytes) -> None:
    for fields in (PLACED, {"cwd": "/srv/a"}, {"sessionId": "s"}):
        whole = encode(fields)
        assert suspect(whole, line, whole) == [1]


@pytest.mark.parametrize(
    "line",
    [
        encode({"type": "user", "x": "cwd and sessionId"}),
        encode(PLACED | {"x": '"cwd":"/srv/b","sessionId":"s2"'}),
        encode(PLACED | {"x": "[" * 2000}),
        nested(MAX_DEPTH),
        encode({"type": "user", "x": [{}] * 2000}),
    ],
)
def test_a_whole_line_is_not(line: bytes) -> None:
    whole = encode(PLACED)
    assert suspect(whole, line, whole) == []
