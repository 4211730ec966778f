"""What can be wrong with a case."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Something about a case that is not as it was made."""

    where: str
    what: str
