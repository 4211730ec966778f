"""Quotes for many references at once: where the bytes stand, their hash, and what they say on one line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import xxhash

from forensics.display import row_text
from forensics.errors import CaseError
from forensics.reading import Evidence, quote_line
from forensics.refs import Ref, parse_ref
from forensics.report.model import Quote

Mask = Callable[[str], str]

# Each batch reads the table of bytes once, and holds so much of it.
_BATCH = 4_096
_BATCH_BYTES = 64 * 1024 * 1024
# So much of a line is masked before a row is cut from it; the end of what was cut off here may hold half a
# secret that no mask would know, and is dropped.
_WIDE = 16_384
_UNSURE = 1_024

_SPANS = """
with wanted as (
    select
        unnest($files) as file_id,
        unnest($generations) as generation,
        unnest($lines) as line_no,
        unnest($parts) as part,
        unnest($places) as place
),
newest as (
    select file_id, max(generation) as generation
    from files_all
    where file_id in (select wanted.file_id from wanted)
    group by file_id
)
select
    wanted.place,
    lines_all.file_id,
    lines_all.generation,
    lines_all.byte_start,
    lines_all.n_bytes,
    lines_all.line_hash
from wanted
join newest on newest.file_id = wanted.file_id
join lines_all
    on lines_all.file_id = wanted.file_id
    and lines_all.generation = coalesce(wanted.generation, newest.generation)
    and lines_all.line_no = wanted.line_no
    and lines_all.part = wanted.part
order by wanted.place, lines_all.byte_start, lines_all.n_bytes desc
"""

_BYTES = """
with wanted as (
    select
        unnest($files) as file_id,
        unnest($generations) as generation,
        unnest($starts) as byte_start,
        unnest($ends) as byte_end,
        unnest($places) as place
)
select
    wanted.place,
    raw_all.byte_start,
    array_slice(
        raw_all.bytes,
        greatest(wanted.byte_start - raw_all.byte_start, 0) + 1,
        least(wanted.byte_end - raw_all.byte_start, octet_length(raw_all.bytes))
    ) as bytes
from wanted
join raw_all
    on raw_all.file_id = wanted.file_id
    and raw_all.generation = wanted.generation
    and raw_all.byte_start < wanted.byte_end
    and raw_all.byte_start + octet_length(raw_all.bytes) > wanted.byte_start
order by wanted.place, raw_all.byte_start
"""


class EvidenceCase(Protocol):
    """The part of a case that evidence is read from."""

    @property
    def absent(self) -> frozenset[str]:
        """The tables this case leaves out."""

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query."""

    def show(self, ref: str, *, roots: Mapping[str, Path]) -> Evidence:
        """The bytes a reference names."""


@dataclass(frozen=True, slots=True)
class _Span:
    file_id: int
    generation: int
    start: int
    size: int
    line_hash: int


@dataclass(frozen=True, slots=True)
class Quoter:
    """Quotes references of a case; `mask` is applied to what is said before anything is cut."""

    case: EvidenceCase
    width: int
    mask: Mask
    roots: Mapping[str, Path]

    def quote(self, refs: Iterable[str]) -> dict[str, Quote]:
        """A quote for each reference, in their order, each reference once."""
        wanted = list(dict.fromkeys(refs))
        quotes: dict[str, Quote] = {}
        for begin in range(0, len(wanted), _BATCH):
            quotes.update(self._quote_batch(wanted[begin : begin + _BATCH]))
        return quotes

    def _quote_batch(self, refs: list[str]) -> dict[str, Quote]:
        places = [parse_ref(ref) for ref in refs]
        spans = self._spans(places)
        quotes = {
            at: self._make(refs[at], places[at], None, None) for at in set(range(len(refs))) - set(spans)
        }
        for batch in _cut_by_size(spans):
            has_raw = "raw" not in self.case.absent
            data = self._from_raw(batch) if has_raw else self._from_roots(refs, batch)
            for at, span in batch.items():
                quotes[at] = self._make(refs[at], places[at], span, data.get(at))
        return {ref: quotes[at] for at, ref in enumerate(refs)}

    def _spans(self, places: list[Ref]) -> dict[int, _Span]:
        lines = [(at, ref) for at, ref in enumerate(places) if ref.line_no is not None]
        if not lines:
            return {}
        rows = self.case.sql(
            _SPANS,
            {
                "files": [_file_id(ref) for _, ref in lines],
                "generations": [ref.generation for _, ref in lines],
                "lines": [ref.line_no for _, ref in lines],
                "parts": [ref.part for _, ref in lines],
                "places": [at for at, _ in lines],
            },
        ).to_pylist()
        return {
            row["place"]: _Span(
                row["file_id"], row["generation"], row["byte_start"], row["n_bytes"], row["line_hash"]
            )
            for row in reversed(rows)
        }

    def _from_raw(self, spans: Mapping[int, _Span]) -> dict[int, bytes]:
        rows: list[dict[str, Any]] = self.case.sql(
            _BYTES,
            {
                "files": [span.file_id for span in spans.values()],
                "generations": [span.generation for span in spans.values()],
                "starts": [span.start for span in spans.values()],
                "ends": [span.start + span.size for span in spans.values()],
                "places": list(spans),
            },
        ).to_pylist()
        found = {at: bytearray() for at in spans}
        for row in rows:
            found[row["place"]] += row["bytes"]
        return {at: bytes(data) for at, data in found.items() if len(data) == spans[at].size}

    def _from_roots(self, refs: list[str], spans: Mapping[int, _Span]) -> dict[int, bytes]:
        found: dict[int, bytes] = {}
        for at in spans:
            try:
                found[at] = self.case.show(refs[at], roots=self.roots).data
            except CaseError:
                # The root is not there, or no longer the same: the place is still named, not quoted.
                continue
        return found

    def _make(self, ref: str, place: Ref, span: _Span | None, data: bytes | None) -> Quote:
        is_whole = data is not None and span is not None and xxhash.xxh3_64_intdigest(data) == span.line_hash
        return Quote(
            ref=self.mask(ref),
            path=self.mask(place.path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")),
            line_no=place.line_no,
            byte_start=None if span is None else span.start,
            n_bytes=None if span is None else span.size,
            sha256=hashlib.sha256(data).hexdigest() if data is not None and is_whole else None,
            is_verified=is_whole,
            text="" if data is None else self._say(data),
        )

    def _say(self, data: bytes) -> str:
        said = quote_line(data, _WIDE)
        masked = self.mask(said)
        if said.endswith("…"):
            masked = masked[: max(0, len(masked) - _UNSURE)] + "…"
        return row_text(masked, self.width)


def _cut_by_size(spans: Mapping[int, _Span]) -> Iterator[dict[int, _Span]]:
    """The spans in groups that fit into memory; one that is larger by itself stands alone."""
    batch: dict[int, _Span] = {}
    size = 0
    for at, span in spans.items():
        if batch and size + span.size > _BATCH_BYTES:
            yield batch
            batch, size = {}, 0
        batch[at] = span
        size += span.size
    if batch:
        yield batch


def _file_id(ref: Ref) -> int:
    path = ref.path.encode("utf-8", "surrogateescape")
    digest = hashlib.sha256(ref.label.encode("ascii") + b"\0" + path).digest()
    return int.from_bytes(digest[:8], "big") >> 1
