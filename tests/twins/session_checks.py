"""What findings and models say of sessions to take up again, by what was planted in a world."""

from __future__ import annotations

from typing import Any

from forensics.testing.world import Truth
from forensics.testing.world.naive_keys import key_of
from forensics.testing.world.truth import SessionTruth
from tests.twins.truth_checks import Label, check

_CHAIN = (("custom", "custom-title"), ("agent", "agent-name"), ("ai", "ai-title"))


def _mains(truth: Truth) -> list[SessionTruth]:
    return [session for session in truth.sessions if session.role == "main"]


def _noted(truth: Truth, kind: str) -> set[Any]:
    return {path for note in truth.notes if note.kind == kind for path in note.paths}


@check
def pending(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {session.path for session in _mains(truth) if session.is_pending}
    return planted, {row["path"] for row in seen.rows("pending_turn")}


@check
def retitled(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    return _noted(truth, "retitled_on_resume"), {row["path"] for row in seen.rows("retitled_on_resume")}


@check
def misfiled(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {session.path for session in _mains(truth) if session.key_state == "misfiled"}
    return planted, {row["path"] for row in seen.rows("misfiled_session")}


@check
def ambiguous_ids(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    keys: dict[tuple[str, str], set[str]] = {}
    for session in _mains(truth):
        if {"user", "assistant"} & dict(session.types).keys():
            keys.setdefault((session.home, session.session_id), set()).add(session.project_key)
    planted = {(*place, tuple(sorted(found))) for place, found in keys.items() if len(found) > 1}
    rows = seen.rows("ambiguous_session_id")
    return planted, {(r["home"], r["session_id"], tuple(sorted(r["project_keys"]))) for r in rows}


@check
def refused(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    notes = [note for note in truth.notes if note.kind == "resume_refused"]
    planted = {(path, "not_found", note.detail) for note in notes for path in note.paths}
    rows = seen.table(
        "select t.path, r.refusal, r.asked_id from refused_resumes as r"
        " inner join transcripts as t using (file_id, generation) where t.label = $label"
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def titles(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    # A title on a damaged line counts where it can be read, which the truth leaves open.
    damaged = {file.path for file in truth.files if file.damage}
    planted = set()
    for session in _mains(truth):
        if session.path in damaged:
            continue
        told = [each for each in session.titles if each.title.lower() != "untitled"]
        if told:
            kind = next(kind for kind, _ in _CHAIN if any(each.kind == kind for each in told))
            last = [each for each in told if each.kind == kind][-1]
            names = {each.title for each in told}
            planted.add((session.path, last.title, dict(_CHAIN)[kind], last.line_no, len(names)))
    rows = seen.table(
        "select t.path, n.title, n.title_source, n.title_ref.line_no as line_no, n.n_titles"
        " from session_names as n inner join transcripts as t using (file_id, generation)"
        " where t.label = $label and n.n_titles > 0 and t.project_key is not null"
    )
    return planted, {tuple(row.values()) for row in rows if row["path"] not in damaged}


@check
def requests(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {(session.path, line) for session in _mains(truth) for line in session.human_lines}
    rows = seen.table(
        "select t.path, r.line_no from session_requests as r"
        " inner join transcripts as t using (file_id, generation)"
        " where t.label = $label and t.project_key is not null"
    )
    return planted, {tuple(row.values()) for row in rows}


def _resume_cwd(session: SessionTruth) -> tuple[str, str] | None:
    """Where the session is taken up and why, where a recorded spelling gives its key; else None."""

    def gives(cwd: str | None) -> bool:
        return cwd is not None and any(
            key_of(cwd, version=version) == session.project_key for version in session.agent_versions
        )

    relocated = [each for each in session.moves if each.type == "relocated" and gives(each.cwd)]
    if relocated:
        return str(relocated[-1].cwd), "relocated"
    named = [(run.last_line, run.cwd, "folder_matching_cwd") for run in session.cwd_runs]
    named += [(each.line_no, str(each.cwd), each.type) for each in session.moves if each.cwd is not None]
    fitting = sorted(each for each in named if gives(each[1]))
    return fitting[-1][1:] if fitting else None


@check
def resume_places(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    places = {session.path: _resume_cwd(session) for session in _mains(truth)}
    planted = {(path, *place) for path, place in places.items() if place is not None}
    rows = seen.table(
        "select t.path, p.resume_cwd, p.resume_basis"
        " from resume_places as p inner join transcripts as t using (file_id, generation)"
        " where t.label = $label and p.how = 'exact'"
    )
    return planted, {tuple(row.values()) for row in rows}


@check
def stubs(truth: Truth, seen: Label) -> tuple[set[Any], set[Any]]:
    planted = {
        (session.path, session.stub_reason, session.stub_reason == "title_only")
        for session in _mains(truth)
        if session.stub_reason is not None
    }
    rows = seen.table(
        "select t.path, l.stub_reason, l.is_title_only from session_listing as l"
        " inner join transcripts as t using (file_id, generation)"
        " where t.label = $label and not l.has_messages and t.project_key is not null"
    )
    return planted, {tuple(row.values()) for row in rows}
