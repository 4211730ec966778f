"""A small home written by hand, and what its tree looks like before and after a verb."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

DOTTED = "5f0c1b1e-0000-4000-8000-000000000001"
DASHED = "5f0c1b1e-0000-4000-8000-000000000002"
WORKTREE = "5f0c1b1e-0000-4000-8000-000000000003"
SHARED_KEY = "-srv-app-my-web"
WORKTREE_KEY = "-srv-app--worktrees-fix-dates"
EMPTY_KEY = "-srv-app-empty"
N_LINES = 7


def write_home(root: Path) -> Path:
    """The root, which then holds three sessions, two of them under a shared key, and one torn line."""
    shared = root / "projects" / SHARED_KEY
    _write(shared / f"{DOTTED}.jsonl", _session(DOTTED, "/srv/app/my.web", "Draw the sails", hour=8))
    _write(shared / f"{DASHED}.jsonl", _session(DASHED, "/srv/app/my-web", "Count the oars", hour=9))
    lines = _session(WORKTREE, "/srv/app/.worktrees/fix-dates", "Mend the dates", hour=10)
    torn = b'ion":"2.1.332","type":"user","timestamp":"2026-03-01T10:30:00.000Z"}'
    _write(root / "projects" / WORKTREE_KEY / f"{WORKTREE}.jsonl", [*lines, torn])
    (root / "projects" / EMPTY_KEY).mkdir()
    (root / "elsewhere").symlink_to("/nonexistent")
    return root


def tree_state(root: Path) -> dict[str, tuple[Any, ...]]:
    """Everything about each file and folder that a verb could change, times and bytes included."""
    state: dict[str, tuple[Any, ...]] = {}
    for path in sorted([root, *root.rglob("*")]):
        seen = path.lstat()
        facts = (seen.st_mode, seen.st_ino, seen.st_nlink, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        if path.is_symlink():
            state[str(path)] = (*facts, os.readlink(path))
        elif path.is_file():
            state[str(path)] = (*facts, seen.st_atime_ns, hashlib.sha256(_read_quietly(path)).hexdigest())
        else:
            state[str(path)] = facts
    return state


def case_digest(case: Path) -> str:
    """One digest over every file of a case."""
    digest = hashlib.sha256()
    for path in sorted(path for path in case.rglob("*") if path.is_file()):
        digest.update(os.fsencode(path.relative_to(case)) + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _session(session_id: str, cwd: str, request: str, *, hour: int) -> list[bytes]:
    base = {
        "sessionId": session_id,
        "cwd": cwd,
        "version": "2.1.332",
        "gitBranch": "main",
        "userType": "external",
        "isSidechain": False,
    }
    asked = {
        **base,
        "type": "user",
        "uuid": f"{session_id[:-1]}a",
        "parentUuid": None,
        "timestamp": f"2026-03-01T{hour:02}:00:00.000Z",
        "message": {"role": "user", "content": request},
    }
    answered = {
        **base,
        "type": "assistant",
        "uuid": f"{session_id[:-1]}b",
        "parentUuid": asked["uuid"],
        "timestamp": f"2026-03-01T{hour:02}:01:00.000Z",
        "requestId": f"req_{hour}",
        "message": {
            "id": f"msg_{hour}",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": "Done."}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 2},
        },
    }
    return [json.dumps(record, separators=(",", ":")).encode() for record in (asked, answered)]


def _write(path: Path, lines: list[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def _read_quietly(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOATIME", 0))
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read()
