"""What stands at a path on this machine, asked with patience that ends."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final, Generic, TypeVar

from forensics.host.worktrees import GitPlace, find_git_place

_ABSENT: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands at a path; None where nobody could look, with the reason in `note`.

    `real_path` has the links of the part that exists resolved. `git` is the place in git of the directory, or
    of the nearest directory above it that exists: `exists` tells which.
    """

    path: str
    exists: bool | None = None
    is_dir: bool | None = None
    real_path: str | None = None
    git: GitPlace | None = None
    note: str | None = None


def look_at(path: str) -> Place:
    """Return what stands at an absolute path, links followed."""
    if not path.startswith("/") or "\0" in path:
        return Place(path, note="not an absolute path of this machine")
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - a Path would rewrite the spelling
    except OSError as error:
        if error.errno not in _ABSENT:
            return Place(path, note=os.strerror(error.errno or 0))
        real = os.path.realpath(path)
        return Place(path, exists=False, is_dir=False, real_path=real, git=_above(real))
    except ValueError:
        return Place(path, note="not a path of this machine")
    real = os.path.realpath(path)
    is_dir = stat.S_ISDIR(mode)
    return Place(
        path, exists=True, is_dir=is_dir, real_path=real, git=find_git_place(real) if is_dir else None
    )


def _above(real: str) -> GitPlace | None:
    while real != "/":
        real = os.path.dirname(real)  # noqa: PTH120 - as above
        if os.path.isdir(real):  # noqa: PTH112
            return find_git_place(real)
    return None


def ask_each(
    ask: Callable[[Item], Answer], items: Iterable[Item], *, seconds_each: float, seconds: float
) -> Iterator[tuple[Item, Answer | None]]:
    """Return each item with its answer, or with None when that did not come in time.

    A call to a file system that has gone away may never return; it is left behind in its thread, and the
    next items are asked in another one. Once the whole time is over the rest is not asked.
    """
    deadline = time.monotonic() + seconds
    worker: _Worker[Item, Answer] | None = None
    for item in items:
        left = deadline - time.monotonic()
        if left <= 0:
            yield item, None
            continue
        if worker is None:
            worker = _Worker(ask)
        worker.questions.put(item)
        try:
            yield item, worker.answers.get(timeout=min(left, seconds_each))
        except Empty:
            worker = None
            yield item, None
    if worker is not None:
        worker.questions.put(None)


class _Worker(Generic[Item, Answer]):
    """One thread that answers in turn until it is sent None; it never keeps the process alive."""

    def __init__(self, ask: Callable[[Item], Answer]) -> None:
        self.questions: SimpleQueue[Item | None] = SimpleQueue()
        self.answers: SimpleQueue[Answer] = SimpleQueue()
        Thread(target=self._serve, args=(ask,), daemon=True).start()

    def _serve(self, ask: Callable[[Item], Answer]) -> None:
        while (item := self.questions.get()) is not None:
            self.answers.put(ask(item))
