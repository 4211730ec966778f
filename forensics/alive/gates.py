"""Why a session cannot be restored: five checks in order, the first that fails gives the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is not ready, in English and in Japanese, as the tool that knew these checks says it."""

    code: str
    text: str
    text_ja: str


GATES: Final[tuple[Reason, ...]] = (
    Reason("alive", "it is running", "生きているので触りません"),
    Reason("no_log", "there is no conversation log", "会話ログがありません"),
    Reason("no_dir", "the working directory is not there", "作業ディレクトリがありません"),
    Reason(
        "frame_empty_moved",
        "the conversation moved elsewhere and its frame is empty",
        "会話が別の場所へ移り、枠は空です",
    ),
    Reason("cwd_mismatch", "the log records another working directory", "会話ログの cwd が違います"),
)
_BY_CODE: Final[Mapping[str, Reason]] = {reason.code: reason for reason in GATES}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the checks look at; null means that nobody looked, which is not a no.

    `is_frame` is true of a scratch directory: it is made again when it is missing, and an empty one was left.
    """

    is_alive: bool | None
    has_log: bool
    is_there: bool | None
    is_frame: bool
    is_empty: bool | None
    records_place: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first check that failed, or none; `unknown` names those that could not be made."""

    gate: Reason | None
    unknown: tuple[str, ...]


def check_gates(facts: Facts) -> Verdict:
    """What the five checks say about one session."""
    outcomes = (
        ("alive", facts.is_alive),
        ("no_log", not facts.has_log),
        ("no_dir", False if facts.is_frame else _negate(facts.is_there)),
        ("frame_empty_moved", _was_left(facts)),
        ("cwd_mismatch", not facts.records_place),
    )
    for code, has_failed in outcomes:
        if has_failed:
            return Verdict(_BY_CODE[code], ())
    return Verdict(None, tuple(code for code, has_failed in outcomes if has_failed is None))


def _was_left(facts: Facts) -> bool | None:
    """Whether a frame stands empty; one that is missing is not empty."""
    if not facts.is_frame or facts.is_there is False:
        return False
    return facts.is_empty


def _negate(value: bool | None) -> bool | None:
    return None if value is None else not value
