"""The tables that facts from outside the transcripts give a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from forensics.schema import Column, Table

_STR = pa.string()
_BOOL = pa.bool_()
_I64 = pa.int64()
_I32 = pa.int32()
_FILE = Column("file", _STR, "The file it stands in, by its name alone.")
_LINE = Column("line_no", _I64, "Physical line, from 1.")
_OK = Column(
    "parse_ok", _BOOL, "Whether the line is written as it should be; what is certain is kept either way."
)
_NOTE = Column("note", _STR, "What is wrong with it, or null.")
_SESSION = Column("session_id", _STR, "Session id.")

_TABLES = (
    Table(
        "with_files",
        "Files with facts from outside the transcripts.",
        ("kind", "file"),
        False,
        (
            Column("kind", _STR, "registry, tmux, dismissed, listing."),
            _FILE,
            Column("sha256", _STR, "SHA-256 of its bytes, hex."),
            Column("size_bytes", _I64, "Its bytes."),
        ),
    ),
    Table(
        "with_acquisition",
        "When these files were written; a copy changes it.",
        ("kind", "file"),
        False,
        (
            Column("kind", _STR, "registry, tmux, dismissed, listing."),
            _FILE,
            Column("mtime_ns", _I64, "Modification time, nanoseconds since 1970."),
        ),
    ),
    Table(
        "with_registry",
        "A snapshot of the live registry of sessions, one row a session that ran.",
        ("file", "line_no", "ord"),
        False,
        (
            _FILE,
            _LINE,
            Column("ord", _I32, "Position when a line holds several."),
            Column("pid", _I64, "Process id."),
            _SESSION,
            Column("cwd", _STR, "Working directory."),
            Column("started_at_ms", _I64, "Start, milliseconds since 1970."),
            Column("version", _STR, "The agent's version."),
            Column("kind", _STR, "The kind of session."),
            Column("entrypoint", _STR, "How the agent was started."),
            Column("tmux", _STR, "Session, window and pane of tmux."),
            Column("name", _STR, "The session's name; it says nothing about who is alive."),
            Column("status", _STR, "The status it gave itself."),
            Column("bridge_session_id", _STR, "The id under which an app sees it."),
            _OK,
            _NOTE,
        ),
    ),
    Table(
        "with_tmux",
        "A snapshot of the panes of tmux.",
        ("file", "line_no"),
        False,
        (
            _FILE,
            _LINE,
            Column("tmux_session", _STR, "The tmux session's name."),
            Column("tmux_window", _STR, "The window's index."),
            Column("pane", _STR, "The pane's index."),
            Column("cwd", _STR, "The pane's directory."),
            Column("command", _STR, "What runs in it."),
            Column("start_command", _STR, "What it was started with."),
            Column("session_id", _STR, "The session id that the start command names."),
            Column("is_stopped", _BOOL, "The pane is dead, or only a shell is left in it."),
            _OK,
            _NOTE,
        ),
    ),
    Table(
        "with_dismissed",
        "Sessions that a person has declared finished.",
        ("file", "line_no"),
        False,
        (
            _FILE,
            _LINE,
            _SESSION,
            Column("cwd", _STR, "The directory it was in."),
            _OK,
            _NOTE,
        ),
    ),
    Table(
        "with_listing",
        "Directories as somebody listed them.",
        ("file", "line_no"),
        False,
        (
            _FILE,
            _LINE,
            Column("path", _STR, "The directory."),
            Column("exists", _BOOL, "Whether it was there."),
            Column(
                "n_entries", _I64, "What lay directly in it, hidden names too; null when it was not counted."
            ),
            _OK,
            _NOTE,
        ),
    ),
)

WITH_TABLES: Final[Mapping[str, Table]] = {table.name: table for table in _TABLES}
