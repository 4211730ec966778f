"""What a case says of itself, checked before anything of it is believed or any of its paths is opened.

A case may come from anywhere: its manifest names only regular files inside the case, or it is refused.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from forensics.errors import CaseError
from forensics.schema import SCHEMA_VERSION

MANIFEST = "manifest.json"
EMPTY_PART = "none.parquet"
_BESIDE_TABLES = (MANIFEST, "SHA256SUMS", "runs.jsonl")
_HINT = "make one with `forensics convert SOURCE -o CASE`"
_TABLE_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PART_NAME = re.compile(r"[^/\0.][^/\0]*-[0-9]{1,18}\.parquet")

_Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _File(msgspec.Struct, frozen=True):
    path: str
    n_rows: _Count
    n_bytes: _Count
    sha256: str


class _Table(msgspec.Struct, frozen=True):
    digest: str
    n_rows: _Count
    files: list[_File]


class _Source(msgspec.Struct, frozen=True):
    label: str
    kind: str
    same_as: str | None
    n_files: _Count
    n_bytes: _Count
    sha256: str | msgspec.UnsetType | None = msgspec.UNSET


class _Tool(msgspec.Struct, frozen=True):
    name: str
    version: str


class _Ruleset(msgspec.Struct, frozen=True):
    version: str
    digest: str


class _Outside(msgspec.Struct, frozen=True):
    kind: str
    label: str


class _Options(msgspec.Struct, frozen=True):
    raw: bool
    text: bool


class _Derived(msgspec.Struct, frozen=True):
    kind: str
    from_content_sha256: str


class _Manifest(msgspec.Struct, frozen=True):
    tool: _Tool
    ruleset: _Ruleset
    libraries: dict[str, str]
    as_of: str | None
    as_of_basis: str
    options: _Options
    sources: list[_Source]
    segments_trimmed: bool
    counts: dict[str, _Count]
    content_sha256: str
    tables: dict[str, _Table]
    outside: list[_Outside] = []
    derived: _Derived | None = None


def parse_as_of(text: str) -> datetime:
    """The moment that a manifest names, in UTC.

    Raises:
        ValueError: the text is no time.
    """
    moment = datetime.fromisoformat(text)
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"no time of this calendar: {text!r}") from error


def open_regular(path: Path) -> int:
    """A descriptor for reading a regular file; no link is followed, and no pipe is waited for.

    Raises:
        CaseError: something else stands there.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO}:
            raise _not_regular(path) from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise _not_regular(path)
    return fd


def _not_regular(path: Path) -> CaseError:
    return CaseError(
        "a case holds regular files only, no links or devices",
        where=str(path),
        hint="do not use a case that someone altered; convert the evidence again",
    )


def check_kinds(case: Path) -> None:
    """Refuse a case whose manifest, sums or log are anything but regular files.

    Raises:
        CaseError: one of them is a link, a pipe, a folder or a device.
    """
    for name in _BESIDE_TABLES:
        try:
            mode = (case / name).lstat().st_mode
        except OSError:
            continue
        if not stat.S_ISREG(mode):
            raise _not_regular(case / name)


def read_manifest(case: Path) -> Mapping[str, Any]:
    """What a case says of itself; every file that it names is a regular one inside the case.

    Raises:
        CaseError: there is no whole case, it was altered, or it was made by another major version.
    """
    if not case.is_dir():
        raise CaseError("there is no case here", where=str(case), hint=_HINT)
    if case.name.startswith(".") and case.name.endswith(".next"):
        raise CaseError("this case is half made", where=str(case), hint="convert again; the old case stays")
    document = _load(case)
    _check_shape(case, document)
    _check_files(case, document["tables"])
    return MappingProxyType(document)


def _load(case: Path) -> dict[str, Any]:
    path = case / MANIFEST
    check_kinds(case)
    try:
        with os.fdopen(open_regular(path), "rb") as file:
            document = json.loads(file.read())
    except FileNotFoundError as error:
        raise CaseError(
            "this folder is not a case: it has no manifest", where=str(case), hint=_HINT
        ) from error
    except RecursionError as error:
        raise CaseError("the manifest cannot be read: it is nested too deeply", where=str(path)) from error
    except (OSError, ValueError) as error:
        raise CaseError(f"the manifest cannot be read: {error}", where=str(path)) from error
    if not isinstance(document, dict) or not isinstance(document.get("tables"), dict):
        raise CaseError("the manifest names no tables", where=str(path), hint=_HINT)
    return document


def _check_shape(case: Path, document: Mapping[str, Any]) -> None:
    schema = document.get("schema")
    if not isinstance(schema, str) or schema.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
        raise CaseError(
            f"the case has schema {schema}, this version reads {SCHEMA_VERSION}",
            where=str(case),
            hint="convert the evidence again, or use the version that made the case",
        )
    try:
        if msgspec.convert(document, _Manifest).as_of is not None:
            parse_as_of(document["as_of"])
    except (msgspec.ValidationError, ValueError) as error:
        raise CaseError(f"the manifest is not one of ours: {error}", where=str(case / MANIFEST)) from error


def _check_files(case: Path, tables: Mapping[str, Any]) -> None:
    for name, table in tables.items():
        seen: set[str] = set()
        for file in table["files"]:
            path = file["path"]
            if not _is_of_table(path, name, is_empty=not file["n_rows"]) or path in seen:
                raise CaseError(
                    f"the manifest gives the table {name!r} a file that cannot be its own: {path!r}",
                    where=str(case / MANIFEST),
                )
            seen.add(path)
            _check_file(case, name, path)


def _is_of_table(path: str, table: str, *, is_empty: bool) -> bool:
    """Whether a path is `<table>.parquet`, `<table>/<name>-<number>.parquet`, or the part without rows."""
    if not _TABLE_NAME.fullmatch(table):
        return False
    folder, slash, name = path.partition("/")
    if not slash:
        return path == f"{table}.parquet"
    is_part = _PART_NAME.fullmatch(name) is not None or (is_empty and name == EMPTY_PART)
    return folder == table and is_part


def _check_file(case: Path, table: str, path: str) -> None:
    """A folder on the way that is a link would lead outside as well as the file itself."""
    full = case / path
    try:
        if full.parent != case and not stat.S_ISDIR(full.parent.lstat().st_mode):
            raise _not_regular(full.parent)
        if not stat.S_ISREG(full.lstat().st_mode):
            raise _not_regular(full)
    except (OSError, ValueError) as error:
        raise CaseError(f"a file of the table {table} is missing", where=str(full), hint=_HINT) from error
