"""One session, or one moment in it, that says something about a hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Says = Literal["support", "against", "undecided"]


@dataclass(frozen=True, slots=True)
class Witness:
    """What one place in the evidence says about the hypothesis `about`; `why` is why it decides nothing."""

    about: str
    version: str
    says: Says
    ref: str
    why: str = ""

    def without_version(self) -> Witness:
        """The same witness, deciding nothing: its version cannot be read, so it may lie in no range."""
        return replace(self, says="undecided", why="the version is not recorded")


def judge(about: str, *, version: str, ref: str, holds: bool | None, why: str = "") -> Witness:
    """A witness for a hypothesis when it holds, against it when not; undecided, for a reason, when None."""
    if holds is None:
        return Witness(about, version, "undecided", ref, why)
    return Witness(about, version, "support" if holds else "against", ref)
