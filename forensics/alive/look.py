"""A look at this very machine, for those who ask for it: boot, running sessions, directories."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forensics.alive import kinds
from forensics.alive.facts import Directories, Known, Process
from forensics.host.registry import RegistryEntry, find_boot_s, read_registry
from forensics.paths import canonical_guess


@dataclass(frozen=True, slots=True)
class Look:
    """What can be asked of a machine; `count` says how many entries a directory has, or null without one."""

    boot_s: int | None
    registry: Sequence[RegistryEntry]
    count: Callable[[str], int | None]


def look_here(home: Path) -> Look:
    """This machine; `home` is the agent's home whose live registry is read."""
    boot_s = find_boot_s()
    entries, _ = read_registry(str(home), boot_s=boot_s)
    return Look(boot_s, tuple(entries), _count)


def _count(path: str) -> int | None:
    try:
        with os.scandir(path) as entries:
            return sum(1 for _ in entries)
    except PermissionError:
        # It is there; that it may not be listed is no reason to call it empty.
        return 1
    except OSError:
        return None


def with_look(known: Known, look: Look) -> Known:
    """What is known, and what this machine shows now in place of what older facts said of it."""
    paths = {log.place for log in known.logs if log.place is not None}
    frames = {path for path in known.directories.listed if kinds.kind_of(path) == kinds.SCRATCH}
    listed: dict[str, tuple[bool, int | None]] = {}
    for path in sorted(paths | frames):
        n_entries = look.count(path)
        listed[canonical_guess(path)] = (n_entries is not None, n_entries)
    labels = {log.label for log in known.logs}
    return replace(
        known,
        directories=Directories(listed),
        boots=known.boots if look.boot_s is None else dict.fromkeys(labels, look.boot_s),
        processes=tuple(
            Process(
                "",
                entry.pid,
                (entry.session_id or "").lower(),
                entry.cwd or "",
                entry.started_at_ms,
                entry.tmux,
            )
            for entry in look.registry
            if entry.is_alive
        ),
        has_registry=frozenset(labels),
    )
