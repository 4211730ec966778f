"""What the place of a file under a root says about it: home, key, role, session."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KEY_FORM = re.compile(r"-|[A-Za-z]--")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_AGENT_FILE = re.compile(r"agent-(?P<id>.+)\.jsonl")
_SIDE_NAMES = frozenset({"archived.json", "custom-title.json", "resume-head.jsonl"})
_SIDE_FOLDERS = frozenset({"memory", "tool-results"})
_INDEX_NAMES = frozenset({"sessions-index.json"})


@dataclass(frozen=True, slots=True)
class Place:
    """What a path relative to a root says; `role` is what the place suggests before content is read.

    `home` is the folder that holds `projects/` (`.` for the root itself or none), `project_key` the folder
    below it, or None without a `projects/`.
    """

    home: str
    project_key: str | None
    role: str
    session_id: str | None
    agent_id: str | None


def is_session_name(stem: str) -> bool:
    """Whether a file stem is a session id as the agent writes it."""
    return _UUID.fullmatch(stem) is not None


def projects_at(parts: tuple[str, ...]) -> int | None:
    """The index of the `projects` folder that holds this path's key, or None.

    The last one whose child looks like a key wins, else the last one: a person's own source folder may be
    named `projects` too.
    """
    found = [i for i in range(len(parts) - 2) if parts[i] == "projects"]
    for i in reversed(found):
        if _KEY_FORM.match(parts[i + 1]):
            return i
    return found[-1] if found else None


def read_place(path: str) -> Place:
    """What the path says; `path` is relative to the root, with forward slashes."""
    parts = tuple(path.split("/"))
    at = projects_at(parts)
    name = parts[-1]
    below = parts[at + 2 : -1] if at is not None else parts[:-1]
    home = "/".join(parts[:at]) or "." if at is not None else "."
    key = parts[at + 1] if at is not None else None
    session = next((part for part in reversed(below) if is_session_name(part)), None)
    role, agent = "other", None
    if name in _INDEX_NAMES:
        role = "index"
    elif name.endswith(".meta.json") or name in _SIDE_NAMES or _SIDE_FOLDERS.intersection(below):
        role = "sidecar"
        if match := re.fullmatch(r"agent-(.+)\.meta\.json", name):
            agent = match[1]
    elif match := _AGENT_FILE.fullmatch(name):
        role, agent = "subagent", match["id"]
    elif name.endswith(".jsonl"):
        role = "main"
        stem = name.removesuffix(".jsonl")
        session = stem if is_session_name(stem) else None
    return Place(home=home, project_key=key, role=role, session_id=session, agent_id=agent)
