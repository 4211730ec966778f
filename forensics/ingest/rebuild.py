"""Evidence back out of a case, byte for byte."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from forensics.errors import CaseError, NothingThereError, UsageError
from forensics.ingest.previous import is_plain_path, read_rows
from forensics.ingest.rawbytes import FileKey, Offsets, raw_chunks, stems_in_order
from forensics.ingest.scan import ReadFailedError, open_evidence, read_range
from forensics.ingest.sources import home_of
from forensics.manifests import read_manifest

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was written; `n_noted` are links, devices and unread files, which have no bytes."""

    n_files: int
    n_bytes: int
    n_noted: int


def _wanted(row: Row, paths: Sequence[str]) -> bool:
    if not row["is_current"]:
        return False
    full = f"{row['label']}/{row['path']}"
    return not paths or any(
        name in (full, row["path"]) or full.startswith(name.rstrip("/") + "/") for name in paths
    )


def _target(to: Path, row: Row) -> Path:
    raw: bytes = row["path_bytes"] or row["path"].encode("utf-8")
    path = f"{row['label']}/{os.fsdecode(raw)}"
    if not is_plain_path(path) or os.fsdecode(raw).startswith("/"):
        raise CaseError(
            f"a path that leads out of its folder: {row['path']!r}", hint="do not trust this case"
        )
    return to / path


def _write_all(case: Path, segments: list[Row], rows: dict[FileKey, Row], to: Path) -> int:
    """Write every wanted file as its bytes stream by; each is checked at the end."""
    hashes = {key: hashlib.sha256() for key in rows}
    offsets = Offsets()
    n_bytes = 0
    for row in rows.values():
        target = _target(to, row)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch(exist_ok=False)
    for stem in stems_in_order(segments):
        for key, chunks in groupby(raw_chunks(case, stem), key=lambda chunk: chunk[0]):
            if key not in rows:
                continue
            with _target(to, rows[key]).open("ab") as file:
                for _, start, data in chunks:
                    offsets.follow(key, start, len(data))
                    file.write(data)
                    hashes[key].update(data)
                    n_bytes += len(data)
    for key, row in rows.items():
        if hashes[key].hexdigest() != row["sha256"]:
            raise CaseError(
                f"the bytes kept for {row['path']} are not those taken in",
                where=str(case),
                hint="run: forensics verify",
            )
    return n_bytes


def rebuild(
    case: Path, to: Path, *, paths: Sequence[str] = (), roots: Mapping[str, Path] | None = None
) -> Rebuilt:
    """Write the current files of a case below `to`, one folder a label, each checked by its SHA-256.

    `paths` limits them to files or folders, as in references. Modification times are set back. A case
    without raw bytes is rebuilt from `roots` (label to folder) when these still hold the same bytes. When
    anything is wrong nothing is left below `to`.

    Raises:
        UsageError: `to` is not empty, or the case keeps no bytes and no root is given.
        NothingThereError: no file matches.
        CaseError: bytes are missing or altered.
    """
    manifest = read_manifest(case)
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(f"not an empty folder: {to}", hint="name a new folder with --to")
    has_raw = manifest["options"]["raw"]
    if not has_raw and not roots:
        raise UsageError("this case keeps no bytes", hint="give --root LABEL=PATH to read the evidence again")
    files = read_rows(case, manifest, "files")
    times = {
        (row["file_id"], row["generation"]): row["mtime_ns"]
        for row in read_rows(case, manifest, "acquisition")
    }
    segments = read_rows(case, manifest, "segments")
    wanted = [row for row in files if _wanted(row, paths)]
    if not wanted:
        raise NothingThereError(
            "no such file in the case", hint="list them: forensics sql 'select path from files'"
        )
    rows = {(row["file_id"], row["generation"]): row for row in wanted if row["size_bytes"] is not None}
    to.mkdir(parents=True, exist_ok=True)
    try:
        if has_raw:
            n_bytes = _write_all(case, segments, rows, to)
        else:
            n_bytes = sum(_copy(row, _target(to, row), roots or {}) for row in rows.values())
    except BaseException:
        for child in to.iterdir():
            shutil.rmtree(child)
        raise
    for key, row in rows.items():
        if (mtime := times.get(key)) is not None:
            os.utime(_target(to, row), ns=(mtime, mtime))
    return Rebuilt(len(rows), n_bytes, len(wanted) - len(rows))


def _evidence(root: Path, row: Row) -> Iterator[bytes]:
    """The bytes that a root holds of a file now, as many as were taken in.

    Raises:
        OSError: it cannot be read, or is no file any more.
    """
    path = os.fsencode(root) + b"/" + (row["path_bytes"] or row["path"].encode("utf-8"))
    fd = open_evidence(path)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "not a file any more")
        yield from read_range(fd, 0, row["size_bytes"])
    except ReadFailedError as error:
        raise OSError(errno.EIO, str(error)) from error
    finally:
        os.close(fd)


def hash_evidence(root: Path, row: Row) -> str:
    """The SHA-256 of what a root holds of a file now, as far as it was taken in.

    Raises:
        OSError: it cannot be read, or is no file any more.
    """
    digest = hashlib.sha256()
    for data in _evidence(root, row):
        digest.update(data)
    return digest.hexdigest()


def _copy(row: Row, target: Path, roots: Mapping[str, Path]) -> int:
    root = roots.get(row["label"])
    if root is None:
        raise UsageError(f"no root for {row['label']}", hint=f"give --root {row['label']}=PATH")
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("xb") as file:
            for data in _evidence(home_of(root), row):
                digest.update(data)
                file.write(data)
    except OSError as error:
        raise CaseError(f"cannot read {row['path']}: {error.strerror}", where=str(root)) from error
    if digest.hexdigest() != row["sha256"]:
        raise CaseError(f"{row['path']} has changed since it was taken in", where=str(root))
    return int(row["size_bytes"])
