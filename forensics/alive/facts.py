"""What a case knows that bears on who was alive: transcripts, processes, panes, directories, decisions."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from forensics.alive.archived import Archive, Patterns, Said, Sidecar, find_archive, parse_at
from forensics.alive.kinds import parts_of
from forensics.alive.shutdown import Ending
from forensics.case import Case
from forensics.dossier.places import References
from forensics.paths import canonical_guess

_LOGS = """
select s.file_id, s.generation, s.label, s.home, s.project_key, s.session_id, s.path,
    s.n_user + s.n_assistant > 0 as has_messages,
    e.mtime_ns, e.last_content_ts, e.idle_gap_s, e.tail_types, e.has_untimed_tail,
    p.resume_cwd, p.how, p.last_recorded_cwd, f.first_line_type, f.first_title_hash,
    t.text as first_line_title, n.title, n.last_request, coalesce(w.is_pending, false) as is_pending
from sessions as s
inner join session_ends as e using (file_id, generation)
inner join resume_places as p using (file_id, generation)
inner join session_first_lines as f using (file_id, generation)
inner join session_names as n using (file_id, generation)
left join session_last_words as w using (file_id, generation)
left join "text" as t
    on s.file_id = t.file_id and s.generation = t.generation and t.line_no = 1 and t.part = 0
    and t.kind = 'title' and t.ord = 0
where s.project_key is not null and s.session_id is not null
order by s.label, s.path
"""
_SIDECARS = """
select f.label, f.home, f.project_key, f.session_id_by_name as session_id,
    max(m.value) filter (where m.name = 'archived') as archived,
    max(m.value) filter (where m.name = 'at') as at
from marks as m
inner join files as f using (file_id, generation)
where m.kind = 'archived' and m.name in ('archived', 'at')
group by f.label, f.home, f.project_key, f.session_id_by_name
"""
_NOTICES = """
select r.file_id, r.position, r.ts, t.text, r.subtype
from "text" as t
inner join records as r using (file_id, generation, line_no, part)
where t.kind = 'notice' and r.type = 'system'
order by r.file_id, r.position
"""
_REQUESTS = """
select r.file_id, r.position, r.ts, t.text
from records as r
left join "text" as t
    on r.file_id = t.file_id and r.generation = t.generation and r.line_no = t.line_no
    and r.part = t.part and t.kind = 'human' and t.ord = 0
where r.is_human_prompt and r.chain = 'main' and r.role = 'main'
    and r.file_id in (select unnest($closed::bigint[]))
