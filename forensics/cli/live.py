"""A case of a live source, kept in the user's cache and brought up to date before it is read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import common
from forensics.cli.edge import say
from forensics.errors import SourceError

if TYPE_CHECKING:
    from forensics.case import Case

SourceOption = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="SOURCE",
        help="Read this folder as it is now, through a case in the cache; without any case the Claude home.",
        show_default=False,
    ),
]


def read_case_or_source(case: Path | None, source: str | None) -> Case:
    """The opened case that is meant, or a fresh one of the source that is meant; a context manager."""
    if source is None and (case is not None or common.case_path(None).exists()):
        return common.read_case(case)
    if source is None and os.environ.get("FORENSICS_CASE"):
        return common.read_case(case)
    return common.read_case(refresh(source or str(claude_home())))


def refresh(source: str) -> Path:
    """The path of the cached case of a source, brought up to date.

    Raises:
        SourceError: there is nothing at the source.
    """
    label, equals, folder = source.partition("=")
    path = Path(folder if equals else label).absolute()
    if not path.exists():
        raise SourceError("there is nothing here to read", where=str(path), hint="name it with --source PATH")
    cached = cache_path(path)
    cached.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    say(f"reading {path} as it is now, through {cached}")
    from forensics.cli.progress import drawn_progress
    from forensics.ingest.convert import ConvertOptions, convert

    with drawn_progress() as progress:
        convert([source], cached, options=ConvertOptions(as_of="now"), progress=progress)
    return cached


def claude_home() -> Path:
    """Where Claude Code keeps its files: $CLAUDE_CONFIG_DIR, else ~/.claude."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")


def cache_path(source: Path) -> Path:
    """Where the case of a source is kept."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "forensics" / hashlib.sha256(os.fsencode(source)).hexdigest()[:16]
