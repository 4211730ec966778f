"""A small home taken in: every table against rows written by hand; what may be a source, and what a case."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from forensics.errors import UsageError
from forensics.ingest.plan import file_id_of
from forensics.ingest.verify import verify
from forensics.schema import TABLES
from tests.cli.evidence import tree_state
from tests.ingest.cases import all_rows, manifest_of, take
from tests.ingest.evidence import Row, answer, encode, say

ONE = "11111111-2222-4333-8444-555555555551"
TWO = "11111111-2222-4333-8444-555555555552"
A, B = "projects/-srv-a", "projects/-srv-b"
HELPER = f"{A}/{ONE}/subagents/agent-7f"

MAIN = [
    say("draw the plan", uuid="u1", cwd="/srv/a"),
    answer("here it is", uuid="u2", cwd="/srv/a"),
    answer(
        uuid="u3",
        cwd="/srv/a",
        message={
            "id": "m3",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/srv/a/x"}}],
        },
    ),
    say(
        uuid="u4",
        cwd="/srv/a",
        message={
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no such"}],
        },
    ),
    encode({"type": "custom-title", "customTitle": "plans", "sessionId": ONE}),
    b"",
    say(uuid="u5")[50:],
]
FILES: dict[str, bytes] = {
    f"{A}/{ONE}.jsonl": b"".join(line + b"\n" for line in MAIN),
    f"{HELPER}.jsonl": say(uuid="s1", isSidechain=True, agentId="7f", cwd="/srv/a") + b"\n",
    f"{HELPER}.meta.json": b'{"agentType":"plan","worktreePath":"/srv/w"}',
    f"{A}/{ONE}/tool-results/out.txt": b"a long result",
    f"{A}/memory/MEMORY.md": b"# notes\n",
    f"{A}/sessions-index.json": encode({"entries": [{"sessionId": TWO, "projectPath": "/srv/a"}]}),
    f"{B}/{TWO}.jsonl": say("again", uuid="v1", cwd="/srv/b", version="2.1.223") + b"\r\n" + say(uuid="v2"),
    f"{B}/notes.jsonl": b'{"note":1}\n',
    "history.jsonl": b'{"display":"/help","project":"/srv/a"}\n',
    "settings.json": b"{}",
}
MTIME = 1_770_000_000_123_456_789


def write_home(root: Path) -> Path:
    for name, data in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
        os.utime(root / name, ns=(MTIME, MTIME))
    (root / "projects" / "-srv-empty").mkdir()
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_home(tmp_path / "home" / ".claude")


@pytest.fixture
def case(root: Path, tmp_path: Path) -> Path:
    take(root, tmp_path / "case")
    return tmp_path / "case"


def of(path: str) -> int:
    return file_id_of("x", path.encode())


def names_of(rows: list[Row]) -> dict[int, str]:
    return {row["file_id"]: row["path"] for row in rows}


def only(rows: list[Row], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def test_every_file_has_a_row_with_its_role_and_place(case: Path) -> None:
    rows = {row["path"]: row for row in all_rows(case, "files")}
    expected = {
        f"{A}/{ONE}.jsonl": ("main", "-srv-a", ONE, None, 7, 1, True),
        f"{HELPER}.jsonl": ("subagent", "-srv-a", ONE, "7f", 1, 0, True),
        f"{HELPER}.meta.json": ("sidecar", "-srv-a", ONE, "7f", None, 0, None),
        f"{A}/{ONE}/tool-results/out.txt": ("sidecar", "-srv-a", ONE, None, None, 0, None),
        f"{A}/memory/MEMORY.md": ("sidecar", "-srv-a", None, None, None, 0, None),
        f"{A}/sessions-index.json": ("index", "-srv-a", None, None, None, 0, None),
        f"{B}/{TWO}.jsonl": ("main", "-srv-b", TWO, None, 2, 2, False),
        f"{B}/notes.jsonl": ("other", "-srv-b", None, None, None, 0, None),
        "history.jsonl": ("other", None, None, None, None, 0, None),
        "settings.json": ("other", None, None, None, None, 0, None),
    }
    names = ("role", "project_key", "session_id_by_name", "agent_id_by_name", "n_lines", "n_gaps")
    found = {path: (*(row[name] for name in names), row["ends_with_newline"]) for path, row in rows.items()}
    assert found == expected
    for path, row in rows.items():
        assert row["sha256"] == hashlib.sha256(FILES[path]).hexdigest()
        assert row["size_bytes"] == len(FILES[path])
        assert row["file_id"] == of(path)
        assert (row["generation"], row["label"], row["home"]) == (1, "x", ".")
        assert (row["kind"], row["state"], row["is_current"]) == ("file", "present", True)
        assert (row["path_bytes"], row["agent"]) == (None, None if row["role"] == "other" else "claude_code")


def test_lines_tell_what_stands_in_them(case: Path) -> None:
    lines = [row for row in all_rows(case, "lines") if row["file_id"] == of(f"{A}/{ONE}.jsonl")]
    assert only(lines, "line_no", "part", "status", "type", "uuid", "cwd") == [
        (1, 0, "ok", "user", "u1", "/srv/a"),
        (2, 0, "ok", "assistant", "u2", "/srv/a"),
        (3, 0, "ok", "assistant", "u3", "/srv/a"),
        (4, 0, "ok", "user", "u4", "/srv/a"),
        (5, 0, "ok", "custom-title", None, None),
        (6, 0, "blank", None, None, None),
        (7, 0, "salvaged", "user", "u5", None),
    ]
    assert only(lines, "is_human_prompt", "prompt_class")[:4] == [
        (True, "human"),
        (None, None),
        (None, None),
        (False, "tool_result"),
    ]
    assert only(lines, "n_text", "n_tool_use", "n_tool_result", "content_chars")[:4] == [
        (1, 0, 0, 13),
        (1, 0, 0, 10),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
    ]
    assert only(lines, "input_tokens", "output_tokens", "model")[1] == (7, 3, "claude-opus-4-1")
    assert [row["ts"].isoformat() for row in lines[:2]] == [
        "2026-05-04T09:00:00+00:00",
        "2026-05-04T09:00:05+00:00",
    ]


def test_bytes_and_newlines_add_up_to_each_file(case: Path) -> None:
    for path in (f"{A}/{ONE}.jsonl", f"{B}/{TWO}.jsonl", f"{HELPER}.jsonl"):
        lines = [row for row in all_rows(case, "lines") if row["file_id"] == of(path) and not row["part"]]
        n_newlines = FILES[path].count(b"\n")
        assert sum(row["n_bytes"] for row in lines) + n_newlines == len(FILES[path])


def test_calls_results_marks_and_prose_stand_in_tables_of_their_own(case: Path) -> None:
    main, meta, index = of(f"{A}/{ONE}.jsonl"), of(f"{HELPER}.meta.json"), of(f"{A}/sessions-index.json")
    calls = all_rows(case, "tool_calls")
    assert only(calls, "file_id", "line_no", "block_no", "tool_use_id", "tool_name", "file_path", "cwd") == [
        (main, 3, 0, "t1", "Read", "/srv/a/x", "/srv/a")
    ]
    results = all_rows(case, "tool_results")
    assert only(results, "file_id", "line_no", "block_no", "tool_use_id", "is_error") == [
        (main, 4, 0, "t1", True)
    ]
    marks = {
        (row["file_id"], row["kind"], row["name"]): row["value"]
        for row in all_rows(case, "marks")
        if row["name"] != "title_hash"
    }
    assert marks == {
        (meta, "agent-meta", "agent_type"): "plan",
        (meta, "agent-meta", "worktree_path"): "/srv/w",
        (index, "index", "session_id"): TWO,
        (index, "index", "project_path"): "/srv/a",
    }
    texts = {(row["file_id"], row["line_no"], row["kind"], row["text"]) for row in all_rows(case, "text")}
    two = of(f"{B}/{TWO}.jsonl")
    assert texts == {
        (main, 1, "human", "draw the plan"),
        (main, 4, "tool_error", "no such"),
        (main, 5, "title", "plans"),
        (two, 1, "human", "again"),
        (two, 2, "human", "hello"),
    }


def test_gaps_name_what_is_not_whole(case: Path) -> None:
    files = names_of(all_rows(case, "files"))
    gaps = {(files[row["file_id"]], row["line_no"], row["class"]) for row in all_rows(case, "gaps")}
    assert gaps == {
        (f"{A}/{ONE}.jsonl", 7, "torn"),
        (f"{B}/{TWO}.jsonl", None, "crlf"),
        (f"{B}/{TWO}.jsonl", None, "no_final_newline"),
    }


def test_keys_cwds_and_versions_are_those_of_the_evidence(case: Path) -> None:
    keys = all_rows(case, "keys")
    assert only(keys, "label", "home", "project_key", "n_files", "n_sessions", "is_empty", "form") == [
        ("x", ".", "-srv-a", 6, 1, False, "encoded"),
        ("x", ".", "-srv-b", 2, 1, False, "encoded"),
        ("x", ".", "-srv-empty", 0, 0, True, "encoded"),
    ]
    assert only(all_rows(case, "cwds"), "cwd", "n_lines", "style") == [
        ("/srv/a", 5, "posix"),
        ("/srv/b", 1, "posix"),
        ("/srv/shop", 1, "posix"),
    ]
    own = {row["key"] for row in all_rows(case, "cwd_keys") if row["cwd"] == "/srv/a" and not row["alias"]}
    assert "-srv-a" in own
    assert {row["agent_version"] for row in all_rows(case, "version_rules")} == {"", "2.1.100", "2.1.223"}


def test_acquisition_holds_what_a_copy_changes(case: Path, root: Path) -> None:
    rows = {row["file_id"]: row for row in all_rows(case, "acquisition")}
    assert set(rows) == {of(path) for path in FILES}
    for path in FILES:
        seen = (root / path).stat()
        row = rows[of(path)]
        assert (row["mtime_ns"], row["inode"], row["mode"]) == (MTIME, seen.st_ino, seen.st_mode)


def test_the_manifest_counts_and_names_nothing_of_this_machine(case: Path, root: Path) -> None:
    manifest = manifest_of(case)
    assert manifest["sources"] == [
        {
            "label": "x",
            "kind": "folder",
            "same_as": None,
            "sha256": None,
            "n_files": len(FILES),
            "n_bytes": sum(map(len, FILES.values())),
        }
    ]
    assert manifest["counts"]["files"] == len(FILES)
    assert manifest["counts"]["lines"] == 10
    assert (manifest["as_of"], manifest["as_of_basis"]) == ("2026-05-04T09:00:05+00:00", "evidence")
    assert manifest["segments_trimmed"] is False
    text = (case / "manifest.json").read_text()
    assert str(root.parents[1]) not in text
    assert json.loads(text)["absent"] == []


def test_a_case_is_readable_by_its_owner_alone(case: Path) -> None:
    for path in [case, *case.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_the_evidence_is_left_as_it_was(root: Path, tmp_path: Path) -> None:
    before = tree_state(root.parent)
    take(root, tmp_path / "case")
    take(root, tmp_path / "case")
    verify(tmp_path / "case", roots={"x": root})
    assert tree_state(root.parent) == before


def test_a_second_run_reads_nothing_and_changes_nothing_but_the_log(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case)
    before = {p.name: p.read_bytes() for p in case.rglob("*") if p.is_file() and p.name != "runs.jsonl"}
    again = take(root, case)
    after = {p.name: p.read_bytes() for p in case.rglob("*") if p.is_file() and p.name != "runs.jsonl"}
    assert (again.n_read_bytes, again.n_files) == (0, len(FILES))
    assert after == before
    assert (case / "runs.jsonl").read_bytes().count(b"\n") == 2


def test_without_bytes_and_prose_the_rest_is_the_same(root: Path, case: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    take(root, bare, raw=False, text=False)
    assert manifest_of(bare)["absent"] == ["raw", "text"]
    assert not (bare / "raw").exists()
    assert not (bare / "text").exists()
    for table in set(TABLES) - {"raw", "text"}:
        assert all_rows(bare, table) == all_rows(case, table)
    with pytest.raises(UsageError, match="keeps neither raw nor text, not raw and text"):
        take(root, bare)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("times", [1, 400])
def test_credentials_are_listed_and_not_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, workers: int
) -> None:
    """Nor are they where they are so large that others would be cut into ranges."""
    monkeypatch.setattr("forensics.ingest.plan.SPLIT_BYTES", 5000)
    monkeypatch.setattr("forensics.ingest.split.PART_BYTES", 5000)
    secret = b'{"token":"only-for-the-owner"}'
    (root / ".credentials.json").write_bytes((secret + b"\n") * times)
    case = tmp_path / "case"
    take(root, case, workers=workers)
    take(root, case, workers=workers)
    row = next(row for row in all_rows(case, "files") if row["path"] == ".credentials.json")
    assert (row["state"], row["size_bytes"], row["sha256"]) == ("unread", None, None)
    assert [gap["class"] for gap in all_rows(case, "gaps") if gap["file_id"] == row["file_id"]] == [
        "withheld"
    ]
    assert all(secret not in path.read_bytes() for path in case.rglob("*") if path.is_file())
    assert verify(case) == []


def test_many_homes_below_one_root_are_told_apart(tmp_path: Path) -> None:
    for name in ("ann/.claude", "bob/.claude", "backup/old"):
        write_home(tmp_path / "root" / name)
    take(tmp_path / "root", tmp_path / "case")
    keys = all_rows(tmp_path / "case", "keys")
    assert {(row["home"], row["project_key"]) for row in keys} == {
        (home, key)
        for home in ("ann/.claude", "bob/.claude", "backup/old")
        for key in ("-srv-a", "-srv-b", "-srv-empty")
    }
