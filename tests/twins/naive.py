"""The same answers by a naive reading of the files: Python, the standard library, no case and no SQL.

Slow, plain and written once more from the questions; only whole records are read, as strict JSON sees them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

Record = dict[str, Any]

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SUMMARY = "This session is being continued from"
_TREE = re.compile(
    r"(?P<root>/.+?)(?:/\.worktrees/|\.worktrees/|-worktrees/|/\.wt/|/\.claude/worktrees/)[^/]+"
    r"|/home/[^/]+/conductor/workspaces/[^/]+/[^/]+"
)


@dataclass
class Transcript:
    """A main transcript: what its place says, and its whole records with their lines."""

    path: str
    home: str
    key: str
    session: str
    lines: list[bytes]
    records: list[tuple[int, Record]] = field(default_factory=list)

    @property
    def main(self) -> list[tuple[int, Record]]:
        return [(n, r) for n, r in self.records if r.get("isSidechain") is not True]

    @property
    def cwds(self) -> list[tuple[int, str]]:
        return [(n, r["cwd"]) for n, r in self.main if isinstance(r.get("cwd"), str)]

    @property
    def has_message(self) -> bool:
        return any(r.get("type") in {"user", "assistant"} for _, r in self.records)


def read(root: Path) -> list[Transcript]:
    """All main transcripts directly under a key."""
    found = []
    for path in sorted(root.rglob("*.jsonl")):
        parts = path.relative_to(root).parts
        if parts[-3:-2] != ("projects",) or not path.is_file() or not _UUID.fullmatch(path.stem):
            continue
        lines = path.read_bytes().split(b"\n")
        lines = lines[:-1] if lines[-1] == b"" else lines
        one = Transcript("/".join(parts), "/".join(parts[:-3]) or ".", parts[-2], path.stem, lines)
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                one.records.append((number, record))
        found.append(one)
    return found


def plain_key(cwd: str) -> str:
    """The key of a short ASCII directory, by which all versions agree."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def is_plain(cwd: str) -> bool:
    return cwd.isascii() and len(cwd) <= 200 and cwd.startswith("/")


def runs(one: Transcript) -> list[tuple[str, int, int]]:
    """Runs of directory on the main chain: directory, records, first line."""
    return [
        (cwd, len(group), group[0][0])
        for cwd, group in ((cwd, list(g)) for cwd, g in groupby(one.cwds, key=lambda pair: pair[1]))
    ]


def collisions(transcripts: list[Transcript]) -> set[tuple[str, str, tuple[str, ...]]]:
    """Keys under which sessions began in several plain directories that give it."""
    began: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in transcripts:
        if one.cwds and is_plain(one.cwds[0][1]) and plain_key(one.cwds[0][1]) == one.key:
            began[one.home, one.key].add(one.cwds[0][1])
    return {(*place, tuple(sorted(cwds))) for place, cwds in began.items() if len(cwds) > 1}


def worktree_keys(transcripts: list[Transcript]) -> set[tuple[str, str, str, int]]:
    """Keys that a recorded plain directory in a worktree, by its path, gives; with how many sessions."""
    sessions: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for one in transcripts:
        for cwd in {cwd for _, cwd in one.cwds}:
            tree = _TREE.match(cwd)
            if tree is not None and is_plain(cwd) and plain_key(cwd) == one.key:
                sessions[one.home, one.key, tree[0]].add(one.path)
    return {(*place, len(paths)) for place, paths in sessions.items()}


def copies(transcripts: list[Transcript]) -> set[tuple[str, str, str]]:
    """Pairs of files of one session in one home, and how they relate."""
    found = set()
    for one, other in combinations(transcripts, 2):
        if one.session != other.session or one.home != other.home:
            continue
        low, high = sorted((one.path, other.path))
        a, b = (one, other) if len(one.lines) <= len(other.lines) else (other, one)
        if a.lines == b.lines:
            found.add(("equal", low, high))
        elif not a.has_message or not b.has_message:
            stub, whole = (a, b) if not a.has_message else (b, a)
            found.add(("stub", stub.path, whole.path))
        elif b.lines[: len(a.lines)] == a.lines:
            found.add(("prefix", a.path, b.path))
        elif a.lines[0] == b.lines[0]:
            found.add(("diverged", low, high))
    return found


def forks(transcripts: list[Transcript]) -> set[tuple[str, str, int]]:
    """Pairs of files of different sessions of one home that hold records with the same ids."""
    ids = {
        one.path: {r["uuid"] for _, r in one.records if isinstance(r.get("uuid"), str)} for one in transcripts
    }
    found = set()
    for one, other in combinations(transcripts, 2):
        shared = ids[one.path] & ids[other.path]
        if one.home == other.home and one.session != other.session and shared:
            found.add((min(one.path, other.path), max(one.path, other.path), len(shared)))
    return found


def _text(record: Record) -> str:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        return "".join(b.get("text") or "" for b in content if isinstance(b, dict))
    return content if isinstance(content, str) else ""


def _compactions(one: Transcript) -> Iterator[int]:
    """Yield the line after which the compaction covers nothing, once a compaction."""
    seen: set[str] = set()
    open_: dict[str, int] = {}
    for number, record in one.records:
        uuid = record.get("uuid")
        if isinstance(uuid, str) and uuid in seen:
            continue
        if isinstance(uuid, str):
            seen.add(uuid)
        if record.get("subtype") == "compact_boundary":
            open_[str(uuid)] = number
            continue
        parent = record.get("parentUuid")
        only_shown = record.get("isVisibleInTranscriptOnly") is True and parent in open_
        is_summary = (
            record.get("isCompactSummary") is True or only_shown or _text(record).startswith(_SUMMARY)
        )
        if record.get("type") == "user" and is_summary:
            open_.pop(str(parent), None)
            yield number
    yield from open_.values()


def tails(transcripts: list[Transcript]) -> set[tuple[str, int, int]]:
    """Compacted sessions: how many compactions, and how many lines stand after the last."""
    found = set()
    for one in transcripts:
        ends = list(_compactions(one))
        if ends:
            found.add((one.path, len(ends), len(one.lines) - max(ends)))
    return found
