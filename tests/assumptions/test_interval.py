"""How far a share counted in few cases can be trusted."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forensics.assumptions import wilson


@pytest.mark.parametrize(
    ("hits", "tried", "low", "high"),
    [
        (0, 1, 0.0, 0.793),
        (1, 1, 0.207, 1.0),
        (5, 10, 0.237, 0.763),
        (10, 10, 0.722, 1.0),
        (1, 10, 0.018, 0.404),
        (0, 100, 0.0, 0.037),
        (50, 100, 0.404, 0.596),
    ],
)
def test_the_interval_is_that_of_the_tables(hits: int, tried: int, low: float, high: float) -> None:
    interval = wilson(hits, tried)
    assert interval is not None
    assert (round(interval.low, 3), round(interval.high, 3)) == (low, high)


def test_nothing_tried_has_no_interval() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("hits", "tried"), [(-1, 2), (3, 2), (1, 0)])
def test_an_impossible_share_is_refused(hits: int, tried: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(hits, tried)


@given(st.integers(1, 10_000), st.data())
def test_it_holds_the_share_and_is_its_own_mirror(tried: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, tried))
    here, there = wilson(hits, tried), wilson(tried - hits, tried)
    assert here is not None
    assert there is not None
    assert 0 <= here.low <= hits / tried <= here.high <= 1
    assert here.low == pytest.approx(1 - there.high, abs=1e-12)


@given(st.integers(1, 500), st.integers(2, 20), st.data())
def test_more_cases_of_the_same_share_say_more(tried: int, times: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, tried))
    few, many = wilson(hits, tried), wilson(hits * times, tried * times)
    assume(few is not None and many is not None)
    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low
