"""Choosing from a numbered list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.alive.pick import Pick, apply_pick
from forensics.errors import UsageError


@pytest.mark.parametrize(
    ("selection", "n", "chosen", "dismissed"),
    [
        ("1 3", 3, (1, 3), (2,)),
        ("1-3", 4, (1, 2, 3), (4,)),
        ("all", 2, (1, 2), ()),
        ("none", 2, (), (1, 2)),
        ("", 2, (), ()),
        ("1-2 1 2", 3, (1, 2), (3,)),
        ("3 1", 3, (1, 3), (2,)),
        ("2-2", 2, (2,), (1,)),
        ("  2  ", 2, (2,), (1,)),
        ("none", 0, (), ()),
        ("all", 0, (), ()),
    ],
)
def test_a_selection_chooses_and_dismisses(
    selection: str, n: int, chosen: tuple[int, ...], dismissed: tuple[int, ...]
) -> None:
    assert apply_pick(selection, n) == Pick(chosen, dismissed)


@pytest.mark.parametrize(
    ("selection", "n"),
    [("nope", 3), ("5", 1), ("0", 3), ("3-1", 3), ("1-4", 3), ("1,2", 3), ("all 1", 3), ("-1", 3), ("1", 0)],
)
def test_what_is_not_in_the_list_is_a_wrong_call(selection: str, n: int) -> None:
    with pytest.raises(UsageError) as refused:
        apply_pick(selection, n)
    assert refused.value.exit_code == 2


@given(st.data(), st.integers(1, 40))
def test_chosen_and_dismissed_share_the_list_between_them(data: st.DataObject, n: int) -> None:
    numbers = data.draw(st.lists(st.integers(1, n), min_size=1, max_size=10))
    pick = apply_pick(" ".join(map(str, numbers)), n)
    assert pick.chosen == tuple(sorted(set(numbers)))
    assert sorted((*pick.chosen, *pick.dismissed)) == list(range(1, n + 1))


@given(st.integers(0, 9), st.text("0123456789- alno", max_size=12))
def test_a_selection_is_within_the_list_or_refused(n: int, selection: str) -> None:
    try:
        pick = apply_pick(selection, n)
    except UsageError:
        return
    assert set(pick.chosen) | set(pick.dismissed) <= set(range(1, n + 1))
    assert not set(pick.chosen) & set(pick.dismissed)
