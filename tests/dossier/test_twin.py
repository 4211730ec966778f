"""Titles, requests, last words and places once more, by a naive reading of the files."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.world import build_world
from tests.worlds import everything

Record = dict[str, Any]

_TITLES = {"custom-title": "customTitle", "agent-name": "agentName", "ai-title": "aiTitle"}
_SAYS_NOTHING = {
    *(
        "",
        "응",
        "ㅇㅇ",
        "넵",
        "네",
        "어",
        "어 해봐",
        "해줘",
        "좋아",
        "1",
        "2",
        "3",
        "y",
        "yes",
        "yes please",
        "yep",
    ),
    *("n", "no", "ok", "okay", "sure", "go", "go on", "go ahead", "continue", "do it", "thanks", "thank you"),
}
_PUT_THERE = (
    *("<system", "<!--", "<skill ", "<ide_", "base directory for this skill", "[subagent:"),
    *("[fork-panel handoff:", "/var/folders/", "/tmp/"),
)
_NOT_A_PERSON = (
    *("[Request interrupted by user", "<command-", "<local-command-", "<bash-", "<system-reminder>"),
    *("<task-notification>", "<user-prompt-submit-hook>", "<teammate-message", "<agent-message"),
    *("Unknown slash command:", "Caveat: The messages below", "Base directory for this skill:"),
    *("This session is being continued from", "Continue from where you left off", "Please continue"),
)


def read_whole(path: Path) -> list[tuple[int, Record]]:
    """The records at lines that are one whole object each; None where a line is anything else."""
    found = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if line.strip():
            record = json.loads(line.decode("utf-8").rstrip("\r"))
            assert isinstance(record, dict)
            found.append((number, record))
    return found


def on_one_line(text: str) -> str:
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text[:2000], flags=re.ASCII).strip(" ")


def says_something(text: str) -> bool:
    low = unicodedata.normalize("NFC", on_one_line(text)).lower()
    is_image = re.fullmatch(r"(\[image[^\]]*\]\s*)+", low) is not None
    return not (low.startswith(_PUT_THERE) or is_image or low.rstrip(" .!…。") in _SAYS_NOTHING)


def texts_of(record: Record) -> list[str] | None:
    """The texts of a user record that holds no tool's result; None for one that does."""
    content = record.get("message", {}).get("content")
    if isinstance(content, str):
        return [content]
    blocks = content if isinstance(content, list) else []
    if any(block.get("type") == "tool_result" for block in blocks):
        return None
    return [block["text"] for block in blocks if block.get("type") == "text"]


def is_request(record: Record) -> bool:
    texts = texts_of(record)
    if record["type"] != "user" or texts is None or record.get("isSidechain"):
        return False
    if any(record.get(flag) for flag in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return False
    if record.get("origin", {"kind": "human"}).get("kind", "human") != "human":
        return False
    first = next((text.strip() for text in texts if text.strip()), "")
    is_note = re.fullmatch(r"(\[Image[^\]]*\]\s*)+", first) is not None and not has_image(record)
    return bool(first) and not first.startswith(_NOT_A_PERSON) and not is_note


def has_image(record: Record) -> bool:
    content = record["message"]["content"]
    return isinstance(content, list) and any(block.get("type") == "image" for block in content)


def title_of(records: list[tuple[int, Record]]) -> tuple[str, str, int] | None:
    """The title with its source and line, by the chain; summaries are left to other tests."""
    for kind, field in _TITLES.items():
        told = [(number, on_one_line(r[field])) for number, r in records if r["type"] == kind]
        told = [(n, text) for n, text in told if text.lower() not in ("", "untitled", "(untitled)")]
        if told:
            return told[-1][1], kind, told[-1][0]
    last = [(n, r["lastPrompt"]) for n, r in records if r["type"] == "last-prompt" and "lastPrompt" in r]
    said = [(n, text) for n, text in last if says_something(text)]
    if said:
        return on_one_line(said[-1][1]), "last-prompt", said[-1][0]
    for number, record in records:
        if is_request(record) and (text := best_text(record)) is not None:
            return on_one_line(text), "first-request", number
    return None


def best_text(record: Record) -> str | None:
    return next((text for text in texts_of(record) or [] if text and says_something(text)), None)


def last_request_of(records: list[tuple[int, Record]]) -> int | None:
    lines = [number for number, record in records if is_request(record)]
    meant = [number for number, record in records if is_request(record) and best_text(record) is not None]
    chosen = meant or lines
    return chosen[-1] if chosen else None


def last_word_of(records: list[tuple[int, Record]]) -> tuple[int, str] | None:
    for number, record in reversed(records):
        if record["type"] not in ("user", "assistant") or record.get("isSidechain"):
            continue
        content = record.get("message", {}).get("content")
        if record["type"] == "assistant":
            is_call = isinstance(content, list) and any(block["type"] == "tool_use" for block in content)
            return number, "tool_call" if is_call else "reply"
        if texts_of(record) is None:
            return number, "tool_result"
        return number, "request" if is_request(record) else "other"
    return None


def _check(root: Path, case_path: Path) -> int:
    """The number of transcripts compared: those in which every line is whole."""
    n_compared = 0
    with open_case(case_path) as case:
        rows = case.sql(
            "select t.path, t.n_gaps, n.title, n.title_source, n.title_ref.line_no as title_line,"
            " n.last_request_ref.line_no as request_line, w.line_no as word_line, w.last_word"
            " from session_names as n inner join transcripts as t using (file_id, generation)"
            " left join session_last_words as w using (file_id, generation) order by t.path"
        ).to_pylist()
    for row in rows:
        if row["n_gaps"] or row["title_source"] in ("summary", "first-command", "custom-title-file"):
            continue
        records = read_whole(root / row["path"])
        title = (row["title"], row["title_source"], row["title_line"]) if row["title"] else None
        word = (row["word_line"], row["last_word"]) if row["last_word"] else None
        assert title == title_of(records), row["path"]
        assert row["request_line"] == last_request_of(records), row["path"]
        assert word == last_word_of(records), row["path"]
        n_compared += 1
    return n_compared


def test_a_naive_reading_of_a_world_says_the_same(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build_world(everything(9)).lay_out(root)
    convert([f"world={root}"], tmp_path / "case", options=ConvertOptions(workers=1, raw=False))
    assert _check(root, tmp_path / "case") > 100


@pytest.fixture(params=["public", "cli"])
def corpus(request: pytest.FixtureRequest, shared_corpora: Path) -> Path:
    return shared_corpora / str(request.param)


@pytest.mark.corpus
def test_a_naive_reading_of_real_transcripts_says_the_same(corpus: Path, tmp_path: Path) -> None:
    convert([f"corpus={corpus}"], tmp_path / "case", options=ConvertOptions(workers=1, raw=False))
    assert _check(corpus, tmp_path / "case") > 50
