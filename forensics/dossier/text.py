"""A dossier in sentences: what a person needs to know, and what to do next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from forensics.display import harmless_text, inert_line, row_text
from forensics.dossier.dossier import ContinuePick, NewestBy, SessionDossier
from forensics.dossier.identity import REQUEST_WIDTH, Identity
from forensics.dossier.resume import ResumePlan

_SOURCES = {
    "custom-title": "a title somebody gave it",
    "custom-title-file": "a title somebody gave it, in a side file",
    "agent-name": "the name it was started with",
    "ai-title": "a title the agent gave it",
    "last-prompt": "its last prompt",
    "summary": "a summary of it",
    "first-request": "its first request",
    "first-command": "its first command",
}
_BASES = {
    "folder_matching_cwd": "the last recorded directory that gives its key",
    "relocated": "it was moved there, and its key is that directory's",
    "worktree-state": "it went into that worktree, and its key is the worktree's",
    "last_recorded_cwd": "the last recorded directory; none gives its key",
}
_SURENESS = {
    "observed": "seen in this version",
    "interpolated": "not tried in this version, but in versions around it",
    "beyond_observed": "a guess: this version lies beyond all that were tried",
    "unversioned": "the version is not known",
}
_WORDS = {
    "reply": "an answer of the model",
    "tool_call": "a call of a tool, without its result",
    "request": "a request that was never answered",
    "tool_result": "a tool's result that was never answered",
    "other": "something a program put there",
}
_NEWEST_BY: dict[NewestBy, str] = {
    "mtime": "by its file's time",
    "suspect_mtime": "by the files' times, which are those of a copy: on the original it may be another",
    "recorded": "by its recorded times, for want of the files' own",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How times and the head are written."""

    zone: dt.tzinfo = dt.UTC
    width: int = 100


def write_dossier(dossier: SessionDossier, style: Style = Style()) -> str:
    """The dossier as text, ends without a newline."""
    # Commands stand as they are quoted, the rest is cleaned where it is put in; this keeps one line one line.
    return "\n".join(map(inert_line, _lines(dossier, style)))


def _lines(dossier: SessionDossier, style: Style) -> Iterator[str]:
    yield row_text(dossier.identity.title or dossier.identity.label, style.width)
    yield ""
    for name, text in _facts(dossier, style):
        yield f"  {name:<11} {harmless_text(text)}"
    yield ""
    yield from _next_steps(dossier.plan, dossier.version_basis, dossier.label)
    notes = [*_notes(dossier, style)]
    if notes:
        yield ""
        yield "Good to know"
        yield from (f"  - {harmless_text(note)}" for note in notes)


def _facts(dossier: SessionDossier, style: Style) -> Iterator[tuple[str, str]]:
    who = dossier.identity
    yield "id", dossier.session_id or "(none)"
    others = [each for each in dossier.recorded_session_ids if each != dossier.session_id]
    if others:
        more = f" and {len(others) - 3:,} more" if len(others) > 3 else ""
        yield "", f"its records carry {', '.join(others[:3])}{more}"
    yield "file", dossier.ref
    if who.title_source is not None:
        yield "title from", f"{_SOURCES[who.title_source]}{_at(who.title_ref, dossier)}"
    if who.n_titles > 1:
        yield "", f"{who.n_titles} titles over time: {_history(who)}"
    if who.last_request is not None:
        when = _time(who.last_request_ts, style)
        yield "last asked", f"“{row_text(who.last_request, REQUEST_WIDTH)}”"
        yield "", f"{when}{_at(who.last_request_ref, dossier)}"
    yield "when", _span(dossier, style)
    yield "holds", _holds(dossier)
    yield "where", dossier.resume_cwd or "no line records a directory"
    if dossier.project_key is None and dossier.resume_ref is not None:
        yield "", f"the last recorded directory{_at(dossier.resume_ref, dossier)}"
    elif dossier.resume_basis is not None:
        yield "", f"{_BASES[dossier.resume_basis]}{_at(dossier.resume_ref, dossier)}{_state(dossier)}"
    if dossier.last_recorded_cwd not in (None, dossier.resume_cwd):
        last = f"{dossier.last_recorded_cwd}{_at(dossier.last_recorded_ref, dossier)}"
        yield "", f"last recorded: {last}"
    if dossier.last_word is not None:
        yield "ends with", f"{_WORDS[dossier.last_word]}{_at(dossier.last_word_ref, dossier)}"


def _history(who: Identity) -> str:
    titles = [each.text for each in who.history if each.is_meaningful and each.source in _TITLES]
    changes = [text for at, text in enumerate(titles) if at == 0 or text != titles[at - 1]]
    return " → ".join(f"“{row_text(text, 32)}”" for text in changes[-4:])


_NOT_LOOKED = {
    "directory_not_looked": "nobody looked whether its directory is still there (--look does); if it is gone,"
    " begin with mkdir -p: the conversation comes back, the edited files do not",
    "registry_not_looked": "nobody looked whether it is running at this moment (a probe does)",
}
_SHOWN_ELSEWHERE = {
    *("out_of_scope_from_here", "ambiguous_from_here", "unknown_from_here", "beyond_observed"),
    *_NOT_LOOKED,
}
_TITLES = ("custom-title", "custom-title-file", "agent-name", "ai-title")


def _span(dossier: SessionDossier, style: Style) -> str:
    if dossier.first_ts is None:
        return "no line records a time"
    versions = dict.fromkeys(text for text in (dossier.first_version, dossier.last_version) if text)
    by = f", by version {' to '.join(versions)}" if versions else ""
    return f"{_time(dossier.first_ts, style)} to {_time(dossier.last_ts, style)}{by}"


