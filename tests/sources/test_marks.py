"""Rare records and side files: which of their values are kept, and which only as a hash."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import xxhash

from tests.ingest.evidence import KEY, SESSION, decode, encode, take_in

Marks = dict[tuple[str, str], str]


def marks_of(record: dict[str, Any]) -> Marks:
    found = decode(encode(record) + b"\n")
    assert found.gaps == []
    return {(row["kind"], row["name"]): row["value"] for row in found.marks}


def hash_of(text: str) -> str:
    return xxhash.xxh3_64_hexdigest(text.encode())


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"type": "relocated", "relocatedCwd": "/srv/b"}, {("relocated", "relocated_cwd"): "/srv/b"}),
        ({"type": "queue-operation", "operation": "dequeue"}, {("queue-operation", "operation"): "dequeue"}),
        ({"type": "mode", "mode": "plan"}, {("mode", "mode"): "plan"}),
        ({"type": "permission-mode", "permissionMode": "plan"}, {("permission-mode", "mode"): "plan"}),
        ({"type": "tag", "tag": "t1"}, {("tag", "tag"): "t1"}),
        ({"type": "pr-link", "prUrl": "https://h/1"}, {("pr-link", "url"): "https://h/1"}),
        (
            {"type": "bridge-session", "bridgeSessionId": "b1"},
            {("bridge-session", "bridge_session_id"): "b1"},
        ),
        ({"type": "mode", "mode": None}, {}),
        ({"type": "mode", "mode": ["plan"]}, {}),
        ({"type": "mode", "mode": True}, {("mode", "mode"): "true"}),
        ({"type": "progress", "mode": "plan"}, {}),
        (
            {
                "type": "worktree-state",
                "worktreeSession": {
                    "originalCwd": "/srv/a",
                    "worktreePath": "/srv/a/.claude/worktrees/x",
                    "worktreeName": "x",
                    "worktreeBranch": "wx",
                    "sessionId": "s",
                    "other": 1,
                },
            },
            {
                ("worktree-state", "original_cwd"): "/srv/a",
                ("worktree-state", "worktree_path"): "/srv/a/.claude/worktrees/x",
                ("worktree-state", "worktree_name"): "x",
                ("worktree-state", "worktree_branch"): "wx",
                ("worktree-state", "session_id"): "s",
            },
        ),
        ({"type": "worktree-state", "worktreeSession": None}, {("worktree-state", "left"): "true"}),
        ({"type": "worktree-state"}, {}),
        (
            {
                "type": "system",
                "subtype": "compact_boundary",
                "level": "info",
                "compactMetadata": {
                    "trigger": "auto",
                    "preTokens": 155_000,
                    "postTokens": 900,
                    "durationMs": 12.5,
                    "preservedSegment": {"headUuid": "h", "tailUuid": "t"},
                },
            },
            {
                ("system", "level"): "info",
                ("compact", "trigger"): "auto",
                ("compact", "pre_tokens"): "155000",
                ("compact", "post_tokens"): "900",
                ("compact", "duration_ms"): "12.5",
                ("compact", "preserved_head_uuid"): "h",
                ("compact", "preserved_tail_uuid"): "t",
            },
        ),
        (
            {"type": "system", "microcompactMetadata": {"trigger": "auto", "preTokens": 2**60}},
            {("microcompact", "trigger"): "auto"},
        ),
        ({"type": "system", "compactMetadata": "auto"}, {}),
    ],
)
def test_values_of_rare_records_are_kept_as_text(record: dict[str, Any], expected: Marks) -> None:
    assert marks_of(record) == expected


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ({"type": "summary", "summary": "what was done", "leafUuid": "u1"}, "summary"),
        ({"type": "last-prompt", "lastPrompt": "what was done"}, "last_prompt"),
        ({"type": "custom-title", "customTitle": "what was done"}, "title"),
        ({"type": "ai-title", "aiTitle": "what was done"}, "title"),
        ({"type": "agent-name", "agentName": "what was done"}, "title"),
        ({"type": "system", "content": "what was done"}, "notice"),
    ],
)
def test_prose_is_kept_apart_and_a_mark_holds_its_hash(record: dict[str, Any], kind: str) -> None:
    found = decode(encode(record) + b"\n")
    assert [(row["kind"], row["ord"], row["text"]) for row in found.text] == [(kind, 0, "what was done")]
    hashes = {row["name"]: row["value"] for row in found.marks if row["name"].endswith("_hash")}
    assert hashes == {f"{kind}_hash": hash_of("what was done")}
    assert all("what was done" not in row["value"] for row in found.marks)


def test_a_long_notice_stays_in_the_bytes_alone() -> None:
    found = decode(encode({"type": "system", "content": "x" * 5000}) + b"\n")
    assert found.text == []
    assert found.marks == []


def test_an_object_of_a_megabyte_is_no_payload_and_a_text_of_one_is() -> None:
    size = (1 << 20) + 1
    state = {"worktreePath": "/srv/w", "padding": "x" * size}
    assert marks_of({"type": "worktree-state", "worktreeSession": state}) == {}
    told = marks_of({"type": "summary", "summary": "x" * size})
    assert told == {("summary", "summary_hash"): hash_of("x" * size)}


def test_a_snapshot_has_the_time_inside_it() -> None:
    inside = {"snapshot": {"timestamp": "2026-05-04T09:00:00.000Z"}}
    found = decode(encode({"type": "file-history-snapshot", "messageId": "m", **inside}) + b"\n")
    assert found.lines[0]["ts_source"] == "snapshot"
    assert found.lines[0]["ts"] == timedelta(seconds=1_777_885_200)
    own = {"timestamp": "2026-05-04T10:00:00.000Z"}
    found = decode(encode({"type": "file-history-snapshot", **own, **inside}) + b"\n")
    assert found.lines[0]["ts_source"] == "timestamp"
    assert found.lines[0]["ts"] == timedelta(seconds=1_777_888_800)


@pytest.mark.parametrize("snapshot", [None, {}, "x", {"timestamp": 7}, {"timestamp": None}])
def test_a_snapshot_without_a_time_has_none(snapshot: Any) -> None:
    found = decode(encode({"type": "file-history-snapshot", "snapshot": snapshot}) + b"\n")
    assert (found.lines[0]["ts"], found.lines[0]["ts_source"], found.gaps) == (None, None, [])


SIDE = f"{KEY}/{SESSION}"


@pytest.mark.parametrize(
    ("path", "document", "expected"),
    [
        (
            f"{SIDE}/subagents/agent-7f.meta.json",
            {
                "agentType": "plan",
                "worktreePath": "/srv/w",
                "spawnDepth": 1,
                "spawnedWithWorktree": True,
                "x": 1,
            },
            {
                ("agent-meta", "agent_type"): "plan",
                ("agent-meta", "worktree_path"): "/srv/w",
                ("agent-meta", "spawn_depth"): "1",
                ("agent-meta", "spawned_with_worktree"): "true",
            },
        ),
        (
            f"{SIDE}/archived.json",
            {"archived": True, "at": "2026-05-04T09:00:00+02:00"},
            {("archived", "archived"): "true", ("archived", "at"): "2026-05-04T09:00:00+02:00"},
        ),
        (
            f"{SIDE}/custom-title.json",
            {"customTitle": "shop", "by": "user"},
            {("custom-title-file", "title_hash"): hash_of("shop"), ("custom-title-file", "by"): "user"},
        ),
        (
            f"{KEY}/sessions-index.json",
            {"entries": [{"sessionId": "s", "projectPath": "/srv/a"}, 7, {"sessionId": None}]},
            {("index", "session_id"): "s", ("index", "project_path"): "/srv/a"},
        ),
        (f"{KEY}/sessions-index.json", {"entries": "none"}, {}),
        (f"{SIDE}/tool-results/x.json", {"customTitle": "shop"}, {}),
        (f"{SIDE}/archived.json", {}, {}),
    ],
)
def test_side_files_give_marks_by_their_names(
    tmp_path: Path, path: str, document: dict[str, Any], expected: Marks
) -> None:
    found = take_in(tmp_path, encode(document), path=path)
    marks = {(row["kind"], row["name"]): row["value"] for row in found.tables["marks"]}
    assert marks == expected
    assert {(row["line_no"], row["part"]) for row in found.tables["marks"]} <= {(1, 0)}
    assert (found.result.n_lines, found.gaps) == (None, [])
    titles = [(row["kind"], row["text"]) for row in found.tables["text"]]
    assert titles == ([("title", "shop")] if path.endswith("custom-title.json") else [])


def test_entries_of_an_index_are_told_apart_by_their_order(tmp_path: Path) -> None:
    document = {"entries": [{"sessionId": name} for name in "abc"]}
    found = take_in(tmp_path, encode(document), path=f"{KEY}/sessions-index.json")
    assert [(row["ord"], row["value"]) for row in found.tables["marks"]] == [(0, "a"), (1, "b"), (2, "c")]
