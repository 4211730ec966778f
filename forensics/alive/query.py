"""What is asked about who was alive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forensics.alive.shutdown import DEFAULT_WINDOW_S
from forensics.dossier.shellquote import Shell
from forensics.errors import UsageError

DEFAULT_MAX_AGE_DAYS = 7
PREFIX = "cc/"


@dataclass(frozen=True, slots=True)
class Query:
    """The question: everything within the age line, or what a filter or names say.

    `named` are slugs, directories or session ids; they are answers by themselves, so neither age nor a
    person's decision hides them. `last` keeps those alive at the last shutdown, `since_s` those written in
    so many seconds before now. `untraced` takes sessions in, too, that nobody started by name.
    """

    named: tuple[str, ...] = ()
    last: bool = False
    since_s: int | None = None
    lift: bool = False
    untraced: bool = False
    session_id: str | None = None
    window_s: int = DEFAULT_WINDOW_S
    max_age_days: int = DEFAULT_MAX_AGE_DAYS
    boot_s: int | None = None
    roots: tuple[str, ...] = ()
    label: str | None = None
    home: str | None = None
    shell: Shell | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether anything narrows the answer."""
        return self.last or self.since_s is not None or bool(self.named)


def check_query(query: Query) -> None:
    """Nothing, when the question can be asked.

    Raises:
        UsageError: two of its filters exclude each other, or a session is named without its place.
    """
    filters: Sequence[tuple[str, bool]] = (
        ("--last", query.last),
        ("--since", query.since_s is not None),
        ("a name", bool(query.named)),
    )
    used = [name for name, is_used in filters if is_used]
    if len(used) > 1:
        raise UsageError(
            f"{' and '.join(used)} exclude each other", hint="a name is an answer by itself, not a filter"
        )
    if query.session_id is not None and len(query.named) != 1:
        raise UsageError("--session-id needs the one place it belongs to", hint="alive SLUG --session-id ID")
    if query.window_s < 0 or query.max_age_days < 0:
        raise UsageError("a window or an age below zero means nothing", hint="an age of 0 means no limit")