order by r.file_id, r.position
"""
_MARKS = """
select f.label, f.path, r.bytes
from files as f
inner join raw as r using (file_id, generation)
where (f.path = '.ccs.json' or ends_with(f.path, '/.ccs.json')) and r.byte_start = 0 and f.size_bytes <= 65536
order by f.label, f.path
"""
_PROCESSES = """
select source_label, pid, session_id, cwd, started_at_ms, tmux from live_processes
order by source_label, pid, session_id, cwd
"""
_PANES = """
select tmux_session, cwd, session_id, is_stopped from with_tmux
where tmux_session is not null order by file, line_no
"""
_LISTING = """
select path, "exists" as is_there, n_entries from with_listing where path is not null order by file, line_no
"""
_PROBED = """
select label, path, "exists" as is_there from probe_paths where "exists" is not null order by label, path
"""
_HOSTS = """
select label, name, value from probe_host where name in ('projects_real_path', 'boot_time_s')
order by label, name, value
"""
_DISMISSED = """
select session_id, line_no, bool_or(n_after > 0) as is_revived from dismissals
group by session_id, line_no order by session_id
"""


@dataclass(frozen=True, slots=True)
class Log:
    """A main transcript under a key; `place` is its directory when that gives the key, else null."""

    ident: tuple[int, int]
    label: str
    home: str
    project_key: str
    session_id: str
    ref: str
    place: str | None
    last_recorded_cwd: str | None
    has_messages: bool
    mtime_ns: int | None
    last_content_ts: datetime | None
    ending: Ending
    tail_types: tuple[str, ...]
    first_line_type: str | None
    first_title_hash: str | None
    first_line_title: str | None
    title: str | None
    last_request: str | None
    is_pending: bool
    archive: Archive | None
    mtime_suspect: str | None

    @property
    def sid(self) -> str:
        """The session id as it is compared."""
        return self.session_id.lower()


@dataclass(frozen=True, slots=True)
class Process:
    """A process of a session; `label` is empty when it is not told whose machine it ran on."""

    label: str
    pid: int | None
    sid: str
    cwd: str
    started_at_ms: int | None
    tmux: str | None = None


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane of tmux."""

    session: str
    cwd: str | None
    sid: str | None
    is_stopped: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A `.ccs.json` that the evidence holds: where, and the slug and session it was issued with."""

    label: str
    folder: tuple[str, ...]
    slug: str | None
    session_id: str | None


@dataclass(frozen=True, slots=True)
class Directories:
    """What is known of directories: from a listing first, then from a probe of the source's machine."""

    listed: Mapping[str, tuple[bool, int | None]] = field(default_factory=dict)
    filled: frozenset[str] = frozenset()
    probed: Mapping[tuple[str, str], bool] = field(default_factory=dict)

    def is_there(self, label: str, path: str) -> bool | None:
        """Whether the directory exists; null when nobody looked."""
        canonical = canonical_guess(path)
        if canonical in self.listed:
            return self.listed[canonical][0]
        return True if canonical in self.filled else self.probed.get((label, canonical))

    def is_empty(self, path: str) -> bool | None:
        """Whether nothing lies in it; null when nobody counted."""
        canonical = canonical_guess(path)
        if canonical in self.filled:
            return False
        n_entries = self.listed.get(canonical, (False, None))[1]
        return None if n_entries is None else n_entries == 0


@dataclass(frozen=True, slots=True)
class Known:
    """Everything that bears on who was alive, as a case holds it."""

    as_of: datetime | None
    logs: tuple[Log, ...]
    processes: tuple[Process, ...]
    panes: tuple[Pane, ...]
    marks: tuple[Mark, ...]
    directories: Directories
    dismissed: Mapping[str, bool]
    boots: Mapping[str, int]
    projects: Mapping[str, tuple[str, ...]]
    has_registry: frozenset[str]
    given: frozenset[str]
    n_stale: int
    has_text: bool

    def knows_processes(self, label: str) -> bool:
        """Whether somebody looked which sessions of a source were running."""
        return "registry" in self.given or label in self.has_registry


def read_known(case: Case, patterns: Patterns) -> Known:
    """What the case knows."""
    hosts = case.sql(_HOSTS).to_pylist()
    given = frozenset(
        k for k in ("registry", "tmux", "dismissed", "listing") if f"with_{k}" not in case.absent
    )
    projects: dict[str, list[str]] = defaultdict(list)
    for row in hosts:
        if row["name"] == "projects_real_path" and row["value"]:
            projects[row["label"]].append(row["value"])
    return Known(
        as_of=case.sql("select as_of from case_info").column(0).to_pylist()[0],
        logs=_read_logs(case, patterns),
        processes=tuple(
            Process(r["source_label"], r["pid"], r["session_id"], r["cwd"], r["started_at_ms"], r["tmux"])
            for r in case.sql(_PROCESSES).to_pylist()
        ),
        panes=tuple(
            Pane(r["tmux_session"], r["cwd"], r["session_id"], r["is_stopped"])
            for r in case.sql(_PANES).to_pylist()
        ),
        marks=_read_marks(case),
        directories=_read_directories(case),
        dismissed={r["session_id"]: r["is_revived"] for r in case.sql(_DISMISSED).to_pylist()},
        boots={
            r["label"]: int(r["value"])
            for r in hosts
            if r["name"] == "boot_time_s" and (r["value"] or "").isascii() and r["value"].isdigit()
        },
        projects={label: tuple(found) for label, found in projects.items()},
        has_registry=frozenset(case.sql("select distinct label from probe_host").column(0).to_pylist()),
        given=given,
        n_stale=case.sql("select count(*) from dismissals where is_stale").column(0).to_pylist()[0],
        has_text="text" not in case.absent,
    )


