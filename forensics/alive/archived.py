"""Whether a session was archived in an app: by a line of its transcript, or by a file beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from forensics.errors import UsageError

PATTERNS_FILE: Final = Path(__file__).with_name("archived.toml")
_FIELDS: Final = {"notice": {"subtype", "pattern", "why"}, "not_a_person": {"pattern", "why"}}


@dataclass(frozen=True, slots=True)
class Patterns:
    """What closes a session in an app, and which requests are no person's."""

    notices: tuple[tuple[str | None, re.Pattern[str]], ...]
    not_a_person: tuple[re.Pattern[str], ...]

    def closes(self, subtype: str | None, text: str) -> bool:
        """Whether a system line says that the session was archived."""
        return any(
            (wanted is None or wanted == subtype) and pattern.search(text) for wanted, pattern in self.notices
        )

    def is_person(self, text: str | None) -> bool:
        """Whether a request may be a person's; one without text in the case is."""
        return text is None or not any(pattern.search(text) for pattern in self.not_a_person)


@dataclass(frozen=True, slots=True)
class Said:
    """A line that bears on it: a notice or a request."""

    position: int
    ts: datetime | None
    text: str | None
    subtype: str | None = None


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What `archived.json` beside a session says."""

    is_archived: bool
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Archive:
    """That a session was closed in an app: when, and by what it shows (`notice` or `sidecar`)."""

    at: datetime | None
    evidence: str


def load_patterns(path: Path | None = None) -> Patterns:
    """The patterns of a file, or the packaged ones.

    Raises:
        UsageError: the file cannot be read, or is not of their shape.
    """
    place = path or PATTERNS_FILE
    try:
        document = tomllib.loads(place.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"no patterns can be read here: {error}", where=str(place)) from error
    try:
        return Patterns(
            tuple((row.get("subtype"), re.compile(row["pattern"])) for row in _rows(document, "notice")),
            tuple(re.compile(row["pattern"]) for row in _rows(document, "not_a_person")),
        )
    except (KeyError, TypeError, re.error) as error:
        raise UsageError(
            f"a pattern is not as it should be: {error}", where=str(place), hint=f"see {PATTERNS_FILE.name}"
        ) from error


def _rows(document: Mapping[str, Any], name: str) -> Iterable[Mapping[str, Any]]:
    rows = document.get(name, [])
    for row in rows:
        if unknown := sorted(set(row) - _FIELDS[name]):
            raise UsageError(f"[[{name}]] knows no {', '.join(unknown)}")
    return list(rows)


def find_archive(
    notices: Sequence[Said], requests: Sequence[Said], sidecar: Sidecar | None, patterns: Patterns
) -> Archive | None:
    """That the session is closed, or None: a person's request after it opens it again.

    A line is later when it stands later in the transcript; against the sidecar only times can be held.
    """
    people = [said for said in requests if patterns.is_person(said.text)]
    closing = [said for said in notices if patterns.closes(said.subtype, said.text or "")]
    if closing:
        last = max(closing, key=lambda said: said.position)
        if not any(said.position > last.position for said in people):
            return Archive(last.ts, "notice")
    if sidecar is not None and sidecar.is_archived:
        at = sidecar.at
        if at is None or not any(said.ts is not None and said.ts > at for said in people):
            return Archive(at, "sidecar")
    return None


def parse_at(text: str | None) -> datetime | None:
    """The time in a sidecar, or None when there is none that can be read."""
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
