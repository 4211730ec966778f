"""What a home says about running sessions and open worktrees, and what the machine says about its boot."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from forensics.host.bounded import run_bounded
from forensics.host.recorded import open_quietly

_SMALL_MAX: Final = 64 << 20
_BOUND: Final = 1 << 53
_SLACK_S: Final = 60


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """One file of a home's `sessions/`: what it says, and whether that very process lives."""

    file: str
    pid: int | None = None
    session_id: str | None = None
    cwd: str | None = None
    started_at_ms: int | None = None
    version: str | None = None
    kind: str | None = None
    entrypoint: str | None = None
    tmux: str | None = None
    name: str | None = None
    status: str | None = None
    is_alive: bool | None = None


@dataclass(frozen=True, slots=True)
class ActiveWorktree:
    """A project's `activeWorktreeSession` in `.claude.json`."""

    project: str
    session_id: str | None = None
    original_cwd: str | None = None
    worktree_path: str | None = None
    worktree_name: str | None = None
    worktree_branch: str | None = None
    original_branch: str | None = None
    original_head: str | None = None


def read_registry(home: str, *, boot_s: int | None) -> tuple[list[RegistryEntry], list[str]]:
    """Return the entries of a home's live registry, and what of it could not be read."""
    entries: list[RegistryEntry] = []
    refused: list[str] = []
    folder = Path(home, "sessions")
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".json")
    except (FileNotFoundError, NotADirectoryError):
        return [], []
    except OSError:
        return [], [str(folder)]
    for file in files:
        record = _load(file)
        if record is None:
            refused.append(str(file))
            continue
        pid = _number(record, "pid")
        started = _number(record, "startedAt")
        entries.append(
            RegistryEntry(
                file=file.name,
                pid=pid,
                session_id=_text(record, "sessionId"),
                cwd=_text(record, "cwd"),
                started_at_ms=started,
                version=_text(record, "version"),
                kind=_text(record, "kind"),
                entrypoint=_text(record, "entrypoint"),
                tmux=_text(record, "tmux"),
                name=_text(record, "name"),
                status=_text(record, "status"),
                is_alive=None if not pid else is_running(pid, started_at_ms=started, boot_s=boot_s),
            )
        )
    return entries, refused


def read_active_worktrees(home: str) -> tuple[list[ActiveWorktree], list[str]]:
    """Return the open worktrees of each project, and the settings files that could not be read.

    The file lies in the home, or beside one that is called `.claude`. Nothing else in it is kept.
    """
    places = [Path(home, ".claude.json")]
    if Path(home).name == ".claude":
        places.append(Path(home).parent / ".claude.json")
    found: list[ActiveWorktree] = []
    refused: list[str] = []
    for place in places:
        if not os.path.isfile(place):  # noqa: PTH113 - it never raises
            continue
        record = _load(place)
        if record is None:
            refused.append(str(place))
            continue
        projects = record.get("projects")
        for project, settings in sorted(projects.items()) if isinstance(projects, dict) else []:
            active = settings.get("activeWorktreeSession") if isinstance(settings, dict) else None
            if isinstance(active, dict):
                found.append(
                    ActiveWorktree(
                        project=project,
                        session_id=_text(active, "sessionId"),
                        original_cwd=_text(active, "originalCwd"),
                        worktree_path=_text(active, "worktreePath"),
                        worktree_name=_text(active, "worktreeName"),
                        worktree_branch=_text(active, "worktreeBranch"),
                        original_branch=_text(active, "originalBranch"),
                        original_head=_text(active, "originalHeadCommit"),
                    )
                )
    return found, refused


def _load(file: Path) -> dict[str, Any] | None:
    try:
        with open_quietly(file) as stream:
            record = json.loads(stream.read(_SMALL_MAX))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    return value if isinstance(value, str) else None


def _number(record: Mapping[str, Any], name: str) -> int | None:
    value = record.get(name)
    return value if type(value) is int and 0 <= value < _BOUND else None


def is_running(pid: int, *, started_at_ms: int | None = None, boot_s: int | None = None) -> bool:
    """Return whether a process lives and is the one that the session ran in, not a later one of its number.

    Without the times of the session's start and of the boot only the number counts.
    """
    if not _exists(pid):
        return False
    if started_at_ms is None or boot_s is None:
        return True
    began_s = _began_after_boot_s(pid)
    return not is_later_process(started_s=started_at_ms / 1000, boot_s=boot_s, began_s=began_s)


def is_later_process(*, started_s: float, boot_s: float, began_s: float | None) -> bool:
    """Return whether a process cannot be the one of a session that started at a time.

    It cannot when the session began before the machine did, or the process more than a minute after the
    session: clocks may be set by some seconds, and a number is not given out again so soon.

    Units: seconds since 1970 for the session and the boot, seconds after the boot for the process.
    """
    if started_s < boot_s - _SLACK_S:
        return True
    return began_s is not None and boot_s + began_s > started_s + _SLACK_S


def _exists(pid: int) -> bool:
    if not 0 < pid < 1 << 31:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _began_after_boot_s(pid: int) -> float | None:
    try:
        text = Path("/proc", str(pid), "stat").read_bytes()
    except OSError:
        return None
    return parse_process_start_s(text, ticks_per_s=os.sysconf("SC_CLK_TCK"))


def parse_process_start_s(stat: bytes, *, ticks_per_s: int) -> float | None:
    """Return when a process began, in seconds after the boot, from its line in `/proc/PID/stat`.

    Its name stands in brackets and may hold anything, brackets too: fields are counted after the last one.
    """
    fields = stat.rpartition(b")")[2].split()
    return int(fields[19]) / ticks_per_s if len(fields) > 19 and fields[19].isdigit() else None


def find_boot_s() -> int | None:
    """Return when this machine booted, in seconds since 1970, or None where that cannot be told."""
    if sys.platform == "darwin":
        outcome = run_bounded(["/usr/sbin/sysctl", "-n", "kern.boottime"], seconds=10)
        return parse_boottime(outcome.stdout.decode("ascii", "replace"))
    try:
        return parse_btime(Path("/proc/stat").read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError):
        return None


def parse_btime(text: str) -> int | None:
    """Return the boot time in `/proc/stat`, in seconds since 1970."""
    match = re.search(r"^btime (\d{1,15})$", text, re.MULTILINE)
    return int(match[1]) if match else None


def parse_boottime(text: str) -> int | None:
    """Return the seconds in what macOS prints for `kern.boottime`, not its microseconds."""
    match = re.search(r"\bsec\s*=\s*(\d{1,15})\b", text)
    return int(match[1]) if match else None
