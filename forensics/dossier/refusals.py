"""Refusals of a resume that stand in the evidence: the words of the command line in what a tool gave back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from forensics.case import Case
from forensics.dossier.lookups import load_facts
from forensics.dossier.places import References

_FROM_TEXT: Final = """
select r.refusal, r.asked_id, r.cwd, r.agent_version, r.ts,
    line_ref(r.file_id, r.generation, r.line_no, r.part) as ref
from refused_resumes as r
where $asked_id is null or r.asked_id = $asked_id
order by r.ts nulls last, r.file_id, r.line_no, r.part, r.ord
"""
_FROM_RAW: Final = """
with
chunks as (
    select r.file_id, r.generation, r.byte_start, r.byte_start + octet_length(r.bytes) as byte_end
    from raw as r
    where regexp_matches(r.bytes::varchar, $pattern)
)

select distinct l.file_id, l.line_no, l.part, l.cwd, l.agent_version, l.ts,
    line_ref(l.file_id, l.generation, l.line_no, l.part) as ref
from lines as l
inner join chunks as c
    on l.file_id = c.file_id
    and l.generation = c.generation
    and l.byte_start < c.byte_end
    and l.byte_start + l.n_bytes > c.byte_start
where l.n_tool_result > 0
order by l.ts nulls last, l.file_id, l.line_no, l.part
"""
_NOT_FOUND_ID: Final = re.compile(r"session ID: *([0-9A-Za-z_-]+)")
_ID_BEFORE: Final = re.compile(r"([0-9a-fA-F]{8}-[0-9a-fA-F-]{27})[^\n]{0,80}$")


@dataclass(frozen=True, slots=True)
class Met:
    """One refusal that was met: which, for which id, where and when.

    `cwd` and `agent_version` are those of the session whose tool met it, not always those of the refusal.
    """

    refusal: str
    asked_id: str | None
    cwd: str | None
    agent_version: str | None
    ts: datetime | None
    ref: str


def read_refusals(
    case: Case, references: References, *, session_id: str | None = None, deep: bool = False
) -> tuple[Met, ...]:
    """Refusals that tools met, of one session or of any; `deep` reads all their results in `raw` too."""
    found = [
        Met(**{**row, "ref": references.text(row["ref"])})
        for row in case.sql(_FROM_TEXT, {"asked_id": session_id}).to_pylist()
    ]
    if deep and "raw" not in case.absent:
        known = {(met.ref, met.refusal) for met in found}
        found += [
            met
            for met in _read_raw(case, references)
            if (met.ref, met.refusal) not in known and session_id in (None, met.asked_id)
        ]
    return tuple(found)


def _read_raw(case: Case, references: References) -> Iterator[Met]:
    for row in case.sql(_FROM_RAW, {"pattern": _pattern()}).to_pylist():
        ref = references.text(row["ref"])
        for text in _results_in(case.show(ref).data):
            for refusal, asked_id in refusals_in(text):
                yield Met(refusal, asked_id, row["cwd"], row["agent_version"], row["ts"], ref)


def refusals_in(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each refusal whose words stand in a text, with the id it names or None."""
    for refusal in load_facts().refusals:
        at = text.find(refusal.text)
        if at < 0:
            continue
        id_ = _NOT_FOUND_ID.search(text, at) if refusal.name == "not_found" else _ID_BEFORE.search(text[:at])
        yield refusal.name, id_[1] if id_ else None


def _pattern() -> str:
    """A pattern of the refusals' words, also where a chunk's edge cuts them: then one half is long enough."""
    parts: list[str] = []
    for refusal in load_facts().refusals:
        text, half = refusal.text, len(refusal.text) // 2
        parts.append(re.escape(text))
        parts += [f"^{re.escape(text[-size:])}" for size in range(half, len(text))]
        parts += [f"{re.escape(text[:size])}$" for size in range(half, len(text))]
    return "|".join(parts)


def _results_in(line: bytes) -> Iterator[str]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return
    message = record.get("message") if isinstance(record, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield from _texts_of(block.get("content"))


def _texts_of(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, Mapping) and isinstance(part.get("text"), str):
                yield part["text"]
