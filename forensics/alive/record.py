"""The answer as a program reads it: four keys, the same whatever was found."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from forensics.alive.alive import Alive, Entry
from forensics.alive.facts import Known, Log, Pane
from forensics.alive.kinds import KIND_NAMES
from forensics.alive.query import PREFIX, Query
from forensics.dossier.shellquote import ResumeCommand, default_shell, is_session_id, write_command
from forensics.errors import UsageError

_NS = 1_000_000_000


def record_of(answer: Alive, query: Query, *, with_conversations: bool = False) -> dict[str, Any]:
    """The whole answer; nothing was done, so `applied` is false."""
    document: dict[str, Any] = {
        "applied": False,
        "ready": [entry_record(entry, answer, query) for entry in answer.ready],
        "alive": [entry_record(entry, answer, query) for entry in answer.alive],
        "skipped": [entry_record(entry, answer, query) for entry in answer.skipped],
    }
    if with_conversations:
        document["conversations"] = [entry_record(entry, answer, query) for entry in answer.conversations]
    return document


def entry_record(entry: Entry, answer: Alive, query: Query) -> dict[str, Any]:
    """One line of the answer; the first six keys are those of the tool that had them first."""
    place, log, group = entry.place, entry.log, entry.group
    slug = place.slug.text if place.slug is not None else None
    record: dict[str, Any] = {
        "slug": slug,
        "path": place.path,
        "sessionId": log.session_id if log is not None else None,
        "tmux": None if slug is None else PREFIX + slug,
        "updatedAt": None if log is None or log.mtime_ns is None else log.mtime_ns // _NS,
        "title": log.title if log is not None else None,
        "last_request": log.last_request if log is not None else None,
        "command": command_for(entry, answer.known, query),
        "kind": place.kind,
        "kind_name": KIND_NAMES.get(place.kind or 0),
        "slug_basis": place.slug.basis if place.slug is not None else None,
        "slug_generation": place.generation,
        "enumerable": place.is_enumerable,
        "ccs_trace": place.traces[log.ident] if log is not None else None,
        "first_line_type": log.first_line_type if log is not None else None,
        "first_line_title": log.first_line_title if log is not None else None,
        "has_mark": place.mark is not None,
        "chosen_by": entry.chosen_by,
        "directory_exists": entry.is_there,
        "unknown": list(entry.unknown),
        "is_pending": log.is_pending if log is not None else None,
        "double_writer_risk": entry.is_double,
        **_times(log),
        "in_last_group": entry.in_last_group,
        "delta_s": None
        if group is None or log is None or log.mtime_ns is None
        else group.delta_s(log.mtime_ns),
        "t_last": None if group is None else _from_ns(group.t_last_ns),
        "t_boot": None if group is None else _from_ns(group.t_boot_ns),
        "boot_basis": answer.boot_basis.get(place.label),
        "window_s": query.window_s,
        "cluster_quality": None if group is None else group.quality,
        "label": place.label or None,
        "home": log.home if log is not None else None,
        "project_key": log.project_key if log is not None else None,
        "ref": log.ref if log is not None else None,
    }
    if entry.reason is not None and entry.reason.code == "alive":
        record["running"] = [
            {"by": each.by, "pid": None if isinstance(each.process, Pane) else each.process.pid}
            for each in entry.running
        ]
    elif entry.reason is not None:
        record |= {
            "gate": entry.reason.code,
            "reason": entry.reason.text,
            "reason_ja": entry.reason.text_ja,
            "detail": detail_of(entry, answer.known),
        }
    return record


def _times(log: Log | None) -> dict[str, Any]:
    if log is None:
        names = ("mtime", "last_content_ts", "idle_gap_s", "mtime_suspect")
        return {**dict.fromkeys(names), "tail_types": []}
    return {
        "mtime": _from_ns(log.mtime_ns),
        "last_content_ts": _iso(log.last_content_ts),
        "idle_gap_s": log.ending.idle_gap_s,
        "mtime_suspect": log.mtime_suspect,
        "tail_types": list(log.tail_types),
    }


def detail_of(entry: Entry, known: Known) -> str | None:
    """What else there is to say of a reason: the directory recorded instead, or when it was closed."""
    log = entry.log
    if entry.reason is None or log is None:
        return None
    if entry.reason.code == "cwd_mismatch":
        return log.last_recorded_cwd
    if entry.reason.code == "archived" and log.archive is not None:
        at = _iso(log.archive.at)
        return f"by {log.archive.evidence}" + (f", {at}" if at else "")
    if entry.reason.code == "dismissed" and known.dismissed.get(log.sid):
        return "it went on after that"
    if entry.reason.code == "no_trace" and entry.place.traces[log.ident] == "titled_other":
        return f"its first line names it {log.first_line_title}" if log.first_line_title else None
    return None


def _from_ns(ns: int | None) -> str | None:
    return (
        None
        if ns is None
        else _iso(datetime.fromtimestamp(ns // _NS, UTC).replace(microsecond=ns % _NS // 1000))
    )


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def command_for(entry: Entry, known: Known, query: Query) -> str | None:
    """What a person would type to restore it; null when it is not ready, or cannot be said safely."""
    if entry.reason is not None or entry.log is None or entry.place.path is None:
        return None
    if not is_session_id(entry.log.session_id):
        return None
    shell = query.shell or default_shell(entry.place.path)
    command = ResumeCommand(
        session=entry.log.session_id,
        cwd=entry.place.path,
        make_directory=entry.is_there is False,
        config_dir=_config_dir(entry.log, known),
    )
    try:
        return write_command(command, shell)
    except UsageError:
        return None


def _config_dir(log: Log, known: Known) -> str | None:
    """The home to set for a transcript that lies in another one than the agent takes by itself."""
    folders = [str(PurePosixPath(path).parent) for path in known.projects.get(log.label, ())]
    fitting = [folder for folder in folders if log.home == "." or f"/{folder}".endswith(f"/{log.home}")]
    if len(fitting) != 1 or PurePosixPath(fitting[0]).name == ".claude":
        return None
    return fitting[0]
