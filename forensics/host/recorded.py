"""The directories that transcripts under a root record: a light, read-only look before any conversion."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from forensics.errors import SourceError

_LINE_MAX: Final = 64 << 20
_SMALL_MAX: Final = 1 << 20
_SALVAGE: Final = re.compile(
    rb'"(?:cwd|relocatedCwd|originalCwd|worktreePath)"\s*:\s*("(?:[^"\\\n]|\\.){0,40000}")'
)


@dataclass(slots=True)
class Recorded:
    """What was found under the roots: directories, the homes that hold a `projects/`, files that refused."""

    directories: set[str] = field(default_factory=set)
    homes: set[str] = field(default_factory=set)
    n_transcripts: int = 0
    unread: set[str] = field(default_factory=set)


class _WorktreeSession(msgspec.Struct):
    originalCwd: str | None = None  # noqa: N815 - the agent's own words
    worktreePath: str | None = None  # noqa: N815


class _Line(msgspec.Struct):
    cwd: str | None = None
    relocatedCwd: str | None = None  # noqa: N815
    worktreePath: str | None = None  # noqa: N815
    worktreeSession: _WorktreeSession | None = None  # noqa: N815


_DECODER: Final = msgspec.json.Decoder(_Line)


def find_recorded(roots: list[Path]) -> Recorded:
    """Return the directories recorded in transcripts and sidecars under the roots; no link is followed.

    A damaged line still gives the directories that stand whole in it: one too many is looked at in vain, one
    too few could not be made good later.

    Raises:
        SourceError: a root is not there.
    """
    found = Recorded()
    for root in roots:
        if root.is_file():
            _read(str(root), found)
        elif root.is_dir():
            _walk(str(root.resolve()), found)
        else:
            raise SourceError("no file or folder is there", where=str(root))
    return found


def _walk(root: str, found: Recorded) -> None:
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                children = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            found.unread.add(folder)
            continue
        for entry in children:
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                _read(entry.path, found)
            if entry.name == "projects" and os.path.isdir(entry.path):  # noqa: PTH112 - it never raises
                found.homes.add(folder)


def _read(path: str, found: Recorded) -> None:
    is_transcript = path.endswith(".jsonl")
    if not is_transcript and not path.endswith(".meta.json"):
        return
    found.n_transcripts += is_transcript
    try:
        with open_quietly(path) as stream:
            if is_transcript:
                for line in iter(lambda: stream.readline(_LINE_MAX), b""):
                    if b'wd"' in line or b'worktreePath"' in line:
                        found.directories.update(find_in_line(line))
            else:
                found.directories.update(find_in_line(stream.read(_SMALL_MAX)))
    except OSError:
        found.unread.add(path)


def open_quietly(path: str | Path) -> BinaryIO:
    """Return a file open for reading whose access time stays as it is, where the system permits that."""
    quiet = getattr(os, "O_NOATIME", 0)
    if quiet:
        with contextlib.suppress(PermissionError):
            return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | quiet), "rb")
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")


def find_in_line(line: bytes) -> set[str]:
    """Return the directories that one record names as a working directory or as a worktree."""
    try:
        record = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return set(_salvage(line))
    named = {record.cwd, record.relocatedCwd, record.worktreePath}
    if record.worktreeSession is not None:
        named |= {record.worktreeSession.originalCwd, record.worktreeSession.worktreePath}
    return {name for name in named if name}


def _salvage(line: bytes) -> Iterator[str]:
    for match in _SALVAGE.finditer(line):
        with contextlib.suppress(ValueError):
            value = json.loads(match[1])
            if value:
                yield value
