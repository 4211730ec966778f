"""Who was alive when the machine went down, who still is, and what could be restored and why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forensics.alive.archived import load_patterns
from forensics.alive.facts import Known, Log, read_known
from forensics.alive.gates import Facts, Reason, check_gates
from forensics.alive.kinds import SCRATCH, kind_of
from forensics.alive.look import Look, with_look
from forensics.alive.places import Place, Running, find_running, gather_places
from forensics.alive.query import Query, check_query
from forensics.alive.reasons import REASONS
from forensics.alive.shutdown import Group, find_group
from forensics.case import Case
from forensics.errors import NothingThereError

Ident = tuple[int, int]
_NS = 1_000_000_000
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the answer: a place with the transcript that stands for it, or a transcript left out.

    `reason` is null when it is ready. `unknown` names the checks that nobody could make.
    """

    place: Place
    log: Log | None
    reason: Reason | None
    unknown: tuple[str, ...] = ()
    running: tuple[Running, ...] = ()
    chosen_by: str | None = None
    is_double: bool = False
    is_there: bool | None = None
    group: Group[Ident] | None = None

    @property
    def in_last_group(self) -> bool:
        """Whether it was alive at the last shutdown."""
        return self.group is not None and self.log is not None and self.log.ident in self.group.members


@dataclass(frozen=True, slots=True)
class Alive:
    """The answer; `n_last` is what `--last` would leave ready, by the same function.

    `boot_basis` is given, probed or unknown, for each source.
    """

    ready: tuple[Entry, ...]
    alive: tuple[Entry, ...]
    skipped: tuple[Entry, ...]
    conversations: tuple[Entry, ...]
    groups: Mapping[str, Group[Ident]]
    boot_basis: Mapping[str, str]
    known: Known
    n_last: int

    @property
    def hint(self) -> int | None:
        """How many were alive at the last shutdown, when that is neither none nor all."""
        return self.n_last if 0 < self.n_last < len(self.ready) else None


def find_alive(case: Case, query: Query, *, patterns: Path | None = None, look: Look | None = None) -> Alive:
    """The answer to a question about a case; `look` is what its machine shows now, if that may be asked.

    Raises:
        UsageError: the question contradicts itself.
        NothingThereError: a name means nothing here.
    """
    check_query(query)
    return answer(know(case, patterns=patterns, look=look), query)


def know(case: Case, *, patterns: Path | None = None, look: Look | None = None) -> Known:
    """What a case and a look at its machine tell."""
    known = read_known(case, load_patterns(patterns))
    return known if look is None else with_look(known, look)


def answer(known: Known, query: Query) -> Alive:
    """The answer to a question, from what is known.

    Raises:
        NothingThereError: a name means nothing here.
    """
    places = gather_places(known, query)
    boots = known.boots if query.boot_s is None else dict.fromkeys(_labels(places), query.boot_s)
    groups = find_groups(places, boots, query)
    asker = _Asker(known, places, groups, find_running(places, known, boots))
    entries = asker.ask(query)
    by_last = [] if query.is_filtered else asker.ask(replace(query, last=True))
    given = query.boot_s is not None
    return Alive(
        ready=_sorted(entry for entry in entries if entry.reason is None),
        alive=_sorted(entry for entry in entries if _code(entry) == "alive"),
        skipped=_sorted(entry for entry in entries if _code(entry) not in (None, "alive")),
        conversations=tuple(asker.conversations(query)),
        groups=groups,
        boot_basis={
            label: "given" if given else "probed" if label in boots else "unknown" for label in groups
        },
        known=known,
        n_last=sum(entry.reason is None for entry in by_last),
    )


def _labels(places: Sequence[Place]) -> list[str]:
    return sorted({place.label for place in places})


def _code(entry: Entry) -> str | None:
    return None if entry.reason is None else entry.reason.code


def _sorted(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=_order))


def _order(entry: Entry) -> tuple[bool, int, str, str]:
    """Those alive at the last shutdown first, then the latest."""
    mtime = entry.log.mtime_ns if entry.log is not None and entry.log.mtime_ns is not None else 0
    slug = entry.place.slug.text if entry.place.slug is not None else ""
    return not entry.in_last_group, -mtime, slug, entry.log.ref if entry.log is not None else ""


def find_groups(places: Sequence[Place], boots: Mapping[str, int], query: Query) -> dict[str, Group[Ident]]:
    """Who went down together, for each source: among the candidates alone."""
    groups = {}
    for label in _labels(places):
        endings = {
            log.ident: log.ending
            for place in places
            if place.label == label and not place.is_hub
            for log in place.logs
            if log.mtime_ns is not None and log.has_messages and (query.untraced or place.is_traced(log))
        }
        if label:
            groups[label] = find_group(endings, boot_s=boots.get(label), window_s=query.window_s)
    return groups


