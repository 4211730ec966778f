"""A second answer to who was alive, in plain Python from the files themselves; no case is read here."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from forensics.testing.world.naive_keys import key_of

K = TypeVar("K", bound=Hashable)
NS = 1_000_000_000
JA = {
    "no_log": "会話ログがありません",
    "no_dir": "作業ディレクトリがありません",
    "frame_empty_moved": "会話が別の場所へ移り、枠は空です",
    "cwd_mismatch": "会話ログの cwd が違います",
}


def group_of(mtimes: Mapping[K, int], *, boot_s: int | None, window_s: int) -> set[K]:
    """Walk back from the newest one before the boot until the window ends."""
    order = sorted(mtimes, key=lambda k: -mtimes[k])
    group: set[K] = set()
    newest: int | None = None
    for key in order:
        if boot_s is not None and mtimes[key] >= boot_s * NS:
            continue
        newest = mtimes[key] if newest is None else newest
        if newest - mtimes[key] > window_s * NS:
            break
        group.add(key)
    return group


@dataclass(frozen=True)
class Seen:
    """One transcript as a naive reader sees it."""

    path: str
    key: str
    sid: str
    mtime_ns: int
    place: str | None
    is_traced: bool
    has_messages: bool


def read_home(root: Path, home: str) -> list[Seen]:
    """Every main transcript of a home."""
    return [
        _read(root, file)
        for file in sorted((root / home / "projects").glob("*/*.jsonl"))
        if not file.name.startswith("agent-")
    ]


def _read(root: Path, file: Path) -> Seen:
    records: list[dict[str, Any]] = []
    for line in file.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            records.append(record)
    key = file.parent.name
    place = None
    for record in records:
        cwd = record.get("cwd")
        if isinstance(cwd, str) and record.get("isSidechain") is False:
            versions = {r["version"] for r in records if "version" in r}
            if any(key_of(cwd, version=version) == key for version in versions):
                place = cwd
    first = records[0] if records else {}
    title = first.get("customTitle") if first.get("type") == "custom-title" else None
    return Seen(
        path=str(file.relative_to(root)),
        key=key,
        sid=file.stem,
        mtime_ns=os.stat(file).st_mtime_ns,
        place=place,
        is_traced=place is not None and title in names_of(place),
        has_messages=any(record.get("type") in ("user", "assistant") for record in records),
    )


def names_of(place: str) -> set[str]:
    """What a place may have been called at the start of a session."""
    *above, last = place.strip("/").split("/")
    owned = f"{above[-1]}-{last}" if above else last
    return {re.sub(r"[^A-Za-z0-9_@-]", "-", name) for name in (last, owned)}


def restore(
    seen: list[Seen],
    *,
    boot_s: int | None,
    window_s: int,
    exists: Callable[[str], bool],
    untraced: bool,
    dismissed: set[str],
    closed: set[str],
) -> dict[str, str]:
    """What becomes of each transcript under `--last`: ready, or the code of the reason why not."""
    verdict: dict[str, str] = {}
    candidates = [s for s in seen if s.place is not None and s.has_messages and (untraced or s.is_traced)]
    group = group_of({s.path: s.mtime_ns for s in candidates}, boot_s=boot_s, window_s=window_s)
    by_place: dict[str, list[Seen]] = {}
    for one in seen:
        assert one.place is not None, "these worlds have none that lies astray"
        if not (untraced or one.is_traced):
            verdict[one.path] = "no_trace"
        elif one.sid in dismissed:
            verdict[one.path] = "dismissed"
        elif one.path in closed:
            verdict[one.path] = "archived"
        elif one.path not in group:
            verdict[one.path] = "not_last"
        else:
            by_place.setdefault(one.place, []).append(one)
    for place, several in by_place.items():
        several.sort(key=lambda s: -s.mtime_ns)
        verdict[several[0].path] = "ready" if exists(place) else "no_dir"
        verdict |= dict.fromkeys((s.path for s in several[1:]), "other_chosen")
    return verdict


def first_failing(
    *,
    is_alive: bool | None,
    has_log: bool,
    is_there: bool | None,
    is_frame: bool,
    is_empty: bool | None,
    records_place: bool,
) -> str | None:
    """The gates once more, as a person would go through them."""
    if is_alive:
        return "alive"
    if not has_log:
        return "no_log"
    if is_frame:
        if is_there is not False and is_empty:
            return "frame_empty_moved"
    elif is_there is False:
        return "no_dir"
    return None if records_place else "cwd_mismatch"
