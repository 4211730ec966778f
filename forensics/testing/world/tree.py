"""A tree of files that is described first and laid out later."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

Chunks = Callable[[], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file of the tree; large ones are streamed."""

    chunks: Chunks
    mtime_ns: int


class Tree:
    """Files, links, FIFOs and empty folders below one root."""

    def __init__(self, *, mtime_ns: int) -> None:
        self._mtime_ns = mtime_ns
        self._files: dict[str, TreeFile] = {}
        self._links: dict[str, str] = {}
        self._folders: set[str] = set()
        self._fifos: set[str] = set()

    def add_bytes(self, path: str, data: bytes, *, mtime_ns: int) -> None:
        """The file is part of the tree afterwards."""
        self.add_stream(path, lambda: (data,), mtime_ns=mtime_ns)

    def add_stream(self, path: str, chunks: Chunks, *, mtime_ns: int) -> None:
        """The file is part of the tree and its bytes are asked for when it is laid out."""
        self._check_free(path)
        self._files[path] = TreeFile(chunks, mtime_ns)

    def add_folder(self, path: str) -> None:
        """The folder is part of the tree even if nothing is put into it."""
        self._check_inside(path)
        self._folders.add(path)

    def add_link(self, path: str, target: str) -> None:
        """The symbolic link is part of the tree, whether or not its target is."""
        self._check_free(path)
        self._links[path] = target

    def add_fifo(self, path: str) -> None:
        """The FIFO is part of the tree."""
        self._check_free(path)
        self._fifos.add(path)

    def has(self, path: str) -> bool:
        """True if something stands at this path."""
        return path in self._files or path in self._links or path in self._fifos

    def lay_out(self, root: Path) -> None:
        """The tree stands below `root`, which must be new or empty.

        Raises: FileExistsError, if there is something in `root` already.
        """
        if root.exists() and any(root.iterdir()):
            raise FileExistsError(f"{root}: not empty, and a world is only laid out in a new folder")
        root.mkdir(parents=True, exist_ok=True)
        folders = {root}
        for path in (*self._files, *self._links, *self._fifos, *self._folders):
            folders.update(root / parent for parent in PurePosixPath(path).parents)
        folders.update(root / path for path in self._folders)
        for folder in sorted(folders):
            folder.mkdir(parents=True, exist_ok=True)
        for path, file in self._files.items():
            with (root / path).open("wb") as out:
                out.writelines(file.chunks())
            os.utime(root / path, ns=(file.mtime_ns, file.mtime_ns))
        for path, target in self._links.items():
            (root / path).symlink_to(target)
        for path in self._fifos:
            os.mkfifo(root / path)
            os.utime(root / path, ns=(self._mtime_ns, self._mtime_ns))
        for folder in sorted(folders, reverse=True):
            os.utime(folder, ns=(self._mtime_ns, self._mtime_ns))

    def _check_free(self, path: str) -> None:
        self._check_inside(path)
        if self.has(path):
            raise FileExistsError(f"{path}: planted twice")

    @staticmethod
    def _check_inside(path: str) -> None:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts:
            raise ValueError(f"{path}: outside the root of the world")
