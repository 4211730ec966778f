"""Who a session is to a person: its title with source and history, its requests, and a label of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from forensics.case import Case
from forensics.display import row_text
from forensics.dossier.places import References

TITLE_WIDTH = 42
REQUEST_WIDTH = 58
UNNAMED = "(no title, no request)"

_NAMES = "select * exclude (title_ref, last_request_ref), title_ref, last_request_ref from session_names"
_HISTORY = """
select n.source, n.rank, n.text, n.is_meaningful, n.ref
from session_namings as n
where n.file_id = $file_id and n.generation = $generation
order by n.source = 'custom-title-file', n.position, n.rank
"""
_CLASSES = """
select l.prompt_class, count(*) as n
from lines as l
where l.file_id = $file_id and l.generation = $generation and l.prompt_class is not null
group by l.prompt_class
order by n desc, l.prompt_class
"""


@dataclass(frozen=True, slots=True)
class Naming:
    """One line that names a session."""

    text: str
    source: str
    is_meaningful: bool
    ref: str


@dataclass(frozen=True, slots=True)
class Identity:
    """How a person would know a session.

    `title` is the first of the chain that says anything: what a person chose, what an agent chose, the last
    prompt, a summary of this very file, the first request. It is for display; it never identifies.
    """

    title: str | None
    title_source: str | None
    title_ref: str | None
    first_title: str | None
    n_titles: int
    named_at_line: int | None
    first_request: str | None
    last_request: str | None
    last_request_ts: datetime | None
    last_request_ref: str | None
    history: tuple[Naming, ...] = ()
    prompt_classes: Mapping[str, int] | None = None

    @property
    def label(self) -> str:
        """The title as one row of a list."""
        return row_text(self.title or "", TITLE_WIDTH) or UNNAMED


def read_identity(case: Case, references: References, *, file_id: int, generation: int) -> Identity:
    """The identity of one session, with every line that named it and every kind of prompt in it."""
    values = {"file_id": file_id, "generation": generation}
    rows = case.sql(f"{_NAMES} where file_id = $file_id and generation = $generation", values).to_pylist()
    history = tuple(
        Naming(row["text"], row["source"], row["is_meaningful"], references.text(row["ref"]))
        for row in case.sql(_HISTORY, values).to_pylist()
    )
    classes = {row["prompt_class"]: row["n"] for row in case.sql(_CLASSES, values).to_pylist()}
    return _identity(rows[0], references, history, classes)


def _identity(
    row: Mapping[str, Any],
    references: References,
    history: tuple[Naming, ...],
    classes: Mapping[str, int],
) -> Identity:
    return Identity(
        title=row["title"],
        title_source=row["title_source"],
        title_ref=references.maybe(row["title_ref"]),
        first_title=row["first_title"],
        n_titles=row["n_titles"],
        named_at_line=row["named_at_line"],
        first_request=row["first_request"],
        last_request=row["last_request"],
        last_request_ts=row["last_request_ts"],
        last_request_ref=references.maybe(row["last_request_ref"]),
        history=history,
        prompt_classes=classes,
    )


def unique_labels(titles: Iterable[str | None], *, width: int = TITLE_WIDTH) -> Sequence[str]:
    """A row for each title, in order; equal ones are told apart by ` · #2` and so on.

    Units: `width` in terminal columns; the mark is part of it.
    """
    given: set[str] = set()
    counts: dict[str, int] = {}
    labels = []
    for title in titles:
        base = row_text(title or "", width)
        whole = (title or "") if base else UNNAMED
        base = label = base or UNNAMED
        while label in given:
            counts[base] = counts.get(base, 1) + 1
            mark = f" · #{counts[base]}"
            label = f"{row_text(whole, width - len(mark))}{mark}"
        given.add(label)
        labels.append(label)
    return labels
