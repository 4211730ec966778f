"""How a case appears: built beside its place, then swapped in, so that a reader sees the old one or the new.

A lock file beside the case keeps a second writer out. What a crash leaves behind is removed or repaired by
the next run; a folder that no run of ours can be shown to have left is never removed.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forensics.errors import CaseError, LockedError, UsageError
from forensics.manifests import open_regular, read_manifest

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
_NO_EXCHANGE = frozenset({errno.ENOSYS, errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP})


def _beside(case: Path, ending: str) -> Path:
    return case.parent / f".{case.name}.{ending}"


def check_place(case: Path) -> None:
    """Refuse a real path that holds something else than a case.

    A link to a case may be named by whoever asks: it is followed first, and the case it leads to is written.

    Raises:
        UsageError: the place is a file, a folder that is not empty and not a case, or has no name in UTF-8.
    """
    try:
        str(case).encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError("the path of a case must be UTF-8", hint="name another folder") from error
    if case.exists() and not case.is_dir():
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
        UsageError: a folder lies beside the case where the old case is put, and is not one that we put there.
    """
    case.parent.mkdir(parents=True, exist_ok=True)
    path = _beside(case, "lock")
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.EISDIR}:
            raise
        raise UsageError(
            f"the lock file {path} is a link or a folder", hint="move it away, or name another case"
        ) from error
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
    """Bring back a case that a crash left between two renames, and clear away what was half made.

    Raises:
        UsageError: what stands in the old case's place is no case, or not one that we put there.
    """
    old = _beside(case, "old")
    if os.path.lexists(old):
        _repair_old(old, case)
    half_made = re.compile(re.escape(f".{case.name}.") + r"\d+\.next")
    for beside in case.parent.iterdir():
        if half_made.fullmatch(beside.name) and stat.S_ISDIR(beside.lstat().st_mode):
            shutil.rmtree(beside)


def _repair_old(old: Path, case: Path) -> None:
    refused = UsageError(
        f"{old} was not left by a run that was cut off",
        hint="it stays as it is: move it elsewhere, or remove it when you do not need it",
    )
    if old.is_symlink():
        raise refused
    try:
        read_manifest(old)
    except CaseError as error:
        raise refused from error
    if not case.exists():
        old.rename(case)
    elif _note_of(old) == _read_note(case):
        shutil.rmtree(old)
    else:
        raise refused


def _note_of(folder: Path) -> str:
    """What stays the same of a folder when it is renamed, and is not so of any other."""
    found = folder.lstat()
    return f"old {found.st_dev} {found.st_ino}\n"


def _read_note(case: Path) -> str:
    """What the last run that moved the old case aside wrote into the lock file."""
    with os.fdopen(open_regular(_beside(case, "lock")), "rb") as file:
        return file.read(100).decode("ascii", "replace")


def _write_note(case: Path) -> None:
    fd = os.open(_beside(case, "lock"), os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        # A second name of the file would be someone else's: then the next run asks instead of removing.
        if os.fstat(fd).st_nlink == 1:
            os.ftruncate(fd, 0)
            os.write(fd, _note_of(case).encode("ascii"))
            os.fsync(fd)
    finally:
        os.close(fd)


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
    """The same regular file under a second name; a copy where the file system has no hard links.

    Raises:
        CaseError: the source is a link or anything else that is no regular file.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(open_regular(source), "rb") as file:
        try:
            target.hardlink_to(source)
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.ENOENT, errno.EDQUOT}:
                raise
            with target.open("xb") as copy:
                shutil.copyfileobj(file, copy, 1 << 20)


def settle(folder: Path) -> None:
    """Give every file and folder its mode, and bring them to the disk.

    Raises:
        CaseError: the folder holds a link or anything else that is no regular file.
    """
    for top, _, names in os.walk(folder, topdown=False):
        for name in names:
            fd = open_regular(Path(top) / name)
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
    _write_note(case)
    case.rename(old)
    try:
        folder.rename(case)
    except BaseException:
        old.rename(case)
        raise
    # Under the name of what is half made, a removal that is cut off is gone on with by the next run.
    old.rename(folder)
