"""From entries, what was known and what workers read, to the rows of the small tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from forensics.ingest.discover import Entry
from forensics.ingest.plan import Found, shown_path
from forensics.ingest.previous import Known, Previous
from forensics.ingest.task import ItemResult

Row = dict[str, Any]

_UNREAD = frozenset({"vanished", "unreadable", "read_error", "withheld", "special"})
_DOCUMENTS = frozenset({"sidecar", "index"})
_PASSING = frozenset({"changed", "read_error", "vanished", "unreadable", "withheld", "special", "link"})
_AGENT_ROLES = frozenset({"main", "subagent", "sidecar", "index"})


@dataclass(slots=True)
class Small:
    """Rows of the tables that are written whole, and what the run should tell."""

    files: list[Row] = field(default_factory=list)
    acquisition: list[Row] = field(default_factory=list)
    segments: list[Row] = field(default_factory=list)
    gaps: list[Row] = field(default_factory=list)
    n_unread: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """One item's result and the part it lies in."""

    stem: str
    result: ItemResult


def _stat_row(found: Found, generation: int, stat: tuple[int, ...] | None) -> Row:
    _, mtime, ctime, inode, device, mode, atime = (
        (None if found.entry.spooled else stat) or found.entry.stat or (None,) * 7
    )
    target = found.entry.link_target
    return {
        "file_id": found.file_id,
        "generation": generation,
        "mtime_ns": mtime,
        "atime_ns": atime,
        "ctime_ns": ctime,
        "inode": inode,
        "device": device,
        "mode": mode,
        "link_target": None if target is None else shown_path(target),
        "etag": None,
    }


def _file_row(found: Found, generation: int) -> Row:
    place = found.place
    path = found.entry.path
    shown = shown_path(path)
    return {
        "file_id": found.file_id,
        "generation": generation,
        "label": found.source.label,
        "home": place.home,
        "path": shown,
        "path_bytes": None if shown.encode("utf-8") == path else path,
        "agent": None,
        "kind": found.entry.kind,
        "role": "other",
        "project_key": place.project_key,
        "session_id_by_name": None,
        "agent_id_by_name": None,
        "state": "unread",
        "is_current": True,
        "size_bytes": None,
        "sha256": None,
        "n_lines": None,
        "n_gaps": 0,
        "ends_with_newline": None,
    }


def _set_role(row: Row, found: Found, role: str) -> None:
    """What the place says is kept only for files whose content bears it out."""
    row["role"] = role
    is_agents = role in _AGENT_ROLES
    row["agent"] = "claude_code" if is_agents else None
    row["session_id_by_name"] = found.place.session_id if is_agents else None
    row["agent_id_by_name"] = found.place.agent_id if is_agents else None


def _gap_row(found: Found, generation: int, values: tuple[Any, ...]) -> Row:
    names = ("line_no", "part", "ord", "byte_start", "n_bytes", "class", "field", "kept")
    return {"file_id": found.file_id, "generation": generation, **dict(zip(names, values, strict=True))}


def _retire(known: Known, small: Small, state: str) -> None:
    """Keep the newest content of a path as something that is no longer there."""
    row = dict(known.newest)
    row.update(state=state, is_current=False)
    small.files.append(row)
    small.acquisition.append(known.stat)


def _carry(known: Known, small: Small, *, newest: bool = True) -> None:
    """Carry what is known of a path over; without its newest rows when these are made anew."""
    small.files += known.older
    small.acquisition += known.older_stats
    if newest:
        small.files.append(known.newest)
        small.acquisition.append(known.stat)
    small.segments += known.segments
    small.gaps += known.gaps


def _note(found: Found, small: Small, gap: str | None, stat: tuple[int, ...] | None = None) -> None:
    """A row for something that was not read, with its reason."""
    known = found.known
    generation = found.generation
    if known is not None:
        _carry(known, small, newest=False)
        had_content = known.newest["size_bytes"] is not None
        if had_content:
            _retire(known, small, "vanished")
            generation = known.generation + 1
        small.gaps = [
            row for row in small.gaps if (row["file_id"], row["generation"]) != (found.file_id, generation)
        ]
    small.files.append(_file_row(found, generation))
    small.acquisition.append(_stat_row(found, generation, stat))
    if gap is not None:
        small.gaps.append(_gap_row(found, generation, (None, 0, 0, None, None, gap, None, "nothing")))
    if gap in {"unreadable", "read_error"}:
        small.n_unread += 1


def _gap_of(entry: Entry) -> str:
    """Why an entry is only noted."""
    return entry.trouble or ("link" if entry.kind == "link" else "special")


def _segment(found: Found, taken: Taken, number: int) -> Row:
    result, item = taken.result, taken.result.item
    is_whole = result.ends_with_newline is not False
    first_line, last_line, next_line, next_byte = None, None, None, None
    if result.role in _DOCUMENTS:
        first_line = last_line = 1
    if result.n_lines is not None:
        first_line, last_line = item.first_line, result.n_lines
        next_line = result.n_lines + 1 if is_whole else result.n_lines
        next_byte = result.size_bytes if is_whole else result.tail_start
    return {
        "file_id": found.file_id,
        "generation": item.generation,
        "segment_no": number,
        "part_stem": taken.stem,
        "first_line": first_line,
        "last_line": last_line,
        "first_byte": max(item.start, item.known_bytes),
        "end_byte": result.size_bytes,
        "next_line": next_line,
        "next_byte": next_byte,
    }


