"""The places a session could be restored to, each with the transcripts that belong to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from forensics.alive import kinds
from forensics.alive.facts import Known, Log, Mark, Pane, Process
from forensics.alive.kinds import Slug
from forensics.alive.query import PREFIX, Query
from forensics.keys import encode, load_rules
from forensics.paths import canonical_guess, is_inside, worktree_guess
from forensics.sources.claude_code.marks import hash_text


@dataclass(frozen=True, slots=True)
class Place:
    """A directory with its transcripts, the latest first; `path` is null when none of them records it.

    `label` is empty for a place that only outside facts name. `pane` is a stopped pane of tmux in it.
    """

    label: str
    path: str | None
    kind: int | None
    slug: Slug | None
    generation: str | None
    logs: tuple[Log, ...]
    traces: Mapping[tuple[int, int], str]
    pane: Pane | None
    mark: Mark | None
    is_hub: bool
    is_enumerable: bool | None

    def is_traced(self, log: Log) -> bool:
        """Whether a transcript of this place is a candidate: only an ordinary directory needs the trace."""
        if self.kind != kinds.REPOSITORY:
            return self.kind is not None
        return self.traces[log.ident] == "exact"

    def answers_to(self, name: str) -> bool:
        """Whether the place or a transcript of it is meant by a name: slug, directory, session id."""
        if self.slug is not None and (name == self.slug.text or name in self.slug.forms):
            return True
        if self.path is not None and canonical_guess(name) == canonical_guess(self.path):
            return True
        return any(self.is_named(log, name) for log in self.logs)

    @staticmethod
    def is_named(log: Log, name: str) -> bool:
        """Whether a name is the session id or, with eight digits or more, the beginning of it."""
        return len(name) >= 8 and log.sid.startswith(name.lower())


@cache
def keys_of(path: str) -> frozenset[str]:
    """The keys that a directory has under any rule of the agent."""
    rules = [rule for rule in load_rules().rules if rule.kind == "tool"]
    return frozenset(key for rule in rules if (key := encode(path, rule)) is not None)


def gather_places(known: Known, query: Query) -> tuple[Place, ...]:
    """Every place, those that only a listing, a pane or the question names too."""
    logs = [log for log in known.logs if _is_asked(log, query)]
    by_place: dict[tuple[str, str], list[Log]] = defaultdict(list)
    strays: list[Log] = []
    for log in logs:
        if log.place is None:
            strays.append(log)
        else:
            by_place[log.label, canonical_guess(log.place)].append(log)
    paths = {key: max(found, key=_newness).place or "" for key, found in by_place.items()}
    for path in _outside_paths(known, query, logs):
        labels = {label for label, canonical in by_place if canonical == canonical_guess(path)}
        taken = [log for log in strays if log.project_key in keys_of(path)]
        for log in taken:
            by_place[log.label, canonical_guess(path)].append(log)
            paths.setdefault((log.label, canonical_guess(path)), path)
        strays = [log for log in strays if log not in taken]
        if not labels and not taken:
            by_place["", canonical_guess(path)] = []
            paths["", canonical_guess(path)] = path
    ambiguous = kinds.ambiguous_names(paths.values())
    found = [
        _place(key[0], paths[key], by_place[key], known=known, query=query, ambiguous=ambiguous)
        for key in sorted(by_place)
    ]
    return (*found, *(_stray(log) for log in strays))


def _is_asked(log: Log, query: Query) -> bool:
    return query.label in (None, log.label) and query.home in (None, log.home)


def _newness(log: Log) -> tuple[int, str]:
    return log.mtime_ns or 0, log.ref


def _outside_paths(known: Known, query: Query, logs: Sequence[Log]) -> list[str]:
    """Directories that facts from outside or the question name: frames, worktrees, panes, absolute names."""
    by_sid = {log.sid: log.place for log in logs if log.place is not None}
    listed = [p for p in known.directories.listed if kinds.kind_of(p) in (kinds.SCRATCH, kinds.WORKTREE)]
    panes = [
        pane.cwd
        for pane in known.panes
        if pane.session.startswith(PREFIX) and pane.is_stopped and pane.cwd and pane.sid not in by_sid
    ]
    named = [name for name in query.named if "/" in name or "\\" in name]
    return list(dict.fromkeys([*listed, *panes, *named]))


def _place(
    label: str, path: str, logs: Sequence[Log], *, known: Known, query: Query, ambiguous: frozenset[str]
) -> Place:
    ordered = tuple(sorted(logs, key=_newness, reverse=True))
    pane = _stopped_pane(path, ordered, known.panes)
    mark = _mark_of(label, path, known.marks)
    slug = _slug(path, pane, mark, ambiguous)
    hashed = [(form, hash_text(form)) for form in sorted({*slug.forms, slug.text})]
    traces = {log.ident: kinds.trace_of(log.first_line_type, log.first_title_hash, hashed) for log in ordered}
    return Place(
        label=label,
        path=path,
        kind=kinds.PANE if pane is not None else kinds.kind_of(path),
        slug=slug,
        generation=kinds.generation_of(slug.text),
        logs=ordered,
        traces=traces,
        pane=pane,
        mark=mark,
        is_hub=kinds.is_hub(path) or slug.text == kinds.HUB,
        is_enumerable=kinds.is_enumerable(path, query.roots),
    )


def _stray(log: Log) -> Place:
    return Place(
        label=log.label,
        path=None,
        kind=None,
        slug=None,
        generation=None,
        logs=(log,),
        traces={log.ident: "none"},
        pane=None,
        mark=None,
        is_hub=False,
        is_enumerable=None,
    )


def _slug(path: str, pane: Pane | None, mark: Mark | None, ambiguous: frozenset[str]) -> Slug:
    slug = kinds.slug_of(path, ambiguous=ambiguous)
    if pane is not None:
        return Slug(pane.session.removeprefix(PREFIX), "tmux", slug.forms)
    if mark is not None and mark.slug is not None:
        return Slug(mark.slug, "mark", slug.forms)
    return slug


def _stopped_pane(path: str, logs: Sequence[Log], panes: Iterable[Pane]) -> Pane | None:
    """The stopped pane of this place: one whose session is here wins over one that only stands here."""
    stopped = [pane for pane in panes if pane.session.startswith(PREFIX) and pane.is_stopped]
    here = {log.sid for log in logs}
    by_session = next((pane for pane in stopped if pane.sid is not None and pane.sid in here), None)
    if by_session is not None:
        return by_session
    at = canonical_guess(path)
    return next((pane for pane in stopped if pane.cwd and canonical_guess(pane.cwd) == at), None)


def _mark_of(label: str, path: str, marks: Iterable[Mark]) -> Mark | None:
    """The mark that stands in a frame; the evidence knows only where below its root."""
    parts = tuple(kinds.parts_of(path))
    if kinds.kind_of(path) != kinds.SCRATCH:
        return None
    return next(
        (m for m in marks if m.label == label and len(m.folder) > 1 and parts[-2:] == m.folder[-2:]), None
    )


@dataclass(frozen=True, slots=True)
class Running:
    """A process of a place that is alive, and how that is known: `session`, `place` or `pane`."""

    process: Process | Pane
    by: str


def find_running(places: Sequence[Place], known: Known, boots: Mapping[str, int]) -> dict[int, list[Running]]:
    """The live processes of each place, by its number among the places.

    Names say nothing: a process belongs to the place of its session, and to the deepest place around its
    directory; a worktree inside a repository is no part of it. One that started before its machine is gone.
    """
    found: dict[int, list[Running]] = defaultdict(list)
    by_sid: dict[str, set[int]] = defaultdict(set)
    for number, place in enumerate(places):
        for log in place.logs:
            by_sid[log.sid].add(number)
    panes = [pane for pane in known.panes if pane.session.startswith(PREFIX) and not pane.is_stopped]
    processes: list[Process | Pane] = [*known.processes, *panes]
    for process in processes:
        owners = {n for n in by_sid.get(process.sid or "", ()) if _may_be(process, places[n], boots)}
        for number in sorted(owners):
            found[number].append(Running(process, "session"))
        around = _deepest(process, process.cwd, places, boots) if process.cwd else None
        if around is not None and around not in owners:
            found[around].append(Running(process, "pane" if isinstance(process, Pane) else "place"))
    return found


def _may_be(process: Process | Pane, place: Place, boots: Mapping[str, int]) -> bool:
    """Whether a process may be one of this place: of its machine, and no older than its boot."""
    if isinstance(process, Pane):
        return True
    if process.label and place.label and process.label != place.label:
        return False
    boot_s = boots.get(place.label)
    return boot_s is None or process.started_at_ms is None or process.started_at_ms >= boot_s * 1000


def _deepest(
    process: Process | Pane, cwd: str, places: Sequence[Place], boots: Mapping[str, int]
) -> int | None:
    worktree = worktree_guess(cwd)
    fitting = [
        (len(canonical_guess(place.path)), -number)
        for number, place in enumerate(places)
        if place.path is not None and is_inside(cwd, place.path)
    ]
    if not fitting:
        return None
    number = -max(fitting)[1]
    place = places[number]
    assert place.path is not None
    if worktree is not None and not is_inside(place.path, worktree.path):
        return None
    return number if _may_be(process, place, boots) else None
