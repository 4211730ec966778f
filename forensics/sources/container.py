"""Archives as evidence: members stream out one by one, and nothing of them can do harm.

Member names are text here, never paths that are written to: content goes to numbered files of a private
folder. What an archive must not do (leave its root, overwrite, swell beyond measure) becomes a row.
"""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.zst", ".zip")

MAX_RATIO = 200
"""A transcript packs to a tenth, a corpus of copies to a fiftieth; more than this is no archive of ours."""

FREE_BYTES = 1 << 30
"""Unpacked bytes below which no ratio is held against an archive."""

MAX_HEADER_BYTES = 1 << 20
"""Longest extended header of a tar member; the library would read any into memory."""

_COPY_BYTES = 1 << 20
_MAX_NS = 2**63 - 1
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    pa.ArrowException,
    EOFError,
    NotImplementedError,
    ValueError,
    OverflowError,
)
_HEADERS = frozenset({tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, b"L", b"K"})


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an archive.

    `spooled` is the private file with its content, None for what has none or was not unpacked; `problem` is
    the class of the gap that says why.
    """

    name: str
    kind: str
    size: int
    mtime_ns: int
    mode: int
    link_target: str | None = None
    spooled: Path | None = None
    problem: str | None = None


def is_container(path: str) -> bool:
    """Whether a file's name is that of an archive that can be read."""
    return path.lower().endswith(ENDINGS)


def is_unsafe(name: str) -> bool:
    """Whether a member's name would leave the archive's own root."""
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or (len(name) > 1 and name[1] == ":") or "\0" in name


class _SwollenError(Exception):
    """An archive unpacks to more than is believable."""


def _allowance(packed_bytes: int) -> int:
    return max(FREE_BYTES, packed_bytes * MAX_RATIO)


class _Limited:
    """A stream that ends with an error once it has given more than is believable, skipped members too."""

    def __init__(self, stream: IO[bytes] | pa.NativeFile, *, packed_bytes: int) -> None:
        self._stream = stream
        self._left = _allowance(packed_bytes)

    def read(self, size: int) -> bytes:
        """The next bytes.

        Raises:
            _SwollenError: more came out than may.
        """
        data = bytes(self._stream.read(size))
        self._left -= len(data)
        if self._left < 0:
            raise _SwollenError
        return data


class _Info(tarfile.TarInfo):
    """A member's header, refused before the library reads an extended one of any size into memory."""

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if self.type in _HEADERS and self.size > MAX_HEADER_BYTES:
            raise tarfile.ReadError("an extended header is too large")
        return super()._proc_member(archive)  # type: ignore[misc]


class Spool:
    """A private folder for unpacked content, with a limit on what one archive may unpack to."""

    def __init__(self, folder: Path, *, packed_bytes: int) -> None:
        self._folder = folder
        self._left = _allowance(packed_bytes)
        self._number = 0
        self.n_bytes = 0

    def put(self, content: IO[bytes]) -> Path:
        """Write a member's content to a file of its own.

        Raises:
            _SwollenError: the archive has used up what it may unpack to.
        """
        self._number += 1
        path = self._folder / f"{self._number:08d}"
        try:
            with path.open("xb") as file:
                while data := content.read(_COPY_BYTES):
                    self._spend(len(data))
                    file.write(data)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    def _spend(self, n_bytes: int) -> None:
        self._left -= n_bytes
        self.n_bytes += n_bytes
        if self._left < 0:
            raise _SwollenError

    def empty(self) -> None:
        """Remove what was unpacked: it has been taken in."""
        for path in self._folder.iterdir():
            path.unlink()
        self.n_bytes = 0


def _tar_kind(info: tarfile.TarInfo) -> str:
    if info.isreg():
        return "file"
    if info.isdir():
        return "folder"
    if info.issym() or info.islnk():
        return "link"
    return "fifo" if info.isfifo() else "device"


def _clean(name: str) -> str:
    """A member's name without the `./` that tar puts before it."""
    while name.startswith("./"):
        name = name[2:]
    return name.rstrip("/")


@contextmanager
def _open_tar(path: Path) -> Iterator[tarfile.TarFile]:
    name = path.name.lower()
    packed_bytes = path.stat().st_size
    with path.open("rb") as file:
        stream: Any = file
        if name.endswith(".zst"):
            stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
        elif name.endswith(("gz", "tgz")):
            stream = gzip.GzipFile(fileobj=file)
        limited: Any = _Limited(stream, packed_bytes=packed_bytes)
        with tarfile.open(fileobj=limited, mode="r|", errorlevel=1, tarinfo=_Info) as archive:
            yield archive


def _nanoseconds(seconds: float) -> int:
    """A member's time; one that no clock shows is none."""
    return int(seconds * 1_000_000_000) if abs(seconds) < _MAX_NS / 1_000_000_000 else 0


def _tar_members(path: Path, spool: Spool) -> Iterator[Member]:
    with _open_tar(path) as archive:
        for info in archive:
            if info.size < 0:
                raise tarfile.ReadError("a member of negative size")
            kind, name = _tar_kind(info), _clean(info.name)
            if not name or name == ".":
                continue
            mtime_ns = _nanoseconds(info.mtime)
            target = info.linkname if kind == "link" else None
            base = Member(name, kind, info.size, mtime_ns, info.mode, target)
            content = archive.extractfile(info) if kind == "file" and not is_unsafe(name) else None
            yield _with_content(base, content, spool)


def _zip_members(path: Path, spool: Spool) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind = "folder" if info.is_dir() else "link" if stat.S_ISLNK(mode) else "file"
            try:
                moment = datetime(*info.date_time, tzinfo=UTC)
            except ValueError:
                moment = datetime(1980, 1, 1, tzinfo=UTC)
            mtime_ns = int(moment.timestamp()) * 1_000_000_000
            name = _clean(info.filename)
            base = Member(name, kind, info.file_size, mtime_ns, stat.S_IMODE(mode))
            if info.flag_bits & 1:
                yield _refused(base, "unreadable")
            elif kind != "file" or is_unsafe(name):
                yield _with_content(base, None, spool)
            else:
                yield _with_zipped(archive, info, base, spool)


def _with_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, base: Member, spool: Spool) -> Member:
    try:
        with archive.open(info) as content:
            return _with_content(base, content, spool)
    except _BROKEN:
        return _refused(base, "read_error")


def _refused(base: Member, problem: str) -> Member:
    return Member(base.name, base.kind, base.size, base.mtime_ns, base.mode, base.link_target, None, problem)


def _with_content(base: Member, content: IO[bytes] | None, spool: Spool) -> Member:
    if is_unsafe(base.name):
        return _refused(base, "unsafe_path")
    if base.kind != "file":
        return base
    if content is None:
        return _refused(base, "unreadable")
    path = spool.put(content)
    size = path.stat().st_size
    return Member(base.name, base.kind, size, base.mtime_ns, base.mode, None, path)


def members(path: Path, spool: Spool) -> Iterator[Member]:
    """The members of an archive in its own order, each unpacked when it is handed out.

    An archive that ends too soon, is damaged or swells beyond measure ends with a member without a name,
    whose `problem` says so; what came before stands.
    """
    walk = _zip_members if path.name.lower().endswith(".zip") else _tar_members
    end: str | None = None
    try:
        yield from walk(path, spool)
    except _SwollenError:
        end = "bomb"
    except _BROKEN:
        end = "damaged_container"
    except OSError as error:
        if error.errno is not None:
            raise
        end = "damaged_container"
    if end is not None:
        yield Member("", "container", os.stat(path).st_size, 0, 0, problem=end)  # noqa: PTH116