@dataclass(frozen=True, slots=True)
class _Asker:
    known: Known
    places: Sequence[Place]
    groups: Mapping[str, Group[Ident]]
    running: Mapping[int, Sequence[Running]]

    def ask(self, query: Query) -> list[Entry]:
        """What the question gives: filters and counts go through here alike.

        Raises:
            NothingThereError: a name means no place.
        """
        chosen = self._named(query)
        return [
            entry
            for number, place in enumerate(self.places)
            if chosen is None or number in chosen
            for entry in self._ask_place(number, place, query)
        ]

    def conversations(self, query: Query) -> list[Entry]:
        """The transcripts of the places that are named, the latest first."""
        chosen = self._named(query)
        return [
            self._entry(number, self.places[number], log, None)
            for number in sorted(chosen or ())
            for log in self.places[number].logs
            if log.has_messages
        ]

    def _named(self, query: Query) -> set[int] | None:
        if not query.named:
            return None
        chosen: set[int] = set()
        for name in query.named:
            found = {number for number, place in enumerate(self.places) if place.answers_to(name)}
            if not found:
                raise NothingThereError(
                    f"nothing here is called {name!r}", hint="a slug, a directory, or a session id"
                )
            chosen |= found
        if query.session_id is not None and not any(
            Place.is_named(log, query.session_id) for n in chosen for log in self.places[n].logs
        ):
            raise NothingThereError(
                f"no session {query.session_id!r} is in that place", hint="alive SLUG --list shows them"
            )
        return chosen

    def _ask_place(self, number: int, place: Place, query: Query) -> list[Entry]:
        if place.is_hub:
            return [self._entry(number, place, log, REASONS["hub"]) for log in place.logs]
        if running := self.running.get(number):
            return self._running(number, place, running)
        left: list[Log] = []
        entries: list[Entry] = []
        for log in place.logs:
            reason = self._kept_out(place, log, query)
            if reason is None and log.has_messages:
                left.append(log)
            elif reason is None:
                entries.append(self._check(number, place, None, stub=log))
            else:
                entries.append(self._entry(number, place, log, reason))
        if left:
            log, chosen_by = self._choose(place, left, query)
            entries.append(replace(self._check(number, place, log), chosen_by=chosen_by))
            entries += [
                self._entry(
                    number, place, other, REASONS["other_file" if other.sid == log.sid else "other_chosen"]
                )
                for other in left
                if other is not log
            ]
        elif not place.logs:
            entries.append(self._check(number, place, None))
        return entries

    def _running(self, number: int, place: Place, running: Sequence[Running]) -> list[Entry]:
        """Those that run: the sessions that do, else the latest transcript stands for the place."""
        sids = {each.process.sid for each in running}
        shown: list[Log | None] = [log for log in place.logs if log.sid in sids]
        shown = shown or [*place.logs[:1]] or [None]
        alive = check_gates(Facts(True, True, None, False, None, True)).gate
        entries = [replace(self._entry(number, place, log, alive), running=tuple(running)) for log in shown]
        rest = [log for log in place.logs if log not in shown]
        return entries + [self._entry(number, place, log, REASONS["other_chosen"]) for log in rest]

    def _kept_out(self, place: Place, log: Log, query: Query) -> Reason | None:
        """Why a transcript is no candidate, or not one that was asked for."""
        if query.session_id is not None and not Place.is_named(log, query.session_id):
            return REASONS["other_chosen"]
        if query.named:
            return None
        if place.path is not None and not query.untraced and not place.is_traced(log):
            return REASONS["no_trace"]
        if place.is_enumerable is False:
            return REASONS["not_enumerable"]
        if log.sid in self.known.dismissed:
            return REASONS["dismissed"]
        if log.archive is not None and not query.lift:
            return REASONS["archived"]
        return self._out_of_time(log, query)

    def _out_of_time(self, log: Log, query: Query) -> Reason | None:
        if log.mtime_ns is None:
            return REASONS["no_mtime"] if query.last or query.since_s is not None else None
        if query.last:
            return None if self.groups[log.label].spans(log.mtime_ns) else REASONS["not_last"]
        if query.since_s is not None:
            return REASONS["not_since"] if self._is_before(log.mtime_ns, query.since_s) else None
        if query.lift or query.max_age_days == 0:
            return None
        return REASONS["too_old"] if self._is_before(log.mtime_ns, query.max_age_days * _DAY_S) else None

    def _is_before(self, mtime_ns: int, seconds: int) -> bool:
        if self.known.as_of is None:
            return False
        return mtime_ns < round(self.known.as_of.timestamp() * 1_000_000) * 1000 - seconds * _NS

    def _choose(self, place: Place, logs: Sequence[Log], query: Query) -> tuple[Log, str]:
        """Which of several transcripts is meant: the one named, that of the stopped pane, or the latest."""
        if query.session_id is not None:
            return logs[0], "named"
        for name in query.named:
            if by_id := [log for log in logs if Place.is_named(log, name)]:
                return by_id[0], "named"
        if place.pane is not None and (in_pane := [log for log in logs if log.sid == place.pane.sid]):
            return in_pane[0], "pane"
        return logs[0], "newest"

    def _check(self, number: int, place: Place, log: Log | None, *, stub: Log | None = None) -> Entry:
        path = place.path
        is_frame = path is not None and kind_of(path) == SCRATCH
        there = None if path is None else self.known.directories.is_there(place.label, path)
        verdict = check_gates(
            Facts(
                is_alive=False if self.known.knows_processes(place.label) else None,
                has_log=log is not None,
                # A place that no transcript records is not known well enough to miss it.
                is_there=True if path is None else there,
                is_frame=is_frame,
                is_empty=self.known.directories.is_empty(path) if path is not None else False,
                records_place=log is not None and log.place is not None,
            )
        )
        entry = self._entry(number, place, log or stub, verdict.gate)
        return replace(entry, unknown=verdict.unknown, is_there=there)

    def _entry(self, number: int, place: Place, log: Log | None, reason: Reason | None) -> Entry:
        group = self.groups.get(place.label)
        in_group = 0 if group is None else sum(each.ident in group.members for each in place.logs)
        pids = {each.process for each in self.running.get(number, ())}
        there = None if place.path is None else self.known.directories.is_there(place.label, place.path)
        return Entry(
            place,
            log,
            reason,
            is_double=in_group > 1 or len(pids) > 1,
            is_there=there,
            group=group,
        )
