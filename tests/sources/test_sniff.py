"""Transcripts and decoys, told by their first records."""

from __future__ import annotations

import pytest

from forensics.sources.claude_code.place import read_place
from forensics.sources.claude_code.sniff import SNIFF_BYTES, is_transcript
from tests.ingest.evidence import SESSION, answer, encode, say

MAIN = read_place(f"projects/-srv-a/{SESSION}.jsonl")
NAMED = read_place("projects/-srv-a/notes.jsonl")
AGENT = read_place("projects/-srv-a/agent-7f.jsonl")
PLACES = (MAIN, NAMED, AGENT)

RECORDS = {
    "a request": say(),
    "an answer": answer(),
    "a summary": encode({"type": "summary", "summary": "x", "leafUuid": "u1"}),
    "a snapshot": encode({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}),
    "a title": encode({"type": "custom-title", "customTitle": "x", "sessionId": SESSION}),
    "a type not met yet": encode({"type": "brand-new", "sessionId": SESSION}),
    "a record after a decoy": b'{"a":1}\n' + say(),
    "a record after text": b"warning: disk is nearly full\n" + say(),
    "a record after a torn line": say()[40:] + b"\n" + say(),
    "a record after NUL bytes": b"\0" * 100 + say(),
    "a record before NUL bytes": say() + b"\0" * 100,
    "a record after a byte order mark": b"\xef\xbb\xbf" + say(),
    "a record with another line end": say() + b"\r\n",
    "a record whose session is no id": say(sessionId="main"),
}
DECOYS = {
    "history": b'{"display":"/help","pastedContents":{},"timestamp":1700000000000,"project":"/srv/a"}',
    "an index of a library": b'{"id":1,"title":"x"}',
    "a log": b'{"level":"info","msg":"started","time":"2026-05-04T09:00:00Z"}',
    "an audit": b'{"type":"login","user":"kit"}',
    "a chat of another tool": b'{"role":"user","content":"hello"}',
    "another agent's header": b'{"type":"session","version":3,"id":"x","cwd":"/srv/a"}',
    "another agent's message": b'{"type":"message","id":"0a1b2c3d","message":{"role":"user","content":"x"}}',
    "a dataset": b'{"type":"user","name":"kit"}',
    "a type that is no text": b'{"type":7,"uuid":"u","sessionId":"x"}',
    "an empty object": b"{}",
}


@pytest.mark.parametrize("name", list(RECORDS))
@pytest.mark.parametrize("place", PLACES)
def test_one_record_of_the_agent_makes_a_transcript(name: str, place: object) -> None:
    assert is_transcript(RECORDS[name] + b"\n", place=place)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", list(DECOYS))
@pytest.mark.parametrize("place", PLACES)
def test_objects_of_another_shape_make_none_wherever_they_lie(name: str, place: object) -> None:
    assert not is_transcript(DECOYS[name] + b"\n", place=place)  # type: ignore[arg-type]
    assert not is_transcript((DECOYS[name] + b"\n") * 50, place=place)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "head",
    [b"", b"\n\n", b"plain text\n", b"\0\0\0", say()[50:], say()[:50], b"[1,2]\n", b"[" * 100_000, b"{" * 9],
)
def test_without_a_whole_object_the_name_decides(head: bytes) -> None:
    assert is_transcript(head, place=MAIN)
    assert is_transcript(head, place=AGENT)
    assert not is_transcript(head, place=NAMED)


def test_a_first_line_longer_than_what_is_looked_at_leaves_the_name_to_decide() -> None:
    head = say("x" * SNIFF_BYTES)[:SNIFF_BYTES]
    assert is_transcript(head, place=MAIN)
    assert not is_transcript(head, place=NAMED)


def test_only_the_first_lines_count() -> None:
    assert not is_transcript(DECOYS["a log"] + b"\n" + b"\n" * 100 + say(), place=MAIN)
