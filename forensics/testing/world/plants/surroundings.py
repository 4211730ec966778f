"""What else lies in and around homes: side files, decoys, links, and copies of a whole home."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from ..ground import Ground
from ..lines import draw_hex, draw_uuid, format_time, to_ns
from ..naive_keys import key_of
from ..truth import Absence, Duplicate


def _dump(*records: object) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records)


def plant_decoys(ground: Ground, index: int) -> None:
    """Files that end in .jsonl and are no transcripts, in a key and beside it, and another tool's folder."""
    place = ground.settle()
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(ground.pick_turns())
    key = key_of(place.root, version=transcript.version)
    ground.keep(transcript, home=place.home)
    journal = [{"type": "result", "key": f"step-{n}", "agentId": draw_hex(ground.rng, 8)} for n in range(3)]
    audit = [{"at": format_time(transcript.now), "who": "kit", "did": "opened the shed", "cwd": place.root}]
    history = [{"display": place.story.asks[0].prompt, "pastedContents": {}, "project": place.root}]
    other_tool = [
        {"level": "info", "msg": "started", "sessionId": "none"},
        {"level": "info", "msg": "stopped"},
    ]
    projects = f"{place.home}/projects"
    decoys = {
        f"{projects}/{key}/journal.jsonl": _dump(*journal),
        f"{projects}/{key}/audit.jsonl": _dump(*audit),
        f"{projects}/{key}/notes.jsonl": b"",
    }
    for path, data in decoys.items():
        ground.add_file(path, data, role="other", home=place.home, key=key)
    if index == 0:
        ground.add_file(f"{place.home}/history.jsonl", _dump(*history), role="other", home=place.home)
        settings = b'{"cleanupPeriodDays": 30}\n'
        ground.add_file(f"{place.home}/settings.json", settings, role="other", home=place.home)
    ground.add_file(f"otherbot{index}/projects/alpha/events.jsonl", _dump(*other_tool), role="other")
    memory = f"# {place.story.title}\n\n- Ask before renaming.\n"
    path = f"{projects}/{key}/memory/MEMORY.md"
    ground.add_file(path, memory.encode(), role="sidecar", home=place.home, key=key)


def plant_index(ground: Ground, index: int) -> None:
    """An index file that lists sessions which have no file any more."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.20"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    key = key_of(place.root, version=transcript.version)
    ground.keep(transcript, home=place.home)
    gone = [draw_uuid(ground.rng) for _ in range(2 + index % 2)]
    entries = [
        {
            "sessionId": session_id,
            "fullPath": f"/home/kit/.claude/projects/{key}/{session_id}.jsonl",
            "firstPrompt": place.story.asks[0].prompt,
            "messageCount": 4,
            "projectPath": place.root,
            "isSidechain": False,
        }
        for session_id in (transcript.session_id, *gone)
    ]
    path = f"{place.home}/projects/{key}/sessions-index.json"
    data = json.dumps({"version": 1, "entries": entries}, ensure_ascii=False).encode()
    ground.add_file(path, data, role="index", home=place.home, key=key)
    ground.planted["absences"].extend(Absence("indexed_session", path, None, gone_id) for gone_id in gone)


def plant_empty_key(ground: Ground, index: int) -> None:
    """A key without any file."""
    place = ground.settle()
    key = key_of(f"{place.root}/empty{index}", version="2.1.332")
    ground.add_link(f"{place.home}/projects/{key}", kind="empty_folder")


def plant_links(ground: Ground, index: int) -> None:
    """A home whose projects are a link to another home's, a link that leads out, and one that dangles."""
    home = ground.spec.homes[0]
    linked = f"linked{index}/.claude/projects"
    ground.add_link(linked, kind="symlink", target=f"../../{home}/projects")
    ground.add_link(f"{home}/projects/-srv-out{index}", kind="symlink", target="/nonexistent/outside")
    ground.add_link(f"{home}/projects/-srv-gone{index}", kind="symlink", target="nowhere-at-all")