def _holds(dossier: SessionDossier) -> str:
    if not dossier.has_messages:
        reason = (dossier.stub_reason or "no message").replace("_", " ")
        listed = "lists of the SDK show it" if dossier.is_listed_by_sdk else "lists of the SDK leave it out"
        return f"no message ({reason}); {listed}"
    classes = dict(dossier.identity.prompt_classes or {})
    n_human = classes.pop("human", 0)
    others = ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in classes.items())
    requests = "1 request" if n_human == 1 else f"{n_human:,} requests"
    counted = f"{requests} of a person, {dossier.n_assistant:,} records of the model"
    listed = "" if dossier.is_listed_by_sdk else "; lists of the SDK leave it out"
    return f"{counted}{listed}" + (f"; user lines written by programs: {others}" if others else "")


def _state(dossier: SessionDossier) -> str:
    return {"there": "; it is there", "gone": "; it is gone", "not_looked": ""}[dossier.cwd_state]


def _at(ref: str | None, dossier: SessionDossier) -> str:
    """Where something stands: the line alone in the session's own file, else the whole reference."""
    if ref is None:
        return ""
    return f" ({ref.removeprefix(dossier.ref) or 'the whole file'})"


def _next_steps(plan: ResumePlan, version_basis: str, label: str) -> Iterator[str]:
    blocking = [reason for reason in plan.reasons if reason.weight == "blocks"]
    if blocking:
        yield "It cannot be taken up" + (" by its id" if plan.is_past_by_path else "")
        yield from (f"  - {harmless_text(reason.text)}" for reason in blocking)
        if plan.command_by_path is not None:
            yield ""
            yield f"    {plan.command_by_path}"
        elif plan.is_past_by_path:
            root = f"--root {harmless_text(label)}=PATH"
            yield f"  - with {root}, where the evidence lies, the command stands here"
        return
    yield "To take it up again"
    yield ""
    yield f"    {plan.command}" if plan.command is not None else "  (this shell has no safe way to say it)"
    yield ""
    yield f"  {harmless_text(_about_version(plan, version_basis))}"
    if plan.from_here is not None and plan.command_here != plan.command:
        yield f"  From {harmless_text(plan.asked_in)} {harmless_text(_reach(plan))}"


def _about_version(plan: ResumePlan, version_basis: str) -> str:
    outcome = plan.from_there or plan.from_here
    is_newest = version_basis == "newest_in_evidence"
    newest = ", the newest in the evidence (--cli-version names another)" if is_newest else ""
    said = f"Counted for version {plan.version}{newest}" if plan.version else "No version is recorded"
    return f"{said}: {_SURENESS[outcome.basis]}." if outcome is not None else f"{said}."


def _reach(plan: ResumePlan) -> str:
    outcome = plan.from_here
    assert outcome is not None
    if plan.command_here is not None:
        why = {
            "own_folder": "that directory has the same key",
            "elsewhere_in_home": "this version looks in every folder of the home",
        }[outcome.why]
        return f"the last part alone will do: {why}."
    match outcome.verdict, outcome.why:
        case "found", _:
            return f"the id alone would take another file: {outcome.path}."
        case "not_found", "several_elsewhere":
            return "the id alone would be refused: several folders hold it."
        case "not_found", _:
            return "the id alone would not be found: this version looks in one folder only."
    return "the id alone may not be found: of the versions tried on either side, one does and one does not."


def _notes(dossier: SessionDossier, style: Style) -> Iterator[str]:
    for reason in dossier.plan.reasons:
        if reason.weight == "warns" and reason.code not in _SHOWN_ELSEWHERE:
            yield reason.text
    codes = {reason.code for reason in dossier.plan.reasons}
    yield from (text for code, text in _NOT_LOOKED.items() if code in codes)
    if dossier.continue_pick is not None:
        yield _continues(dossier.continue_pick, dossier.resume_cwd or "")
    if dossier.copies:
        more = f" and {len(dossier.copies) - 5:,} more" if len(dossier.copies) > 5 else ""
        yield f"other files of this id: {', '.join(dossier.copies[:5])}{more}"
    for met in dossier.refusals:
        what = (
            "was refused as running in the background" if met.refusal == "in_background" else "was not found"
        )
        where = f" in a session at {met.cwd}" if met.cwd else ""
        yield f"a resume of it {what}{where}, {_time(met.ts, style)} ({met.ref})"


def _continues(pick: ContinuePick, cwd: str) -> str:
    asked = f"claude --continue in {cwd}"
    if pick.outcome.verdict == "unknown" and pick.outcome.why == "not_looked":
        by = "" if pick.newest_by == "mtime" else f"; it is the newest there {_NEWEST_BY[pick.newest_by]}"
        return (
            f"{asked} takes {pick.session_id}, which began in {pick.head_cwd}, if that directory is gone{by}"
        )
    if pick.outcome.verdict == "unknown":
        return f"what {asked} takes is not known for this version"
    if pick.is_this:
        return f"{asked} takes this session: it is the newest there {_NEWEST_BY[pick.newest_by]}"
    if pick.outcome.verdict == "not_found":
        return f"{asked} begins a new session"
    title = f" “{row_text(pick.title, 32)}”" if pick.title else ""
    whose = f", which began in {pick.head_cwd}" if pick.head_cwd not in (None, cwd) else ""
    by = _NEWEST_BY[pick.newest_by]
    return f"{asked} takes another session, the newest there {by}: {pick.session_id}{title}{whose}"


def _time(moment: dt.datetime | None, style: Style) -> str:
    if moment is None:
        return "at no recorded time"
    return moment.astimezone(style.zone).isoformat(sep=" ", timespec="seconds")
