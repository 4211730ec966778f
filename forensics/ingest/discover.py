"""What lies under a root: every file, link and folder, listed without following anything out of it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, replace

from forensics.errors import SourceError
from forensics.ingest.scan import trouble_of
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
    """One thing under a root; `path` is relative, as the system's own bytes.

    `trouble` is the class of gap for what could not be looked at, or a folder that could not be listed.
    `spooled` is the private file that holds the content of an archive's member.
    """

    path: bytes
    kind: str
    stat: tuple[int, ...] | None
    link_target: bytes | None = None
    trouble: str | None = None
    spooled: bytes | None = None

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
    except OSError as error:
        return Entry(relative, "file", None, trouble=trouble_of(error))
    return Entry(relative, kind, stat_of(info), target)


def _children(folder: bytes) -> list[bytes]:
    with os.scandir(folder) as found:
        return [child.name for child in found]


def list_file(root: str, name: str) -> list[Entry]:
    """The one entry of a root that is named as a source by itself."""
    return [_entry(os.fsencode(root), os.fsencode(name))]


def list_root(root: str, *, under: str = "") -> list[Entry]:
    """Every entry under the root (only those below `under`, when given), in order of their bytes.

    Folders are entries too; one that could not be listed says so.

    Raises:
        SourceError: the root itself cannot be listed.
    """
    top = os.fsencode(root)
    start = os.fsencode(under)
    entries = {start: Entry(start, "folder", None)}
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        try:
            names = _children(os.path.join(top, folder))  # noqa: PTH118
        except OSError as error:
            if folder == start:
                raise SourceError(
                    f"cannot read {root}: {error.strerror}", hint="check the path and its permissions"
                ) from error
            entries[folder] = replace(entries[folder], trouble=trouble_of(error))
            continue
        for name in names:
            entry = _entry(top, folder + b"/" + name if folder else name)
            entries[entry.path] = entry
            if entry.kind == "folder":
                waiting.append(entry.path)
    if not under:
        del entries[start]
    return [entries[path] for path in sorted(entries)]
