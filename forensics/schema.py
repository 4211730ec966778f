"""The tables of a case: every column with its type, its meaning and its order.

This is the only place that names columns for writing; readers find the same words in the Parquet files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import pyarrow as pa

SCHEMA_VERSION = "1.0.0"

_STR = pa.string()
_I64 = pa.int64()
_I32 = pa.int32()
_BOOL = pa.bool_()
_TS = pa.timestamp("us", tz="UTC")
_BIN = pa.binary()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    type: pa.DataType
    doc: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a case; `in_parts` tables are folders of Parquet files."""

    name: str
    doc: str
    grain: tuple[str, ...]
    in_parts: bool
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in writing order."""
        return tuple(column.name for column in self.columns)


_FILE = (
    Column("file_id", _I64, "First 63 bits of SHA-256(label, NUL, path bytes): stable for ever."),
    Column("generation", _I32, "1 for the first content seen at this path, one more for each replacement."),
)
_LINE = (
    *_FILE,
    Column("line_no", _I64, "Physical line, from 1."),
    Column("part", _I32, "0 for the line, 1, 2, … for further records found inside it."),
)

_TABLES = (
    Table(
        "files",
        "Evidence files, one row a file and generation; also those that could not be read.",
        ("file_id", "generation"),
        False,
        (
            *_FILE,
            Column("label", _STR, "The name of the source this file was found under."),
            Column("home", _STR, "The folder that holds `projects/`, relative to the root; `.` for none."),
            Column("path", _STR, "Path relative to the root; bytes outside UTF-8 as \\xNN."),
            Column("path_bytes", _BIN, "The exact path, only when it is not UTF-8."),
            Column("agent", _STR, "The agent whose records these are, or null."),
            Column("kind", _STR, "file, link, fifo, socket, device, folder, container."),
            Column("role", _STR, "main, subagent, sidecar, index, other."),
            Column("project_key", _STR, "The folder under `projects/`, or null without one."),
            Column("session_id_by_name", _STR, "The session id that the file's name or folder says."),
            Column("agent_id_by_name", _STR, "The subagent id that the file's name says."),
            Column("state", _STR, "present or unread; of what is not current: replaced or vanished."),
            Column("is_current", _BOOL, "False for content that was replaced or has vanished since."),
            Column("size_bytes", _I64, "Bytes taken in; null when the file was not read."),
            Column("sha256", _STR, "SHA-256 of those bytes, hex."),
            Column("n_lines", _I64, "Physical lines; null for a file that is not read line by line."),
            Column("n_gaps", _I64, "Rows in gaps that belong to this file."),
            Column(
                "ends_with_newline",
                _BOOL,
                "Whether the last byte is a newline; null when empty or not a transcript.",
            ),
        ),
    ),
    Table(
        "acquisition",
        "What changes when evidence is copied: times, inode, mode, link target.",
        ("file_id", "generation"),
        False,
        (
            *_FILE,
            Column("mtime_ns", _I64, "Modification time, nanoseconds since 1970."),
            Column("atime_ns", _I64, "Access time, nanoseconds since 1970."),
            Column("ctime_ns", _I64, "Status change time, nanoseconds since 1970."),
            Column("inode", _I64, "Inode number."),
            Column("device", _I64, "Device number."),
            Column("mode", _I32, "Type and permission bits."),
            Column(
                "link_target", _STR, "What a symbolic link says, not followed; bytes outside UTF-8 as \\xNN."
            ),
            Column("etag", _STR, "An object store's tag, or null."),
        ),
    ),
    Table(
        "segments",
        "Which part holds which lines and bytes of a file, in the order they were taken in.",
        ("file_id", "generation", "segment_no"),
        False,
        (
            *_FILE,
            Column("segment_no", _I32, "From 1, one more for each time bytes were added."),
            Column("part_stem", _STR, "The part files' name without folder and ending."),
            Column("first_line", _I64, "First line of it that counts; null without lines."),
            Column(
                "last_line", _I64, "Last line of it that counts; a later segment may read that line again."
            ),
            Column("first_byte", _I64, "First byte that was new in it."),
            Column("end_byte", _I64, "The byte after the last one."),
            Column("next_line", _I64, "The line at which a later taking-in goes on; null without lines."),
            Column("next_byte", _I64, "The byte at which that line begins; null without lines."),
        ),
    ),
    Table(
        "lines",
        "Physical lines (part 0) and further records found inside one (part 1, 2, …).",
        ("file_id", "generation", "line_no", "part"),
        True,
        (
            *_LINE,
            Column("byte_start", _I64, "Offset of the first byte in the file."),
            Column(
                "n_bytes",
                _I64,
                "Bytes without the newline; over part 0, bytes plus newlines add up to the size.",
            ),
            Column("status", _STR, "ok, blank, salvaged (what is certain is kept), lost."),
            Column("line_hash", pa.uint64(), "xxh3-64 of the bytes without the newline."),
            Column("type", _STR, "Record type."),
            Column("subtype", _STR, "Record subtype."),
            Column("uuid", _STR, "The record's id."),
            Column("parent_uuid", _STR, "The record this one follows."),
            Column("logical_parent_uuid", _STR, "The record a compaction boundary stands for."),
            Column("session_id", _STR, "The session id recorded in the line."),
            Column("agent_id", _STR, "The subagent id recorded in the line."),
            Column("cwd", _STR, "The working directory recorded in the line."),
            Column("git_branch", _STR, "The branch recorded in the line."),
            Column("agent_version", _STR, "The agent's version recorded in the line."),
            Column("entrypoint", _STR, "How the agent was started."),
            Column("ts", _TS, "Recorded time."),
            Column("ts_source", _STR, "The field `ts` came from: timestamp, snapshot, or null."),
            Column("is_sidechain", _BOOL, "The recorded flag."),
            Column("is_meta", _BOOL, "The recorded flag."),
            Column(
                "is_compact_summary", _BOOL, "The recorded flag alone; other witnesses live in compactions."
            ),
            Column("is_transcript_only", _BOOL, "The recorded flag isVisibleInTranscriptOnly."),
            Column("is_human_prompt", _BOOL, "A person's request; null for lines that are not of type user."),
            Column("prompt_class", _STR, "Why a user line counts as human or not; null for other lines."),
            Column("request_id", _STR, "The API request."),
            Column("message_id", _STR, "The message; one id may be split over several records."),
            Column("model", _STR, "The model that answered."),
            Column("stop_reason", _STR, "Why the model stopped."),
            Column(
                "input_tokens",
                _I64,
                "From the usage block, which is repeated: count a message id once, take the last.",
            ),
            Column("output_tokens", _I64, "From the usage block."),
            Column("cache_creation_tokens", _I64, "From the usage block."),
            Column("cache_read_tokens", _I64, "From the usage block."),
            Column("n_text", _I32, "Text blocks in the message; a plain string counts as one."),
            Column("n_tool_use", _I32, "Tool calls in the message."),
            Column("n_tool_result", _I32, "Tool results in the message."),
            Column("content_chars", _I64, "Characters of the text blocks or of the plain string."),
        ),
    ),
    Table(
        "marks",
        "Rare payloads in long form: titles (as hashes), relocations, worktree states, compaction metadata.",
        ("file_id", "generation", "line_no", "part", "kind", "name", "ord"),
        True,
        (
            *_LINE,
            Column("kind", _STR, "The record type or sidecar it came from."),
            Column("name", _STR, "Which value."),
            Column("ord", _I32, "Position when a name has several values."),
            Column("value", _STR, "The value as text."),
        ),
    ),
    Table(
        "tool_calls",
        "Tool calls; the model tool_uses joins them with their results.",
        ("file_id", "generation", "line_no", "part", "block_no"),
        True,
        (
            *_LINE,
            Column("block_no", _I32, "Position in the message, from 0."),
            Column("tool_use_id", _STR, "The call's id."),
            Column("tool_name", _STR, "The tool."),
            Column("file_path", _STR, "The file named in the input, if any."),
            Column("cwd", _STR, "The working directory recorded in the calling line."),
        ),
    ),
    Table(
        "tool_results",
        "Tool results, each in its own line; kept apart from the calls, which may be taken in earlier.",
        ("file_id", "generation", "line_no", "part", "block_no"),
        True,
        (
            *_LINE,
            Column("block_no", _I32, "Position in the message, from 0."),
            Column("tool_use_id", _STR, "The call this answers."),
            Column("is_error", _BOOL, "The recorded error flag, or null."),
        ),
    ),
    Table(
        "text",
        "The prose of a case; all of it outside raw lives here.",
        ("file_id", "generation", "line_no", "part", "kind", "ord"),
        True,
        (
            *_LINE,
            Column(
                "kind",
                _STR,
                "human, title, last_prompt, summary, compact_summary, question, "
                "answer, command, tool_error, notice.",
            ),
            Column("ord", _I32, "Position when a line has several of a kind."),
            Column("text", _STR, "The text; lone surrogates replaced by U+FFFD and named in gaps."),
        ),
    ),
    Table(
        "raw",
        "The bytes of every file in chunks; any file can be rebuilt.",
        ("file_id", "generation", "byte_start"),
        True,
        (
            *_FILE,
            Column("byte_start", _I64, "Offset of the chunk in the file."),
            Column("bytes", _BIN, "At most 256 KiB."),
        ),
    ),
    Table(
        "gaps",
        "What could not be read, or was read with a reservation.",
        ("file_id", "generation", "line_no", "part", "class", "ord"),
        False,
        (
            *_FILE,
            Column("line_no", _I64, "The line, or null for the whole file."),
            Column("part", _I32, "0, or the further record inside the line."),
            Column("ord", _I32, "Position when a line has several gaps."),
            Column("byte_start", _I64, "Offset of the bytes concerned, or null."),
            Column("n_bytes", _I64, "How many bytes are concerned, or null."),
            Column("class", _STR, "The kind of damage; see GAP_CLASSES."),
            Column("field", _STR, "The field refused, or null."),
            Column("kept", _STR, "What is kept: all, fields, record, nothing."),
        ),
    ),
    Table(
        "keys",
        "Folders under a `projects/`, empty ones too.",
        ("label", "home", "project_key"),
        False,
        (
            Column("label", _STR, "The source."),
            Column("home", _STR, "The folder that holds `projects/`, relative to the root."),
            Column("project_key", _STR, "The folder's name."),
            Column("n_files", _I64, "Files below it, of any role."),
            Column("n_sessions", _I64, "Distinct main transcripts."),
            Column("is_empty", _BOOL, "No file below it."),
            Column(
                "form",
                _STR,
                "encoded (only [A-Za-z0-9-], begins with -), drive (C--…), named (a legal override), "
                "foreign (no known rule writes it).",
            ),
            Column("prefix_200", _STR, "The first 200 characters, only when the key is longer."),
            Column("suffix", _STR, "What follows `prefix_200` and a dash, only when the key is longer."),
        ),
    ),
    Table(
        "cwds",
        "Distinct working directories recorded anywhere in the evidence.",
        ("cwd",),
        False,
        (
            Column("cwd", _STR, "As recorded in lines."),
            Column("style", _STR, "posix, windows, unc, wsl."),
            Column("n_lines", _I64, "Lines that record it."),
            Column("canonical_guess", _STR, "One spelling for each directory, by spelling alone."),
            Column("worktree_pattern_guess", _STR, "The worktree path pattern it matches, or null."),
            Column("repo_root_guess", _STR, "The repository that pattern points to."),
            Column("worktree_name_guess", _STR, "The worktree's name in that pattern."),
            Column("worktree_root_guess", _STR, "The worktree's own top directory in that pattern."),
            Column(
                "excursion_class_guess",
                _STR,
                "project, worktree, claude_uploads, claude_skills, scratchpad, home, other.",
            ),
            Column("nfc_is_certain", _BOOL, "False when its normal form depends on a newer Unicode version."),
        ),
    ),
    Table(
        "cwd_keys",
        "What each recorded directory encodes to under each rule and in each spelling.",
        ("cwd", "alias", "rule"),
        False,
        (
            Column("cwd", _STR, "As in cwds."),
            Column("alias", _STR, "Empty for the directory as recorded, else the kind of other spelling."),
            Column("spelling", _STR, "The spelling that was encoded."),
            Column("rule", _STR, "The rule's name in the ruleset."),
            Column("key", _STR, "The key; null where the tool itself refuses."),
        ),
    ),
    Table(
        "version_rules",
        "The rules that may have been in force for each agent version met in the evidence.",
        ("agent", "agent_version", "rule"),
        False,
        (
            Column("agent", _STR, "The agent."),
            Column("agent_version", _STR, "As recorded; empty for lines without one."),
            Column("version_order", _I64, "Sorts versions as numbers; null when it is not three numbers."),
            Column("rule", _STR, "A candidate rule."),
            Column("basis", _STR, "observed, interpolated, beyond_observed."),
        ),
    ),
)

TABLES: Mapping[str, Table] = {table.name: table for table in _TABLES}

GAP_CLASSES: Mapping[str, str] = {
    "torn": "The head of a record is missing.",
    "torn_repeat": "The tail of an earlier line stands here once more; nothing is lost.",
    "truncated": "The tail of a record is missing.",
    "malformed": "An object with its end that is not valid JSON.",
    "glued": "Several records stand on one line.",
    "nul": "A run of NUL bytes stands before, after or instead of a record.",
    "bad_utf8": "Bytes that are not UTF-8.",
    "lone_surrogate": "An escape names half of a surrogate pair.",
    "bom": "A byte order mark stands before the record.",
    "control": "A control character stands unescaped in a string.",
    "not_object": "The line is JSON, but not an object.",
    "text": "The line is not JSON at all.",
    "too_deep": "Nesting beyond 512 levels.",
    "too_long": "A line beyond 18 MiB or 300,000 values; kept as bytes only.",
    "duplicate_key": "The directory or the session id stands twice; the last is taken, as the agent does.",
    "type_clash": "A needed field has another type than the agent writes.",
    "out_of_range": "A number beyond 2^53 or below zero.",
    "crlf": "A carriage return ends the line; noted only.",
    "no_final_newline": "The last line has no newline; noted only.",
    "sidecar": "A side file is not the JSON object it should be.",
    "link": "A symbolic link; not followed.",
    "special": "A FIFO, socket or device; not opened.",
    "unreadable": "No permission to read.",
    "read_error": "The system failed while the file was read.",
    "vanished": "Gone between listing and reading.",
    "changed": "Changed while it was read.",
    "withheld": "Credentials; listed, not read.",
    "unsafe_path": "A member of an archive whose name would leave it; not unpacked.",
    "bomb": "An archive that unpacks to more than is believable; what came before is kept.",
    "damaged_container": "An archive that ends too soon or is damaged; what came before is kept.",
}


@cache
def to_arrow(table: Table) -> pa.Schema:
    """The Arrow schema of a table, each field with its description."""
    return pa.schema(
        [
            pa.field(column.name, column.type, metadata={"description": column.doc})
            for column in table.columns
        ],
        metadata={"forensics.table": table.name, "forensics.schema": SCHEMA_VERSION},
    )


def arrow_schema(name: str) -> pa.Schema:
    """The Arrow schema of one of a case's own tables."""
    return to_arrow(TABLES[name])
