"""The truth of one transcript, told from what its agent did and not from the bytes it left."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .lines import Line, Record
from .naive_keys import key_of
from .truth import Compaction, CwdRun, Damage, Move, SessionTruth, Title, Tokens

_OPENING = "This session is being continued from"


def list_damage(lines: list[Line]) -> tuple[Damage, ...]:
    """Every planted fault with its line number."""
    number_of = {id(line): number for number, line in enumerate(lines, start=1)}
    return tuple(
        Damage(
            line_no=number,
            kind=flaw.kind,
            variant=flaw.variant,
            n_records=flaw.n_records,
            cwd=line.cwd,
            repeats_line=number_of[id(flaw.repeats)] if flaw.repeats is not None else None,
        )
        for number, line in enumerate(lines, start=1)
        for flaw in line.flaws
    )


def count_runs(lines: list[Line]) -> tuple[CwdRun, ...]:
    """The runs of cwds over the main chain."""
    runs: list[CwdRun] = []
    for number, line in enumerate(lines, start=1):
        if line.record is None or line.cwd is None or line.record.get("isSidechain") is not False:
            continue
        sound = int(line.is_sound)
        if runs and runs[-1].cwd == line.cwd:
            old = runs[-1]
            last_line = number if sound else old.last_line
            n_damaged = old.n_damaged + 1 - sound
            runs[-1] = CwdRun(line.cwd, old.n_lines + sound, old.first_line, last_line, n_damaged)
        elif sound:
            runs.append(CwdRun(line.cwd, 1, number, number))
        else:
            raise AssertionError("a damaged line at the edge of a run would make its truth a matter of taste")
    return tuple(runs)


def count_tokens(records: list[Record]) -> tuple[int, Tokens]:
    """How many message ids there are, and their tokens with the last record of each."""
    last: dict[str, Record] = {}
    for record in records:
        message = record.get("message")
        if isinstance(message, dict) and record.get("type") == "assistant":
            last[message["id"]] = message["usage"]
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    sums = [sum(usage[name] for usage in last.values()) for name in names]
    return len(last), Tokens(*sums)


def find_compactions(lines: list[Line]) -> tuple[Compaction, ...]:
    """The compactions, each boundary with the summary that hangs on it."""
    uuids = {line.record["uuid"] for line in lines if line.record is not None and "uuid" in line.record}
    boundaries: dict[str, tuple[int, Record]] = {}
    summaries: list[tuple[int, Record, str]] = []
    for number, line in enumerate(lines, start=1):
        record = line.record
        if record is None or not line.is_sound:
            continue
        if record.get("subtype") == "compact_boundary":
            boundaries[record["uuid"]] = (number, record)
        elif record.get("type") == "user" and (witness := _witness_of(record, boundaries)) is not None:
            summaries.append((number, record, witness))
    found = []
    for number, record, witness in summaries:
        boundary = boundaries.pop(record["parentUuid"], None) if record["parentUuid"] else None
        found.append(_pair(boundary, (number, record), witness, uuids))
    found.extend(_pair(boundary, None, "boundary", uuids) for boundary in boundaries.values())
    return tuple(sorted(found, key=lambda one: one.boundary_line or one.summary_line or 0))


def _witness_of(record: Record, boundaries: dict[str, tuple[int, Record]]) -> str | None:
    if record.get("isCompactSummary") is True:
        return "flag"
    if record.get("isVisibleInTranscriptOnly") is True and record["parentUuid"] in boundaries:
        return "transcript_only"
    return "opening" if _text_of(record).startswith(_OPENING) else None


def _text_of(record: Record) -> str:
    content = record["message"]["content"]
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)


def _pair(
    boundary: tuple[int, Record] | None,
    summary: tuple[int, Record] | None,
    witness: str,
    uuids: set[str],
) -> Compaction:
    record: Record = boundary[1] if boundary is not None else {}
    parent = record.get("logicalParentUuid")
    link = "none" if parent is None else "own_file" if parent in uuids else "dangling"
    metadata: dict[str, Any] = record.get("compactMetadata") or {}
    return Compaction(
        boundary_line=boundary[0] if boundary is not None else None,
        summary_line=summary[0] if summary is not None else None,
        witness=witness,
        is_paired=boundary is not None and summary is not None,
        trigger=metadata.get("trigger"),
        pre_tokens=metadata.get("preTokens"),
        logical_parent=link,
        boundary_session_id=record.get("sessionId"),
    )


def list_titles(numbered: list[tuple[int, Record]]) -> tuple[Title, ...]:
    """The title lines in order."""
    fields = {"custom-title": "customTitle", "ai-title": "aiTitle", "agent-name": "agentName"}
    return tuple(
        Title(number, str(record["type"]).split("-", maxsplit=1)[0], record[fields[record["type"]]])
        for number, record in numbered
        if record["type"] in fields
    )


def list_moves(numbered: list[tuple[int, Record]]) -> tuple[Move, ...]:
    """The lines that say the session moved, or entered or left a worktree."""
    moves = []
    for number, record in numbered:
        if record["type"] == "relocated":
            moves.append(Move(number, "relocated", record["relocatedCwd"]))
        elif record["type"] == "worktree-state":
            state = record["worktreeSession"]
            moves.append(Move(number, "worktree-state", state["worktreePath"] if state else None))
    return tuple(moves)


def is_pending(lines: list[Line]) -> bool:
    """True if the last word of the main chain waits for an answer of the agent."""
    for line in reversed(lines):
        record = line.record
        if record is None or not line.is_sound or record.get("isSidechain") is not False:
            continue
        if record["type"] == "assistant":
            return False
        if record["type"] == "user":
            content = record["message"]["content"]
            is_result = isinstance(content, list) and content[0]["type"] == "tool_result"
            return line.is_human or is_result
    return False


def describe_session(
    lines: list[Line],
    *,
    path: str,
    home: str,
    project_key: str,
    role: str,
    session_id: str,
    mtime_ns: int,
    stub_reason: str | None,
    key_state: str | None,
) -> SessionTruth:
    """The truth of one transcript."""
    numbered = [
        (n, line.record) for n, line in enumerate(lines, start=1) if line.is_sound and line.record is not None
    ]
    records = [record for _, record in numbered]
    runs = count_runs(lines)
    compactions = find_compactions(lines)
    human = tuple(n for n, line in enumerate(lines, start=1) if line.is_human and line.is_sound)
    n_ids, tokens = count_tokens(records)
    moves = list_moves(numbered)
    versions = tuple(dict.fromkeys(record["version"] for record in records if "version" in record))
    stamps = [
        record["timestamp"] for record in records if "timestamp" in record and record["type"] in _CONTENT
    ]
    after = max(((c.summary_line or c.boundary_line or 0) for c in compactions), default=None)
    cwds = [run.cwd for run in runs] or [line.cwd for line in lines if line.is_sound and line.cwd is not None]
    flags = _match(cwds, moves, versions, project_key)
    return SessionTruth(
        path=path,
        home=home,
        project_key=project_key,
        role=role,
        session_id=session_id,
        session_id_lines=tuple(Counter(r["sessionId"] for r in records if "sessionId" in r).items()),
        agent_versions=versions,
        types=tuple(sorted(Counter(record["type"] for record in records).items())),
        cwd_runs=runs,
        first_cwd=runs[0].cwd if runs else None,
        last_cwd=runs[-1].cwd if runs else None,
        n_main_lines_without_cwd=sum("cwd" not in record for record in records),
        n_sidechain_lines=sum(record.get("isSidechain") is True for record in records),
        human_lines=human,
        n_human_prompts=len(human),
        n_message_ids=n_ids,
        tokens=tokens,
        compactions=compactions,
        n_lines_after_compaction=None if after is None else len(lines) - after,
        n_human_after_compaction=None if after is None else sum(n > after for n in human),
        moves=moves,
        titles=list_titles(numbered),
        first_ts=min(stamps, default=None),
        last_ts=max(stamps, default=None),
        mtime_ns=mtime_ns,
        is_pending=is_pending(lines),
        stub_reason=stub_reason,
        key_state=key_state or _explain(flags, has_cwd=bool(cwds)),
        match_first=flags[0],
        match_last=flags[1],
        match_any=flags[2],
        match_relocated=flags[3],
    )


_CONTENT = frozenset({"user", "assistant"})


def _match(
    cwds: list[str], moves: tuple[Move, ...], versions: tuple[str, ...], project_key: str
) -> tuple[bool, bool, bool, bool]:
    hits = [any(key_of(cwd, version=version) == project_key for version in versions) for cwd in cwds]
    targets = [move.cwd for move in moves if move.type == "relocated" and move.cwd is not None]
    relocated = any(key_of(target, version=v) == project_key for target in targets[-1:] for v in versions)
    return bool(hits) and hits[0], bool(hits) and hits[-1], any(hits), relocated


def _explain(flags: tuple[bool, bool, bool, bool], *, has_cwd: bool) -> str:
    if not has_cwd:
        return "no_cwd"
    if flags[0]:
        return "first_cwd"
    if flags[3]:
        return "relocated"
    if flags[2]:
        return "later_cwd"
    raise AssertionError("the key of a session that no cwd explains has to be planted on purpose")
