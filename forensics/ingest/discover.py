"""What lies under a root: every file, link and folder, listed without following anything out of it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from forensics.errors import SourceError
from forensics.ingest.work import stat_of

_KINDS = (
    (stat.S_ISREG, "file"),
    (stat.S_ISLNK, "link"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISSOCK, "socket"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing under a root; `path` is relative, as the system's own bytes."""

    path: bytes
    kind: str
    stat: tuple[int, ...] | None
    link_target: bytes | None = None
    is_listed: bool = True

    @property
    def size(self) -> int:
        """Bytes of the file as listed."""
        return self.stat[0] if self.stat else 0


def kind_of(mode: int) -> str:
    """The kind of thing that a mode describes."""
    return next((kind for test, kind in _KINDS if test(mode)), "device")


def _entry(root: bytes, relative: bytes) -> Entry:
    path = os.path.join(root, relative)  # noqa: PTH118
    try:
        info = os.lstat(path)
        kind = kind_of(info.st_mode)
        target = os.readlink(path) if kind == "link" else None  # noqa: PTH115
    except OSError:
        return Entry(relative, "file", None, is_listed=False)
    return Entry(relative, kind, stat_of(info), target)


def _children(folder: bytes) -> list[bytes] | None:
    try:
        with os.scandir(folder) as found:
            return [child.name for child in found]
    except OSError:
        return None


def list_root(root: str, *, under: str = "") -> list[Entry]:
    """Every entry under the root (only those below `under`, when given), in order of their bytes.

    Folders are entries too; one that could not be listed says so.

    Raises:
        SourceError: the root itself cannot be listed.
    """
    top = os.fsencode(root)
    start = os.fsencode(under)
    if _children(os.path.join(top, start)) is None:  # noqa: PTH118
        raise SourceError(f"cannot read {root}", hint="check the path and its permissions")
    entries: list[Entry] = []
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        names = _children(os.path.join(top, folder))  # noqa: PTH118
        if names is None:
            entries.append(Entry(folder, "folder", None, is_listed=False))
            continue
        for name in names:
            entry = _entry(top, folder + b"/" + name if folder else name)
            entries.append(entry)
            if entry.kind == "folder":
                waiting.append(entry.path)
    unlisted = {entry.path for entry in entries if entry.kind == "folder" and not entry.is_listed}
    kept = [e for e in entries if not (e.kind == "folder" and e.is_listed and e.path in unlisted)]
    return sorted(kept, key=lambda entry: entry.path)
