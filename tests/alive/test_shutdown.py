"""The group that went down together: a real evening in numbers, its edges, its laws."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.alive.shutdown import Ending, find_group
from tests.alive.twin import group_of

NS = 1_000_000_000
# An evening: the machine stops at 20:50 and is up again at 23:22:44.
NOON = 1_787_832_000
MIDNIGHT = NOON - 12 * 3600


def at(clock: str) -> int:
    """Seconds since 1970 of a time of that day."""
    hours, minutes, seconds = map(int, clock.split(":"))
    return MIDNIGHT + hours * 3600 + minutes * 60 + seconds


BOOT = at("23:22:44")
TOGETHER = [f"20:50:{second:02}" for second in (8, 9, 12, 15, 19, 22, 26, 31, 36, 40, 44, 49, 53)]
BEFORE = ["20:45:52", "19:02:11", "14:30:00", "10:00:00", "09:12:00", "00:00:01"]


def endings(*clocks: str) -> dict[str, Ending]:
    return {clock: Ending(at(clock) * NS, idle_gap_s=5.0, has_untimed_tail=True) for clock in clocks}


def test_thirteen_of_nineteen_went_down_within_45_seconds() -> None:
    group = find_group(endings(*TOGETHER, *BEFORE), boot_s=BOOT)
    assert group.members == set(TOGETHER)
    assert len(group.members) == 13
    assert group.t_last_ns == at("20:50:53") * NS
    assert group.spread_s == 45.0
    assert group.gap_s == at("20:50:08") - at("20:45:52")
    assert group.delta_s(at("20:50:08") * NS) == 45.0
    assert group.quality == "burst"


def test_the_lower_bound_belongs_to_the_group_and_a_nanosecond_before_does_not() -> None:
    lower = at("20:45:53") * NS
    found = {"last": Ending(at("20:50:53") * NS), "on": Ending(lower), "before": Ending(lower - 1)}
    assert find_group(found, boot_s=BOOT).members == {"last", "on"}


def test_the_moment_of_the_boot_does_not_belong_to_the_group() -> None:
    found = {"on": Ending(BOOT * NS), "before": Ending(BOOT * NS - 1)}
    assert find_group(found, boot_s=BOOT).members == {"before"}


STOP = at("20:50:00")


@pytest.mark.parametrize(
    ("name", "mtime", "window_s", "is_in"),
    [
        ("at the stop", STOP, 300, True),
        ("twenty seconds before", STOP - 20, 300, True),
        ("an hour before", STOP - 3600, 300, False),
        ("ten minutes before", STOP - 600, 300, False),
        ("ten minutes before, with a wider window", STOP - 600, 1200, True),
        ("ten minutes after the boot", BOOT + 600, 300, False),
    ],
)
def test_who_is_in_the_group_of_a_stop(name: str, mtime: int, window_s: int, is_in: bool) -> None:
    found = {"the last": Ending(STOP * NS), name: Ending(mtime * NS)}
    assert (name in find_group(found, boot_s=BOOT, window_s=window_s).members) is is_in


def test_everything_after_the_boot_leaves_nobody() -> None:
    group = find_group({"a": Ending((BOOT + 1) * NS), "b": Ending((BOOT + 600) * NS)}, boot_s=BOOT)
    assert (group.members, group.t_last_ns, group.quality) == (frozenset(), None, "none")
    assert group.delta_s(BOOT * NS) is None


def test_without_a_boot_time_the_newest_of_all_is_the_end() -> None:
    found = {"old": Ending(STOP * NS), "new": Ending((BOOT + 600) * NS)}
    assert find_group(found).members == {"new"}


def test_a_machine_that_was_down_for_a_month_has_its_group_all_the_same() -> None:
    month = 30 * 86_400
    group = find_group({"a": Ending((STOP - month) * NS), "b": Ending((STOP - month - 9) * NS)}, boot_s=BOOT)
    assert group.members == {"a", "b"}


@pytest.mark.parametrize(
    ("found", "quality"),
    [
        ({"one": Ending(STOP * NS, 1.0, True)}, "degraded"),
        ({"a": Ending(STOP * NS, 1.0, False), "b": Ending(STOP * NS, 1.0, False)}, "degraded"),
        ({"a": Ending(STOP * NS, 1.0, True), "b": Ending(STOP * NS, 1.0, False)}, "burst"),
    ],
)
def test_a_single_one_or_none_with_a_tail_without_times_is_degraded(
    found: dict[str, Ending], quality: str
) -> None:
    assert find_group(found, boot_s=BOOT).quality == quality


def test_the_share_of_idle_ones_is_told() -> None:
    found = {str(n): Ending(STOP * NS, 86_400.0 if n < 2 else 3.0, True) for n in range(13)}
    group = find_group(found, boot_s=BOOT)
    assert group.long_idle_share == 2 / 13
    assert group.idle_share == 1.0


TIMES = st.integers(0, 2000)
CORPORA = st.dictionaries(st.integers(0, 50), TIMES.map(lambda s: Ending(s * NS)), max_size=12)
BOOTS = st.one_of(st.none(), TIMES)


@given(CORPORA, BOOTS, st.integers(0, 900))
def test_the_naive_reading_finds_the_same_group(
    found: dict[int, Ending], boot: int | None, window: int
) -> None:
    expected = group_of({k: e.mtime_ns for k, e in found.items()}, boot_s=boot, window_s=window)
    assert find_group(found, boot_s=boot, window_s=window).members == expected


@given(CORPORA, BOOTS, st.integers(0, 900), st.integers(0, 900))
def test_a_wider_window_loses_nobody(
    found: dict[int, Ending], boot: int | None, window: int, more: int
) -> None:
    narrow = find_group(found, boot_s=boot, window_s=window).members
    assert narrow <= find_group(found, boot_s=boot, window_s=window + more).members


@given(CORPORA, BOOTS, st.integers(0, 900), st.randoms(use_true_random=False))
def test_the_order_of_the_files_does_not_matter(
    found: dict[int, Ending], boot: int | None, window: int, random: Random
) -> None:
    shuffled = list(found.items())
    random.shuffle(shuffled)
    assert find_group(dict(shuffled), boot_s=boot, window_s=window) == find_group(
        found, boot_s=boot, window_s=window
    )


@given(CORPORA, TIMES, st.integers(0, 900), TIMES)
def test_what_is_written_after_the_boot_changes_nothing(
    found: dict[int, Ending], boot: int, window: int, late: int
) -> None:
    more = {**found, -1: Ending((boot + late) * NS)}
    assert (
        find_group(more, boot_s=boot, window_s=window).members
        == find_group(found, boot_s=boot, window_s=window).members
    )


@given(CORPORA, BOOTS, st.integers(0, 900))
def test_the_members_are_those_whose_time_the_group_spans(
    found: dict[int, Ending], boot: int | None, window: int
) -> None:
    group = find_group(found, boot_s=boot, window_s=window)
    assert group.members == {key for key, ending in found.items() if group.spans(ending.mtime_ns)}
