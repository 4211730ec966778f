"""Every directory that a transcript records is found, from damaged lines too, and nothing is touched."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.errors import SourceError
from forensics.host.recorded import find_in_line, find_recorded


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (line(type="user", cwd="/srv/a"), {"/srv/a"}),
        (line(type="summary", summary="x"), set()),
        (line(cwd=None), set()),
        (line(cwd=""), set()),
        (line(type="relocated", relocatedCwd="/srv/new"), {"/srv/new"}),
        (
            line(worktreeSession={"originalCwd": "/srv/a", "worktreePath": "/srv/a/.claude/worktrees/x"}),
            {"/srv/a", "/srv/a/.claude/worktrees/x"},
        ),
        (line(type="worktree-state", worktreeSession=None), set()),
        (line(cwd="/srv/a", message={"cwd": "/not/this"}), {"/srv/a"}),
        (line(message='{"cwd":"/not/this"}'), set()),
        (b'{"cwd":"/srv/old","cwd":"/srv/new"}', {"/srv/new"}),
        ('{"cwd":"/srv/caf\\u00e9/日本"}'.encode(), {"/srv/café/日本"}),
        (line(worktreePath="/srv/wt", agentType="x"), {"/srv/wt"}),
    ],
)
def test_a_whole_record_names_its_own_directories_alone(data: bytes, expected: set[str]) -> None:
    assert find_in_line(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"user","cwd":"/srv/a","message":{"conte',
        b'tail of something"}{"type":"user","cwd":"/srv/a"}',
        b'\0\0\0{"cwd":"/srv/a"}',
        b'{"cwd":"/srv/a","text":"\xff"}x',
        b'{"cwd":"/srv/a","relocatedCwd":7}',
    ],
)
def test_a_damaged_record_still_gives_what_stands_whole_in_it(data: bytes) -> None:
    assert find_in_line(data) == {"/srv/a"}


def test_a_directory_that_is_cut_off_is_not_guessed() -> None:
    assert find_in_line(b'{"cwd":"/srv/a/pro') == set()


@given(cwd=st.text(min_size=1).filter(lambda text: text.isprintable()))
def test_any_directory_comes_back_as_it_was_recorded(cwd: str) -> None:
    assert find_in_line(line(type="user", cwd=cwd)) == {cwd}
    assert find_in_line(line(type="user", cwd=cwd)[:-2] + b",") == {cwd}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "backup" / ".claude"
    folder = home / "projects" / "-srv-a"
    (folder / "s-1" / "subagents").mkdir(parents=True)
    (folder / "s-1.jsonl").write_bytes(line(cwd="/srv/a") + line(cwd="/srv/a/sub") + b"\n")
    (folder / "s-1/subagents/agent-1.jsonl").write_bytes(line(cwd="/srv/agent"))
    (folder / "s-1/subagents/agent-1.meta.json").write_bytes(line(worktreePath="/srv/wt"))
    (folder / "notes.txt").write_bytes(line(cwd="/srv/not-this"))
    (home / "settings.json").write_bytes(line(cwd="/srv/nor-this"))
    return home


def test_transcripts_and_sidecars_at_any_depth_are_read_and_nothing_else(home: Path, tmp_path: Path) -> None:
    found = find_recorded([tmp_path])
    assert found.directories == {"/srv/a", "/srv/a/sub", "/srv/agent", "/srv/wt"}
    assert found.homes == {os.path.realpath(home)}
    assert found.n_transcripts == 2
    assert found.unread == set()


def test_one_file_can_be_a_source(home: Path) -> None:
    found = find_recorded([home / "projects/-srv-a/s-1.jsonl"])
    assert found.directories == {"/srv/a", "/srv/a/sub"}


def test_links_and_devices_are_not_read(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(line(cwd="/srv/outside"))
    (home / "projects/-srv-a/linked.jsonl").symlink_to(outside)
    (home / "projects/-srv-b").symlink_to(tmp_path)
    os.mkfifo(home / "projects/-srv-a/pipe.jsonl")
    found = find_recorded([home])
    assert "/srv/outside" not in found.directories
    assert found.n_transcripts == 2


def test_a_file_that_cannot_be_read_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = os.path.realpath(home / "projects/-srv-a/s-1.jsonl")
    opened = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if path == refused:
            raise PermissionError(13, "Permission denied", path)
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    found = find_recorded([home])
    assert found.unread == {refused}
    assert found.directories == {"/srv/agent", "/srv/wt"}


def test_a_source_that_is_absent_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        find_recorded([tmp_path / "absent"])


def test_reading_changes_neither_bytes_nor_times(home: Path) -> None:
    def state() -> dict[str, tuple[str, int, int, int]]:
        return {
            str(path): (
                hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
                path.stat().st_mtime_ns,
                path.stat().st_ctime_ns,
                path.stat().st_mode,
            )
            for path in sorted(home.rglob("*"))
        }

    before = state()
    find_recorded([home])
    assert state() == before