def _merge_gaps(old: Iterable[Row], new: list[Row], first_line: int) -> list[Row]:
    """Gaps of a file after bytes were added: line gaps before them stay, the file's own are made anew.

    What went wrong while it was read before does so no longer: those bytes were found to stand there still.
    """
    kept = [row for row in old if row["line_no"] is not None and row["line_no"] < first_line]
    lasting = [row for row in old if row["line_no"] is None and row["class"] not in _PASSING]
    notes = [*lasting, *(row for row in new if row["line_no"] is None)]
    crlf = sum(row["n_bytes"] for row in notes if row["class"] == "crlf")
    merged: dict[str, Row] = {}
    for row in notes:
        is_stale = row["class"] == "no_final_newline" and not any(row is one for one in new)
        if not is_stale:
            merged[row["class"]] = dict(row)
    if crlf:
        merged["crlf"]["n_bytes"] = crlf
    return kept + [row for row in new if row["line_no"] is not None] + list(merged.values())


def _add_same(known: Known, stat_row: Row, small: Small) -> None:
    """Rows of a file in which nothing is new: it was touched, or came back as it was."""
    _carry(known, small, newest=False)
    small.files.append(known.newest | {"state": "present", "is_current": True})
    small.acquisition.append(stat_row)
    small.gaps = [
        row
        for row in small.gaps
        if row["generation"] != known.generation or row["line_no"] is not None or row["class"] not in _PASSING
    ]


def _add_read(found: Found, taken: list[Taken], small: Small) -> None:
    """Rows of a file whose bytes were read, whole or from where an earlier taking-in ended."""
    known = found.known
    first, last = taken[0].result, taken[-1].result
    generation = first.item.generation
    stat_row = _stat_row(found, generation, first.stat)
    if known is not None and first.state == "same":
        _add_same(known, stat_row, small)
        return
    if known is not None:
        _carry(known, small, newest=False)
        if known.generation != generation:
            _retire(known, small, "replaced")
    small.acquisition.append(stat_row)
    row = _file_row(found, generation)
    _set_role(row, found, last.role or "other")
    row.update(
        state="present",
        size_bytes=last.size_bytes,
        sha256=last.sha256,
        n_lines=last.n_lines,
        ends_with_newline=last.ends_with_newline,
    )
    small.files.append(row)
    new = [_gap_row(found, generation, gap) for one in taken for gap in one.result.gaps]
    mine = [gap for gap in small.gaps if gap["generation"] == generation]
    small.gaps = [gap for gap in small.gaps if gap["generation"] != generation]
    small.gaps += _merge_gaps(mine, new, first.item.first_line)
    number = 0
    for segment in small.segments:
        if segment["generation"] == generation:
            number = max(number, segment["segment_no"])
            if segment["last_line"] is not None and segment["last_line"] >= first.item.first_line:
                segment["last_line"] = first.item.first_line - 1
    small.segments += [_segment(found, one, number + i) for i, one in enumerate(taken, 1)]


def gather(
    found: list[Found],
    taken: dict[int, list[Taken]],
    previous: Previous,
    was_looked_for: Callable[[Row], bool],
) -> Small:
    """The rows of files, acquisition, segments and gaps after this taking-in, older generations included.

    What was known and not found has vanished only where it was looked for; else it stays as it was seen last.
    """
    total = Small()
    seen: set[int] = set()
    for one in found:
        small = Small()
        seen.add(one.file_id)
        results = taken.get(one.file_id, [])
        if one.action == "keep" and one.known is not None:
            _carry(one.known, small)
        elif one.action == "note":
            _note(one, small, _gap_of(one.entry))
        elif results[-1].result.state in _UNREAD:
            _note(one, small, results[-1].result.state, results[-1].result.stat)
        else:
            _add_read(one, results, small)
        _join(total, small)
    for file_id, known in previous.known.items():
        if file_id in seen:
            continue
        small = Small()
        if known.newest["is_current"] and was_looked_for(known.newest):
            _carry(known, small, newest=False)
            _retire(known, small, "vanished")
        else:
            _carry(known, small)
        _join(total, small)
    _count_gaps(total)
    return total


def _join(total: Small, small: Small) -> None:
    total.files += small.files
    total.acquisition += small.acquisition
    total.segments += small.segments
    total.gaps += small.gaps
    total.n_unread += small.n_unread


def _count_gaps(small: Small) -> None:
    counts: dict[tuple[int, int], int] = {}
    for row in small.gaps:
        key = (row["file_id"], row["generation"])
        counts[key] = counts.get(key, 0) + 1
    for row in small.files:
        row["n_gaps"] = counts.get((row["file_id"], row["generation"]), 0)
