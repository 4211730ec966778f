"""Calling the command in tests: its own process, a home of its own, nothing of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def call(
    *words: str | Path,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    stdin: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    """What the command printed and how it ended."""
    return subprocess.run(
        [sys.executable, "-m", "forensics", *(os.fspath(word) for word in words)],
        cwd=cwd,
        env=environment(env),
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """This process's environment with the project importable from anywhere."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **(extra or {})}
