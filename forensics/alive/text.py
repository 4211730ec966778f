"""The answer as people read it: what could be restored, what runs, what cannot be and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from forensics.alive.alive import Alive, Entry
from forensics.alive.gates import GATES
from forensics.alive.pick import Pick
from forensics.alive.query import Query
from forensics.alive.record import command_for, detail_of
from forensics.display import display_width, harmless_text, inert_line, row_text
from forensics.dossier.shellquote import default_shell, is_session_id, quote, refuse_option
from forensics.errors import UsageError

TITLE_WIDTH = 42
REQUEST_WIDTH = 70
_NS = 1_000_000_000
# What a person can do something about is told one by one; the rest is counted.
_ONE_BY_ONE = frozenset({*(gate.code for gate in GATES), "archived", "dismissed", "hub"})


def whole(answer: Alive, query: Query, *, zone: tzinfo) -> str:
    """The answer; numbers are those that a pick chooses by."""
    lines = [
        f"could be restored (times in {_zone_name(answer, zone)}):" if answer.ready else "nothing to restore"
    ]
    width = max((display_width(_slug(entry)) for entry in (*answer.ready, *answer.alive)), default=0)
    for number, entry in enumerate(answer.ready, 1):
        lines += _ready(number, entry, answer, query, width=min(width, 40), zone=zone)
    if answer.alive:
        lines += ["", "running, and left alone:"]
        lines += [f"  {_row(entry, min(width, 40), zone)}" for entry in answer.alive]
    if answer.skipped:
        lines += ["", "not restored:", *_skipped(answer)]
    return "\n".join(map(inert_line, lines))


def _ready(
    number: int, entry: Entry, answer: Alive, query: Query, *, width: int, zone: tzinfo
) -> Iterator[str]:
    yield f"{number:4}) {_row(entry, width, zone)}"
    indent = " " * (width + 8)
    if entry.log is not None and entry.log.last_request:
        yield f"{indent}{row_text(entry.log.last_request, REQUEST_WIDTH)}"
    warnings = [text for text, holds in _warnings(entry) if holds]
    if warnings:
        yield f"{indent}({'; '.join(warnings)})"
    command = command_for(entry, answer.known, query)
    yield f"{indent}{command}" if command else f"{indent}(no command: {_why_none(entry)})"


def _why_none(entry: Entry) -> str:
    if entry.log is not None and not is_session_id(entry.log.session_id):
        return "its id has not the shape of a session id"
    return "this shell cannot say its directory"


def _warnings(entry: Entry) -> tuple[tuple[str, bool], ...]:
    log = entry.log
    return (
        ("starts to work at once: its last turn was not answered", log is not None and log.is_pending),
        ("another conversation of this place was alive too", entry.is_double),
        ("its modification time cannot be believed", log is not None and log.mtime_suspect is not None),
        ("nobody looked whether its directory is there", "no_dir" in entry.unknown),
    )


def _row(entry: Entry, width: int, zone: tzinfo) -> str:
    slug = row_text(_slug(entry), width)
    log = entry.log
    parts = [slug + " " * (width - display_width(slug)), _when(log.mtime_ns if log else None, zone)]
    if log is not None:
        parts += [harmless_text(log.session_id), row_text(log.title or "", TITLE_WIDTH)]
    return "  ".join(parts).rstrip()


def _slug(entry: Entry) -> str:
    if entry.place.slug is not None:
        return harmless_text(entry.place.slug.text)
    return harmless_text(entry.log.project_key) if entry.log is not None else ""


def _when(mtime_ns: int | None, zone: tzinfo) -> str:
    if mtime_ns is None:
        return "????-??-?? ??:??"
    return datetime.fromtimestamp(mtime_ns // _NS, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")


def _zone_name(answer: Alive, zone: tzinfo) -> str:
    at = answer.ready[0].log.mtime_ns if answer.ready and answer.ready[0].log is not None else None
    moment = datetime.fromtimestamp((at or 0) // _NS, UTC).astimezone(zone)
    return moment.tzname() or moment.strftime("%z")


def _skipped(answer: Alive) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for entry in answer.skipped:
        assert entry.reason is not None
        if entry.reason.code not in _ONE_BY_ONE or (entry.log is None and entry.place.path is None):
            counts[entry.reason.text] += 1
            continue
        detail = detail_of(entry, answer.known)
        told = f"{entry.reason.text} ({row_text(detail, REQUEST_WIDTH)})" if detail else entry.reason.text
        yield f"  {row_text(_slug(entry), 40)}  {told}{_way_back(entry)}"
    for text, n in sorted(counts.items()):
        yield f"  {n:,} more: {text}"


def _way_back(entry: Entry) -> str:
    if entry.reason is None or entry.reason.code not in {"archived", "dismissed"}:
        return ""
    name = entry.place.slug.text if entry.place.slug is not None else _slug(entry)
    try:
        refuse_option(name)
        word = quote(name, default_shell(entry.place.path))
    except UsageError:
        return ""
    return f"; by name it comes back: forensics alive {word}"


def conversations(answer: Alive, *, zone: tzinfo) -> str:
    """Every conversation of the places that were named, the latest first."""
    lines = []
    for place in dict.fromkeys(id(entry.place) for entry in answer.conversations):
        entries = [entry for entry in answer.conversations if id(entry.place) == place]
        lines.append(f"{_slug(entries[0])}  {row_text(entries[0].place.path or '', 1000)}")
        for entry in entries:
            assert entry.log is not None
            title = row_text(entry.log.title or "", TITLE_WIDTH)
            ident = harmless_text(entry.log.session_id)
            lines.append(f"  {ident}  {_when(entry.log.mtime_ns, zone)}  {title}".rstrip())
    return "\n".join(map(inert_line, lines)) or "no conversation"


def picked(answer: Alive, query: Query, pick: Pick) -> str:
    """The commands of those chosen, and the lines by which the others would count as finished."""
    if not pick.chosen and not pick.dismissed:
        return "nothing was decided"
    lines = []
    for number in pick.chosen:
        entry = answer.ready[number - 1]
        lines.append(
            command_for(entry, answer.known, query) or f"# {_slug(entry)}: no command: {_why_none(entry)}"
        )
    if pick.dismissed:
        lines.append("# not chosen: with these lines in the list of dismissed sessions they stay hidden")
        lines += [f"# {_dismissal(answer.ready[number - 1])}" for number in pick.dismissed]
    return "\n".join(map(inert_line, lines))


def _dismissal(entry: Entry) -> str:
    assert entry.log is not None
    return f"{harmless_text(entry.log.session_id)}\t{row_text(entry.place.path or '', 1000)}"


def notes(answer: Alive, query: Query, *, zone: tzinfo) -> Iterator[str]:
    """What is said beside the answer: how far it can be believed, and what nobody looked at."""
    yield from map(inert_line, _notes(answer, query, zone))


def _notes(answer: Alive, query: Query, zone: tzinfo) -> Iterator[str]:
    used = query.last or answer.hint is not None
    if used and "unknown" in answer.boot_basis.values():
        yield "warning: nobody knows when the machine booted (--boot): the newest time counts as its end"
    if query.last:
        yield from _groups(answer, zone)
    if answer.hint is not None:
        yield f"alive at the last shutdown only: {answer.hint:,} (forensics alive --last)"
    entries = (*answer.ready, *answer.alive, *answer.skipped)
    logs = {entry.log.ident: entry.log for entry in entries if entry.log is not None}
    n_suspect = sum(log.mtime_suspect is not None for log in logs.values())
    if n_suspect:
        yield (
            f"note: {n_suspect:,} of {len(logs):,} modification times cannot be believed"
            " (forensics findings suspect_mtime)"
        )
    homes = {(log.label, log.home) for log in logs.values()}
    if len(homes) > len({label for label, _ in homes}):
        yield "note: several homes of one source count as one machine; --home narrows it"
    if answer.known.n_stale:
        yield f"note: of {answer.known.n_stale:,} dismissed sessions no transcript is here any more"
    if not answer.known.has_text:
        yield "note: this case keeps no prose: that a session was archived shows by its side file alone"
    yield from _not_looked(answer.ready)


def _groups(answer: Alive, zone: tzinfo) -> Iterator[str]:
    for label, group in answer.groups.items():
        if group.t_last_ns is None:
            yield f"{label}: no candidate was written before that"
            continue
        first = group.t_last_ns - round(group.spread_s * _NS)
        yield (
            f"{label}: {len(group.members):,} alive at the last shutdown, written within"
            f" {group.spread_s:.0f} s from {_when(first, zone)};"
            f" boot {answer.boot_basis[label]}; {group.quality}{_idle(group.long_idle_share)}"
        )


def _idle(share: float | None) -> str:
    return f"; {share:.0%} of them silent for over an hour" if share else ""


def _not_looked(ready: Sequence[Entry]) -> Iterator[str]:
    ways = {
        "alive": "which sessions run: forensics probe, or convert --with registry=DIR",
        "no_dir": "whether directories are there: forensics probe, or convert --with listing=FILE",
        "frame_empty_moved": "whether scratch directories are empty: convert --with listing=FILE",
    }
    missing = {code for entry in ready for code in entry.unknown}
    for code, way in ways.items():
        if code in missing:
            yield f"note: nobody looked {way}"