def _read_logs(case: Case, patterns: Patterns) -> tuple[Log, ...]:
    references = References(case)
    suspects: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in case.findings(["suspect_mtime"])[0].rows.to_pylist():
        suspects[row["label"], row["path"]].append(row["reason"])
    sidecars = {
        _beside(row): Sidecar(row["archived"] == "true", parse_at(row["at"]))
        for row in case.sql(_SIDECARS).to_pylist()
    }
    rows = case.sql(_LOGS).to_pylist()
    notices = _by_file(
        row for row in case.sql(_NOTICES).to_pylist() if patterns.closes(row["subtype"], row["text"])
    )
    closed = [row["file_id"] for row in rows if row["file_id"] in notices or _beside(row) in sidecars]
    requests = _by_file(case.sql(_REQUESTS, {"closed": closed}).to_pylist() if closed else ())
    return tuple(
        _log(
            row,
            ref=references.file(row["file_id"]),
            archive=find_archive(
                notices.get(row["file_id"], ()),
                requests.get(row["file_id"], ()),
                sidecars.get(_beside(row)),
                patterns,
            ),
            suspect=", ".join(suspects.get((row["label"], row["path"]), ())) or None,
        )
        for row in rows
    )


def _beside(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """By what a transcript and the files beside it find each other."""
    return row["label"], row["home"], row["project_key"], row["session_id"]


def _by_file(rows: Iterable[Mapping[str, Any]]) -> dict[int, list[Said]]:
    found: dict[int, list[Said]] = defaultdict(list)
    for row in rows:
        found[row["file_id"]].append(Said(row["position"], row["ts"], row["text"], row.get("subtype")))
    return found


def _log(row: Mapping[str, Any], *, ref: str, archive: Archive | None, suspect: str | None) -> Log:
    return Log(
        ident=(row["file_id"], row["generation"]),
        label=row["label"],
        home=row["home"],
        project_key=row["project_key"],
        session_id=row["session_id"],
        ref=ref,
        place=row["resume_cwd"] if row["how"] is not None else None,
        last_recorded_cwd=row["last_recorded_cwd"],
        has_messages=row["has_messages"],
        mtime_ns=row["mtime_ns"],
        last_content_ts=row["last_content_ts"],
        ending=Ending(row["mtime_ns"] or 0, row["idle_gap_s"], row["has_untimed_tail"]),
        tail_types=tuple(row["tail_types"]),
        first_line_type=row["first_line_type"],
        first_title_hash=row["first_title_hash"],
        first_line_title=row["first_line_title"],
        title=row["title"],
        last_request=row["last_request"],
        is_pending=row["is_pending"],
        archive=archive,
        mtime_suspect=suspect,
    )


def _read_marks(case: Case) -> tuple[Mark, ...]:
    marks = []
    for row in case.sql(_MARKS).to_pylist():
        try:
            document = json.loads(row["bytes"])
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            slug, session = document.get("issuedSlug"), document.get("issuedSessionId")
            marks.append(
                Mark(
                    row["label"],
                    tuple(parts_of(row["path"])[:-1]),
                    slug if isinstance(slug, str) and slug else None,
                    session if isinstance(session, str) and session else None,
                )
            )
    return tuple(marks)


def _read_directories(case: Case) -> Directories:
    listed: dict[str, tuple[bool, int | None]] = {}
    filled: set[str] = set()
    for row in case.sql(_LISTING).to_pylist():
        path = canonical_guess(row["path"])
        listed[path] = (row["is_there"], row["n_entries"])
        if row["is_there"]:
            filled.update(_above(path))
    probed = {
        (row["label"], canonical_guess(row["path"])): row["is_there"] for row in case.sql(_PROBED).to_pylist()
    }
    return Directories(listed, frozenset(filled), probed)


def _above(path: str) -> list[str]:
    """The directories above a path: something lies in each of them."""
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(2, len(parts))]
