"""How far a share that was counted in few cases can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

# The 97.5th percentile of the normal distribution: 2.5 % are left out on either side.
_Z: Final = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of a share, from `low` to `high`, both within 0 and 1."""

    low: float
    high: float


def wilson(n_hits: int, n_tried: int) -> Interval | None:
    """The 95 % interval of a share; None when nothing was tried.

    Raises: ValueError when the counts are impossible.
    Source: Wilson's score interval (1927), without continuity correction.
    """
    if not 0 <= n_hits <= n_tried:
        raise ValueError(f"{n_hits} of {n_tried} is no share")
    if n_tried == 0:
        return None
    share, square = n_hits / n_tried, _Z * _Z
    middle = (share + square / (2 * n_tried)) / (1 + square / n_tried)
    half = _Z * sqrt(share * (1 - share) / n_tried + square / (4 * n_tried**2)) / (1 + square / n_tried)
    # At the ends the formula gives 0 and 1 exactly, but for rounding.
    return Interval(0.0 if n_hits == 0 else middle - half, 1.0 if n_hits == n_tried else middle + half)
