"""Calling the command in tests: here and now, or in a process of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import typer

from forensics.cli import app
from forensics.cli.edge import run_command

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a call printed and how it ended."""

    returncode: int
    stdout: bytes
    stderr: bytes


def call(
    *words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ended:
    """What the command prints and how it ends, called in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    with (
        mock.patch.dict(os.environ, env or {}),
        mock.patch.object(sys, "stdin", source),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(cwd or Path.cwd()),
    ):
        code = run_command(typer.main.get_command(app), args=[os.fspath(word) for word in words])
        out.flush()
        err.flush()
    return Ended(code, _bytes_of(out), _bytes_of(err))


def spawn(*words: str | Path, env: Mapping[str, str] | None = None) -> Ended:
    """What the command prints and how it ends, in a process of its own."""
    ended = subprocess.run(
        command(*words), env=environment(env), capture_output=True, timeout=120, check=False
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def command(*words: str | Path) -> Sequence[str]:
    """The words that start the command in a process of its own."""
    return [sys.executable, "-m", "forensics", *(os.fspath(word) for word in words)]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment with the project importable from anywhere."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **(extra or {})}


def _bytes_of(stream: io.TextIOWrapper) -> bytes:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue()