def plant_fifo(ground: Ground, index: int) -> None:
    """A FIFO with the name of a transcript."""
    place = ground.settle()
    key = key_of(place.root, version="2.1.332")
    ground.add_link(f"{place.home}/projects/{key}/{draw_uuid(ground.rng)}.jsonl", kind="fifo")
    if index % 2 == 1:
        ground.add_link(f"{place.home}/projects/{key}/pipe", kind="fifo")


def plant_backup(ground: Ground, index: int) -> None:
    """A folder beside `projects` that was copied from it by hand."""
    home = ground.spec.homes[0]
    originals = [file for file in ground.files if file.home == home and file.role == "main"]
    prefix, copy = f"{home}/projects/", f"{home}/projects.bak-2026-10-0{index + 1}/"
    for file in originals[: 2 + index]:
        path = copy + file.path.removeprefix(prefix)
        ground.add_file(
            path, ground.bytes_of(file.path), role="main", damage=file.damage, n_lines=file.n_lines
        )
        ground.files[-1] = replace(ground.files[-1], n_blank=file.n_blank)
        ground.planted["duplicates"].append(Duplicate("home_copy", path, file.path))


_PATHS = ("path", "other_path", "leaf_path", "paths")
_NOT_COPIED = ("home_copy", "double_writer", "mtime_before_content", "mtime_shared")
_LISTS = (
    "collisions",
    "near_misses",
    "long_prefixes",
    "worktree_keys",
    "aliases",
    "odd_keys",
    "duplicates",
    "summary_lines",
    "absences",
    "notes",
)


def _transplant(item: Any, *, home: str, copy: str) -> Any:
    """The same planted thing in the copied home."""

    def move(path: Any) -> Any:
        if isinstance(path, tuple):
            return tuple(move(one) for one in path)
        return copy + path.removeprefix(home) if isinstance(path, str) and path.startswith(home) else path

    changes = {field.name: move(getattr(item, field.name)) for field in fields(item) if field.name in _PATHS}
    if any(field.name == "home" for field in fields(item)):
        changes["home"] = copy
    return replace(item, **changes)


def plant_home_copy(ground: Ground, index: int) -> None:
    """A whole home that was copied: every file equal, every mtime the second of the copy."""
    home = ground.spec.homes[0]
    copy = f"backup{index or ''}/{home.rsplit('/', maxsplit=1)[-1]}"
    copied_at = to_ns(ground.spec.start + timedelta(days=ground.spec.days + 20 + index))
    projects = f"{home}/projects/"
    for file in [file for file in ground.files if file.path.startswith(projects)]:
        path = copy + file.path.removeprefix(home)
        ground.tree.add_bytes(path, ground.bytes_of(file.path), mtime_ns=copied_at)
        ground.files.append(replace(file, path=path, home=copy, mtime_ns=copied_at))
        ground.planted["duplicates"].append(Duplicate("home_copy", path, file.path))
    for session in [session for session in ground.sessions if session.path.startswith(projects)]:
        path = copy + session.path.removeprefix(home)
        ground.sessions.append(replace(session, path=path, home=copy, mtime_ns=copied_at))
    for name in _LISTS:
        for item in list(ground.planted[name]):
            inside = getattr(item, "home", None) == home
            paths = (getattr(item, "path", ""), *getattr(item, "paths", ()))
            inside = inside or any(path.startswith(projects) for path in paths)
            if inside and getattr(item, "relation", getattr(item, "kind", "")) not in _NOT_COPIED:
                ground.planted[name].append(_transplant(item, home=home, copy=copy))
    for shared_home, key in list(ground.shared_keys):
        if shared_home == home:
            ground.share_key(copy, key)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "decoys": plant_decoys,
    "index": plant_index,
    "empty_key": plant_empty_key,
    "links": plant_links,
    "fifo": plant_fifo,
    "backup": plant_backup,
    "home_copy": plant_home_copy,
}
