r"""Facts from outside the transcripts: the live registry, tmux, what a person dismissed, a directory listing.

Each is a file of its own, taken into a case with its hash. How they are made:

    registry    a home's folder `sessions/`, or a file of such objects: one, a list, or one a line
    tmux        tmux list-panes -a -F with these, a tab between: #{session_name} #{window_index} #{pane_index}
                #{pane_dead} #{pane_current_path} #{pane_current_command} #{pane_start_command}
    dismissed   a session id, a tab and a directory on each line
    listing     a directory on each line; after a tab how many entries it holds, or `-` when it is not there

A line that is not as it should be is a row with `parse_ok` false, and keeps what is certain.
"""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from forensics.alive.with_schema import WITH_TABLES
from forensics.errors import UsageError
from forensics.host.recorded import open_quietly

Row = dict[str, Any]

_MAX_BYTES: Final = 64 << 20
_BOUND: Final = 1 << 53
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_STARTED_WITH = re.compile(
    rf"--(?:resume|session-id)[= ]+[\"']?({_UUID.pattern})|-r +[\"']?({_UUID.pattern})"
)
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[\\/]")
_SHELLS: Final = frozenset(
    (
        "sh",
        "ash",
        "bash",
        "csh",
        "dash",
        "elvish",
        "fish",
        "ksh",
        "mksh",
        "nu",
        "pwsh",
        "tcsh",
        "xonsh",
        "zsh",
    )
)
_TMUX_FIELDS: Final = 6


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    data: bytes
    mtime_ns: int

    def lines(self) -> Iterator[tuple[int, str, bool]]:
        """Number, text and whether it is UTF-8, of each line."""
        parts = self.data.split(b"\n")
        if parts[-1] == b"":
            parts.pop()
        for number, part in enumerate(parts, 1):
            try:
                yield number, part.decode("utf-8"), True
            except UnicodeDecodeError:
                yield number, part.decode("utf-8", "backslashreplace"), False


def read_withs(withs: Mapping[str, Path]) -> dict[str, list[Row]]:
    """The rows of every table in `WITH_TABLES`, in the order of their grain, ready for Arrow.

    Raises:
        UsageError: a kind is not known, or its file cannot be read.
    """
    rows: dict[str, list[Row]] = {name: [] for name in WITH_TABLES}
    for kind in sorted(withs):
        if kind not in _READERS:
            raise UsageError(
                f"no facts of kind {kind!r} are known", hint=f"--with takes {', '.join(sorted(_READERS))}"
            )
        for file in _files_of(kind, withs[kind]):
            sha256 = hashlib.sha256(file.data).hexdigest()
            rows["with_files"].append(
                {"kind": kind, "file": file.name, "sha256": sha256, "size_bytes": len(file.data)}
            )
            rows["with_acquisition"].append({"kind": kind, "file": file.name, "mtime_ns": file.mtime_ns})
            rows[f"with_{kind}"] += _READERS[kind](file)
    return {name: _in_order(name, rows[name]) for name in WITH_TABLES}


def _in_order(name: str, rows: list[Row]) -> list[Row]:
    table = WITH_TABLES[name]
    full = [{column: row.get(column) for column in table.names} for row in rows]
    return sorted(full, key=lambda row: tuple(row[column] for column in table.grain))


def _files_of(kind: str, path: Path) -> list[_File]:
    if path.is_dir():
        if kind != "registry":
            raise UsageError(f"--with {kind} takes a file, and this is a folder", where=str(path))
        return [_read(child) for child in sorted(path.glob("*.json")) if child.is_file()]
    return [_read(path)]


def _read(path: Path) -> _File:
    try:
        with open_quietly(path) as stream:
            data = stream.read(_MAX_BYTES + 1)
        info = path.stat()
    except OSError as error:
        raise UsageError(f"this cannot be read: {error.strerror or error}", where=str(path)) from error
    if not stat.S_ISREG(info.st_mode):
        raise UsageError("this is no regular file", where=str(path))
    if len(data) > _MAX_BYTES:
        raise UsageError("this is larger than 64 MiB and no list of facts", where=str(path))
    name = path.name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _File(name, data, info.st_mtime_ns)


def _noted(notes: list[str]) -> Row:
    return {"parse_ok": not notes, "note": "; ".join(notes) or None}


def _read_registry(file: _File) -> Iterator[Row]:
    found, is_whole = _decode(file.data)
    if is_whole:
        for order, value in enumerate(found if isinstance(found, list) else [found]):
            yield _registry_row(file.name, 1, order, value, [])
        return
    for number, text, _ in file.lines():
        value, is_json = _decode(text.encode("utf-8", "surrogatepass"))
        if text.strip():
            yield _registry_row(file.name, number, 0, value, [] if is_json else ["not JSON"])


