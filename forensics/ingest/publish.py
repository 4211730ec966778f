"""How a case appears: built beside its place, then swapped in, so that a reader sees the old one or the new.

A lock file beside the case keeps a second writer out. What a crash leaves behind is removed or repaired by
the next run.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forensics.errors import LockedError, UsageError

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
_NO_EXCHANGE = frozenset({errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP})


def _beside(case: Path, ending: str) -> Path:
    return case.parent / f".{case.name}.{ending}"


def check_place(case: Path) -> None:
    """Refuse a place that holds something else than a case.

    Raises:
        UsageError: the place is a file, a folder that is not empty and not a case, or has no name in UTF-8.
    """
    try:
        str(case).encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError("the path of a case must be UTF-8", hint="name another folder") from error
    if case.is_symlink() or (case.exists() and not case.is_dir()):
        raise UsageError(f"not a folder: {case}", hint="name a folder that is empty or a case")
    if case.is_dir() and not (case / "manifest.json").is_file() and any(case.iterdir()):
        raise UsageError(
            f"{case} holds something else than a case", hint="name another folder: it stays as it is"
        )


@contextmanager
def locked(case: Path) -> Iterator[None]:
    """Hold the case's lock for writing.

    Raises:
        LockedError: another process holds it.
    """
    case.parent.mkdir(parents=True, exist_ok=True)
    path = _beside(case, "lock")
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError(
                f"another process writes {case}", hint="wait for it, or name another case"
            ) from error
        repair(case)
        yield
    finally:
        os.close(fd)


def repair(case: Path) -> None:
    """Bring back a case that a crash left between two renames, and clear away what was half made."""
    old = _beside(case, "old")
    if old.exists() and not case.exists():
        old.rename(case)
    half_made = re.compile(re.escape(f".{case.name}.") + r"\d+\.next")
    for beside in (*case.parent.iterdir(), old):
        if (beside == old or half_made.fullmatch(beside.name)) and beside.is_dir():
            shutil.rmtree(beside)


@contextmanager
def staging(case: Path) -> Iterator[Path]:
    """A fresh folder beside the case, removed unless it was published."""
    folder = _beside(case, f"{os.getpid()}.next")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def link_or_copy(source: Path, target: Path) -> None:
    """The same file under a second name; a copy where the file system has no hard links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.ENOENT, errno.EDQUOT}:
            raise
        shutil.copyfile(source, target)


def settle(folder: Path) -> None:
    """Give every file and folder its mode, and bring them to the disk."""
    for top, _, names in os.walk(folder, topdown=False):
        for name in names:
            fd = os.open(Path(top) / name, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fchmod(fd, 0o600)
                os.fsync(fd)
            finally:
                os.close(fd)
        Path(top).chmod(0o700)
        _sync_folder(Path(top))


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _exchange(one: Path, two: Path) -> bool:
    """Swap two folders in one step; False where the system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(two), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(two))


def publish(folder: Path, case: Path) -> None:
    """Put the finished folder in the case's place; what was the case before goes with the staging folder."""
    settle(folder)
    if not case.exists():
        folder.rename(case)
    elif not _exchange(folder, case):
        _rename_over(folder, case)
    _sync_folder(case.parent)


def _rename_over(folder: Path, case: Path) -> None:
    """Two renames, where one step cannot be had; the old case comes back when the second fails."""
    old = _beside(case, "old")
    case.rename(old)
    try:
        folder.rename(case)
    except BaseException:
        old.rename(case)
        raise
    shutil.rmtree(old, ignore_errors=True)
