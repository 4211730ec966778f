"""Progress of a conversion on a terminal: files, bytes, MB/s, time left, gaps."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class TerminalProgress:
    """Draws one line on stderr and removes it in the end; `ingest` calls its three verbs."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._n_files = 0
        self._n_done = 0
        self._n_gaps = 0

    def start(self, n_files: int, n_bytes: int) -> None:
        """Nothing; the totals are known and the line appears."""
        self._n_files = n_files
        self._task = self._bar.add_task("reading", total=n_bytes, files=f"0/{n_files:,} files", gaps="")
        self._bar.start()

    def advance(self, n_files: int, n_bytes: int, n_gaps: int) -> None:
        """Nothing; so much more is done."""
        if self._task is None:
            return
        self._n_done += n_files
        self._n_gaps += n_gaps
        gaps = f"{self._n_gaps:,} gaps" if self._n_gaps else ""
        files = f"{self._n_done:,}/{self._n_files:,} files"
        self._bar.update(self._task, advance=n_bytes, files=files, gaps=gaps)

    def finish(self) -> None:
        """Nothing; the line is gone and the terminal is as before."""
        self._bar.stop()


@contextmanager
def drawn_progress() -> Iterator[TerminalProgress | None]:
    """A progress line that is gone afterwards, also when the work ends in an error."""
    progress = terminal_progress()
    try:
        yield progress
    finally:
        if progress is not None:
            progress.finish()


def terminal_progress() -> TerminalProgress | None:
    """A progress line, or None where nobody looks: no terminal, or one that cannot move its cursor."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[files]}"),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[gaps]}"),
        console=Console(stderr=True),
        transient=True,
    )
    return TerminalProgress(bar)