def _decode(data: bytes) -> tuple[object, bool]:
    try:
        return msgspec.json.decode(data), True
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, False


_REGISTRY: Final = (
    ("pid", "pid"),
    ("session_id", "sessionId"),
    ("cwd", "cwd"),
    ("started_at_ms", "startedAt"),
    ("version", "version"),
    ("kind", "kind"),
    ("entrypoint", "entrypoint"),
    ("tmux", "tmux"),
    ("name", "name"),
    ("status", "status"),
    ("bridge_session_id", "bridgeSessionId"),
)
_NUMBERS: Final = frozenset({"pid", "started_at_ms"})


def _registry_row(file: str, line_no: int, order: int, value: object, notes: list[str]) -> Row:
    row: Row = {"file": file, "line_no": line_no, "ord": order}
    if not isinstance(value, dict):
        return row | _noted(notes or ["not an object"])
    for name, field in _REGISTRY:
        given = value.get(field)
        is_right = type(given) is int and 0 <= given < _BOUND if name in _NUMBERS else isinstance(given, str)
        if is_right:
            row[name] = _mend(given) if isinstance(given, str) else given
        elif given is not None:
            notes.append(f"{field} is of another type")
    if row.get("session_id") is None and row.get("cwd") is None:
        notes.append("neither session nor directory")
    return row | _noted(notes)


def _mend(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _read_tmux(file: _File) -> Iterator[Row]:
    for number, line, is_utf8 in file.lines():
        fields = line.removesuffix("\r").split("\t", _TMUX_FIELDS)
        row: Row = {"file": file.name, "line_no": number}
        notes = [] if is_utf8 else ["not UTF-8"]
        if len(fields) < _TMUX_FIELDS:
            yield row | _noted([*notes, f"{len(fields)} fields instead of {_TMUX_FIELDS} or more"])
            continue
        session, window, pane, dead, cwd, command, *started = fields
        start = started[0] if started else ""
        if dead not in {"0", "1", ""}:
            notes.append("pane_dead is neither 0 nor 1")
        if not _ABSOLUTE.match(cwd):
            notes.append("not an absolute path")
        named = _STARTED_WITH.search(start)
        shell = command.rpartition("/")[2].removeprefix("-")
        yield {
            **row,
            "tmux_session": session,
            "tmux_window": window,
            "pane": pane,
            "cwd": _bare(cwd) if _ABSOLUTE.match(cwd) else None,
            "command": command or None,
            "start_command": start or None,
            "session_id": (named[1] or named[2]).lower() if named else None,
            "is_stopped": dead == "1" or shell in _SHELLS,
            **_noted(notes),
        }


def _read_dismissed(file: _File) -> Iterator[Row]:
    seen: set[str] = set()
    for number, line, is_utf8 in file.lines():
        notes = [] if is_utf8 else ["not UTF-8"]
        text = line.removesuffix("\r")
        if text != line:
            notes.append("ends in a carriage return")
        session, tab, cwd = text.partition("\t")
        is_id = _UUID.fullmatch(session) is not None
        if not tab:
            notes.append("no tab")
        elif not cwd:
            notes.append("no directory")
        if not is_id:
            notes.append("not a session id")
        elif session.lower() in seen:
            notes.append("named before")
        seen.add(session.lower())
        yield {
            "file": file.name,
            "line_no": number,
            "session_id": session.lower() if is_id else None,
            "cwd": cwd or None,
            **_noted(notes),
        }


def _read_listing(file: _File) -> Iterator[Row]:
    for number, line, is_utf8 in file.lines():
        notes = [] if is_utf8 else ["not UTF-8"]
        path, tab, count = line.removesuffix("\r").partition("\t")
        row: Row = {"file": file.name, "line_no": number}
        if not _ABSOLUTE.match(path):
            yield row | _noted([*notes, "not an absolute path"])
            continue
        row |= {"path": _bare(path), "exists": count.strip() != "-"}
        if tab and row["exists"]:
            if re.fullmatch(r"[0-9]{1,15}", count.strip()):
                row["n_entries"] = int(count)
            else:
                notes.append("neither a number of entries nor -")
        yield row | _noted(notes)


def _bare(path: str) -> str:
    """The path without slashes at its end; a root keeps its own."""
    bare = path.rstrip("/\\")
    return path if not bare or bare.endswith(":") else bare


_READERS: Final[Mapping[str, Callable[[_File], Iterator[Row]]]] = {
    "registry": _read_registry,
    "tmux": _read_tmux,
    "dismissed": _read_dismissed,
    "listing": _read_listing,
}
WITH_KINDS: Final = tuple(sorted(_READERS))
