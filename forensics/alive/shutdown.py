"""The group of transcripts that went down with their machine, cut out of modification times.

A system that shuts down tells its programs to end, and the agent then writes its transcript out: one that
was idle for a day gets the time of the shutdown. What a person closed before stopped being written then. So
the time of a file says when its session was last alive, not when it last did something.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

DEFAULT_WINDOW_S = 300
_NS = 1_000_000_000
_IDLE_S = 3600

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a transcript ends; `idle_gap_s` lies between its last content and its modification time."""

    mtime_ns: int
    idle_gap_s: float | None = None
    has_untimed_tail: bool = False


@dataclass(frozen=True, slots=True)
class Group(Generic[K]):
    """Those alive at the last shutdown, and how far that can be believed.

    `t_last_ns` is null when nothing was written before the boot. `quality` is `burst`, `none` for an empty
    group, or `degraded`: a single one, or none that ends in lines without a time, as after a power cut;
    then the group is only what was touched last.

    Units: `spread_s` between first and last, `gap_s` from the first to the one before the group.
    """

    members: frozenset[K]
    t_last_ns: int | None
    t_boot_ns: int | None
    window_s: int
    spread_s: float
    gap_s: float | None
    idle_share: float | None
    long_idle_share: float | None
    quality: str

    def spans(self, mtime_ns: int) -> bool:
        """Whether a moment lies between the first that counts and the boot, whoever was written then."""
        if self.t_last_ns is None or mtime_ns < self.t_last_ns - self.window_s * _NS:
            return False
        return self.t_boot_ns is None or mtime_ns < self.t_boot_ns

    def delta_s(self, mtime_ns: int) -> float | None:
        """How long before the last of the group something was written; negative after it."""
        return None if self.t_last_ns is None else (self.t_last_ns - mtime_ns) / _NS


def find_group(
    endings: Mapping[K, Ending], *, boot_s: int | None = None, window_s: int = DEFAULT_WINDOW_S
) -> Group[K]:
    """Those last written in `[T_last - window, T_boot)`, where T_last is the newest time before the boot.

    Without a boot time nothing bounds them above, and T_last is the newest time of all.
    """
    t_boot = None if boot_s is None else boot_s * _NS
    before = {k: e for k, e in endings.items() if t_boot is None or e.mtime_ns < t_boot}
    if not before:
        return Group(frozenset(), None, t_boot, window_s, 0.0, None, None, None, "none")
    t_last = max(ending.mtime_ns for ending in before.values())
    lower = t_last - window_s * _NS
    inside = {k: e for k, e in before.items() if e.mtime_ns >= lower}
    first = min(ending.mtime_ns for ending in inside.values())
    earlier = [e.mtime_ns for e in before.values() if e.mtime_ns < lower]
    return Group(
        members=frozenset(inside),
        t_last_ns=t_last,
        t_boot_ns=t_boot,
        window_s=window_s,
        spread_s=(t_last - first) / _NS,
        gap_s=(first - max(earlier)) / _NS if earlier else None,
        idle_share=_share(inside.values(), above_s=0),
        long_idle_share=_share(inside.values(), above_s=_IDLE_S),
        quality=_quality(inside.values()),
    )


def _share(endings: Collection[Ending], *, above_s: int) -> float | None:
    gaps = [ending.idle_gap_s for ending in endings if ending.idle_gap_s is not None]
    return sum(gap > above_s for gap in gaps) / len(gaps) if gaps else None


def _quality(endings: Collection[Ending]) -> str:
    if len(endings) == 1 or not any(ending.has_untimed_tail for ending in endings):
        return "degraded"
    return "burst"
