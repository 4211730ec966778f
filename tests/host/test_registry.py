"""The live registry, the settings' active worktrees, the boot, and whether a process is the one meant."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.host.bounded import run_bounded
from forensics.host.registry import (
    ActiveWorktree,
    RegistryEntry,
    find_boot_s,
    is_later_process,
    is_running,
    parse_boottime,
    parse_btime,
    parse_process_start_s,
    read_active_worktrees,
    read_registry,
)

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")


def test_every_field_of_an_entry_is_kept(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    record = {
        "pid": os.getpid(),
        "sessionId": "0f0f",
        "cwd": "/srv/a",
        "startedAt": 1_770_000_000_123,
        "version": "2.1.332",
        "kind": "interactive",
        "entrypoint": "cli",
        "tmux": "main:1.0",
        "name": "x01",
        "formerNames": ["x00"],
        "status": "busy",
    }
    (tmp_path / "sessions" / f"{os.getpid()}.json").write_text(json.dumps(record))
    entries, refused = read_registry(str(tmp_path), boot_s=None)
    assert refused == []
    assert entries == [
        RegistryEntry(
            file=f"{os.getpid()}.json",
            pid=os.getpid(),
            session_id="0f0f",
            cwd="/srv/a",
            started_at_ms=1_770_000_000_123,
            version="2.1.332",
            kind="interactive",
            entrypoint="cli",
            tmux="main:1.0",
            name="x01",
            status="busy",
            is_alive=True,
        )
    ]


def test_fields_of_another_type_are_left_out_and_damage_is_named(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    for name, text in {
        "1.json": '{"pid":"12","sessionId":7,"startedAt":true,"cwd":["/srv"]}',
        "2.json": '{"pid":',
        "3.json": "[]",
        "4.json": '{"pid":-1,"startedAt":1e3}',
        "5.txt": "{}",
    }.items():
        (tmp_path / "sessions" / name).write_text(text)
    entries, refused = read_registry(str(tmp_path), boot_s=None)
    assert entries == [RegistryEntry("1.json"), RegistryEntry("4.json")]
    assert [Path(path).name for path in refused] == ["2.json", "3.json"]


def test_a_home_without_a_registry_has_no_entries(tmp_path: Path) -> None:
    assert read_registry(str(tmp_path), boot_s=None) == ([], [])


def test_a_registry_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sessions").mkdir()

    def refuse(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert read_registry(str(tmp_path), boot_s=None) == ([], [str(tmp_path / "sessions")])


@pytest.mark.parametrize("place", ["inside", "beside"])
def test_an_active_worktree_is_read_and_nothing_else_of_the_settings(tmp_path: Path, place: str) -> None:
    home = tmp_path / ".claude"
    home.mkdir()
    active = {
        "originalCwd": "/srv/a",
        "worktreePath": "/srv/a/.claude/worktrees/x",
        "worktreeName": "x",
        "worktreeBranch": "worktree-x",
        "originalBranch": "trunk",
        "originalHeadCommit": "1f1f",
        "sessionId": "0f0f",
    }
    settings = {
        "oauthAccount": {"name": "kit"},
        "projects": {
            "/srv/a": {"activeWorktreeSession": active},
            "/srv/b": {"activeWorktreeSession": None},
            "/srv/c": "damaged",
        },
    }
    file = home / ".claude.json" if place == "inside" else tmp_path / ".claude.json"
    file.write_text(json.dumps(settings))
    assert read_active_worktrees(str(home)) == (
        [
            ActiveWorktree(
                project="/srv/a",
                session_id="0f0f",
                original_cwd="/srv/a",
                worktree_path="/srv/a/.claude/worktrees/x",
                worktree_name="x",
                worktree_branch="worktree-x",
                original_branch="trunk",
                original_head="1f1f",
            )
        ],
        [],
    )


def test_settings_beside_a_home_of_another_name_belong_to_someone_else(tmp_path: Path) -> None:
    home = tmp_path / "backup"
    home.mkdir()
    (tmp_path / ".claude.json").write_text('{"projects":{"/srv/a":{"activeWorktreeSession":{}}}}')
    assert read_active_worktrees(str(home)) == ([], [])


def test_damaged_settings_are_named(tmp_path: Path) -> None:
    (tmp_path / ".claude.json").write_text("{")
    assert read_active_worktrees(str(tmp_path)) == ([], [str(tmp_path / ".claude.json")])


def test_the_boot_time_of_linux_is_read_from_its_own_line() -> None:
    assert parse_btime("cpu  1 2 3\nctxt 99\nbtime 1796058731\nprocesses 7\n") == 1_796_058_731
    assert parse_btime("cpu  1 2 3\n") is None


def test_the_boot_time_of_macos_is_its_seconds_not_its_microseconds() -> None:
    text = "{ sec = 1787837122, usec = 845231 } Thu Aug 27 23:25:22 2026\n"
    assert parse_boottime(text) == 1_787_837_122
    assert parse_boottime("{ usec = 845231, sec = 1787837122 }") == 1_787_837_122
    assert parse_boottime("") is None


@needs_proc
def test_this_machine_booted_before_this_process_began() -> None:
    boot_s = find_boot_s()
    assert boot_s is not None
    began = parse_process_start_s(Path("/proc/self/stat").read_bytes(), ticks_per_s=os.sysconf("SC_CLK_TCK"))
    assert began is not None
    assert began > 0


def test_the_name_of_a_process_may_hold_brackets_and_spaces() -> None:
    stat = b"77 (a) b (c) S 1 77 77 0 -1 4194560 1 0 0 0 1 2 3 4 20 0 1 0 12345 99 8 1\n"
    assert parse_process_start_s(stat, ticks_per_s=100) == 123.45
    assert parse_process_start_s(b"77 (cut", ticks_per_s=100) is None


def test_a_process_that_has_ended_does_not_run() -> None:
    outcome = run_bounded([sys.executable, "-c", "import os; print(os.getpid())"], seconds=30)
    assert not is_running(int(outcome.stdout))


@pytest.mark.parametrize("pid", [0, -1, 1 << 40])
def test_what_is_no_process_number_does_not_run(pid: int) -> None:
    assert not is_running(pid)


@needs_proc
def test_a_session_from_before_the_boot_does_not_run_though_its_number_does() -> None:
    boot_s = find_boot_s()
    assert boot_s is not None
    assert not is_running(os.getpid(), started_at_ms=(boot_s - 3600) * 1000, boot_s=boot_s)


@needs_proc
def test_this_process_is_the_one_of_a_session_that_starts_now() -> None:
    boot_s = find_boot_s()
    assert boot_s is not None
    assert is_running(os.getpid(), started_at_ms=int(time.time() * 1000), boot_s=boot_s)


@pytest.mark.parametrize(
    ("started_s", "began_s", "expected"),
    [
        (10_000, 5_000, False),
        (10_000, 4_999.5, False),
        (10_000, 5_060, False),
        (10_000, 5_061, True),
        (90_000, 5_000, False),
        (4_940, None, False),
        (4_939, None, True),
        (10_000, None, False),
    ],
)
def test_a_process_that_began_after_the_session_is_another_one(
    started_s: float, began_s: float | None, expected: bool
) -> None:
    assert is_later_process(started_s=started_s, boot_s=5_000, began_s=began_s) is expected
