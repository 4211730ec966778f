"""Which session a word means: an id, the beginning of one, or a title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from forensics.case import Case
from forensics.display import clean_text

_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BY_ID: Final = """
select s.session_id, s.file_id, s.generation, s.label, s.home, s.path, s.last_ts, n.title
from sessions as s
inner join session_names as n using (file_id, generation)
where starts_with(lower(s.session_id), lower($word))
order by s.last_ts desc nulls last, s.label, s.path
"""
_BY_TITLE: Final = """
select s.session_id, s.file_id, s.generation, s.label, s.home, s.path, s.last_ts, n.title
from sessions as s
inner join session_names as n using (file_id, generation)
where starts_with(lower(n.title), $word)
    or exists (
        select 1
        from session_namings as t
        where t.file_id = s.file_id
            and t.generation = s.generation
            and t.rank <= 4
            and starts_with(lower(t.text), $word)
    )
order by s.last_ts desc nulls last, s.label, s.path
"""
_BY_PATH: Final = """
select s.session_id, s.file_id, s.generation, s.label, s.home, s.path, s.last_ts, n.title
from sessions as s
inner join session_names as n using (file_id, generation)
where ends_with('/' || $word, '/' || s.path)
order by s.last_ts desc nulls last, s.label, s.path
"""
_BY_RECORDS: Final = """
select s.session_id, s.file_id, s.generation, s.label, s.home, s.path, s.last_ts, n.title
from sessions as s
inner join session_names as n using (file_id, generation)
where exists (
    select 1
    from lines as l
    where l.file_id = s.file_id and l.generation = s.generation and lower(l.session_id) = $word
)
order by s.last_ts desc nulls last, s.label, s.path
"""


@dataclass(frozen=True, slots=True)
class Match:
    """A main transcript that a word may mean."""

    session_id: str | None
    file_id: int
    generation: int
    label: str
    home: str
    path: str
    last_ts: datetime | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """The transcripts a word means; `how` is id, prefix, title, title_prefix, path or recorded."""

    how: str
    word: str
    matches: tuple[Match, ...]

    @property
    def n_sessions(self) -> int:
        """How many sessions it means: files with one id are one, files without any each their own."""
        return len({match.session_id or match.path for match in self.matches})


def find_sessions(case: Case, word: str) -> Found:
    """The sessions that a word means.

    A whole id wins over a title that reads like the beginning of one, and a whole title over the beginning
    of another. A path or a reference means the session whose file it is. A whole id that no file has as its
    name means the files whose records carry it.
    """
    wanted = clean_text(word)
    if (place := wanted.partition("#")[0].replace("\\", "/")).endswith(".jsonl"):
        if at := _read(case, _BY_PATH, place):
            return Found("path", place, at)
        wanted = place.rpartition("/")[2].removesuffix(".jsonl")
    by_id = _read(case, _BY_ID, wanted) if wanted else ()
    low = wanted.lower()
    if whole := tuple(match for match in by_id if (match.session_id or "").lower() == low):
        return Found("id", wanted, whole)
    by_title = _read(case, _BY_TITLE, low) if wanted else ()
    if whole := tuple(match for match in by_title if (match.title or "").lower() == low):
        return Found("title", wanted, whole)
    if by_id:
        return Found("prefix", wanted, by_id)
    if by_title or _UUID.fullmatch(wanted) is None:
        return Found("title_prefix", wanted, by_title)
    return Found("recorded", wanted, _read(case, _BY_RECORDS, low))


def _read(case: Case, query: str, word: str) -> tuple[Match, ...]:
    return tuple(Match(**row) for row in case.sql(query, {"word": word}).to_pylist())
