"""Rare payloads of records and side files in long form, and the prose that comes with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import xxhash

from forensics.sources.claude_code.careful import mend_text
from forensics.sources.claude_code.record import MAX_COUNT

Object = Mapping[str, Any]

NOTICE_CHARS = 4096
"""Longest system notice kept as text; longer ones stay in raw."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """One value of a rare payload; `text_kind` names the prose it stands for, whose text is `text`."""

    kind: str
    name: str
    value: str
    ord: int = 0
    text_kind: str | None = None
    text: str | None = None


_PLAIN: Mapping[str, tuple[tuple[str, str], ...]] = {
    "summary": (("leafUuid", "leaf_uuid"),),
    "last-prompt": (("leafUuid", "leaf_uuid"),),
    "relocated": (("relocatedCwd", "relocated_cwd"),),
    "queue-operation": (("operation", "operation"),),
    "mode": (("mode", "mode"),),
    "permission-mode": (("permissionMode", "mode"),),
    "tag": (("tag", "tag"),),
    "pr-link": (("prUrl", "url"),),
    "bridge-session": (("bridgeSessionId", "bridge_session_id"),),
    "continued-in": (("sessionId", "session_id"), ("continuedIn", "continued_in")),
    "session-owner": (("owner", "owner"),),
    "agent-setting": (("agentSetting", "setting"),),
}
_PROSE: Mapping[str, tuple[str, str]] = {
    "summary": ("summary", "summary"),
    "last-prompt": ("lastPrompt", "last_prompt"),
    "custom-title": ("customTitle", "title"),
    "ai-title": ("aiTitle", "title"),
    "agent-name": ("agentName", "title"),
}
_WORKTREE = (
    ("originalCwd", "original_cwd"),
    ("worktreePath", "worktree_path"),
    ("worktreeName", "worktree_name"),
    ("worktreeBranch", "worktree_branch"),
    ("originalBranch", "original_branch"),
    ("originalHeadCommit", "original_head_commit"),
    ("sessionId", "session_id"),
)
_COMPACT = (
    ("trigger", "trigger"),
    ("preTokens", "pre_tokens"),
    ("postTokens", "post_tokens"),
    ("durationMs", "duration_ms"),
    ("messagesSummarized", "messages_summarized"),
    ("cumulativeDroppedTokens", "cumulative_dropped_tokens"),
)
_AGENT_META = (
    ("agentType", "agent_type"),
    ("worktreePath", "worktree_path"),
    ("worktreeBranch", "worktree_branch"),
    ("spawnedWithWorktree", "spawned_with_worktree"),
    ("toolUseId", "tool_use_id"),
    ("spawnDepth", "spawn_depth"),
)

_SYSTEM_FIELDS = ("content", "level", "url", "compactMetadata", "microcompactMetadata")

PAYLOAD_FIELDS: Mapping[str, tuple[str, ...]] = {
    **{
        kind: (*(field for field, _ in _PLAIN.get(kind, ())), *_PROSE.get(kind, ())[:1])
        for kind in {*_PLAIN, *_PROSE}
    },
    "system": _SYSTEM_FIELDS,
    "worktree-state": ("worktreeSession",),
    "file-history-snapshot": ("snapshot",),
}
"""Types of records that are read a second time for their payload, and the fields that marks are made of."""


def _as_text(value: object) -> str | None:
    if isinstance(value, str):
        return mend_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and abs(value) <= MAX_COUNT:
        return str(value)
    return None


def hash_text(text: str) -> str:
    """The hash under which a title or label stands in marks: xxh3-64 of its UTF-8, hex."""
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))


def _named(kind: str, pairs: Object, names: Iterable[tuple[str, str]]) -> list[Mark]:
    marks: list[Mark] = []
    for field, name in names:
        value = _as_text(pairs.get(field))
        if value is not None:
            marks.append(Mark(kind, name, value))
    return marks


def _prose(kind: str, pairs: Object, field: str, text_kind: str) -> tuple[Mark, ...]:
    value = pairs.get(field)
    if not isinstance(value, str):
        return ()
    text = mend_text(value)
    return (Mark(kind, f"{text_kind}_hash", hash_text(text), 0, text_kind, text),)


def _system(pairs: Object) -> Iterator[Mark]:
    content = pairs.get("content")
    if isinstance(content, str) and len(content) <= NOTICE_CHARS:
        yield from _prose("system", pairs, "content", "notice")
    yield from _named("system", pairs, (("level", "level"), ("url", "url")))
    for field in ("compactMetadata", "microcompactMetadata"):
        if isinstance(inner := pairs.get(field), dict):
            kind = "compact" if field == "compactMetadata" else "microcompact"
            yield from _named(kind, inner, _COMPACT)
            if isinstance(segment := inner.get("preservedSegment"), dict):
                names = (("headUuid", "preserved_head_uuid"), ("tailUuid", "preserved_tail_uuid"))
                yield from _named(kind, segment, names)


def record_marks(record_type: str, pairs: Object) -> list[Mark]:
    """The marks of one record of a rare type."""
    marks = _named(record_type, pairs, _PLAIN.get(record_type, ()))
    if prose := _PROSE.get(record_type):
        marks += _prose(record_type, pairs, prose[0], prose[1])
    elif record_type == "system":
        marks += _system(pairs)
    elif record_type == "worktree-state":
        state = pairs.get("worktreeSession")
        if isinstance(state, dict):
            marks += _named("worktree-state", state, _WORKTREE)
        elif "worktreeSession" in pairs and state is None:
            marks.append(Mark("worktree-state", "left", "true"))
    return marks


def snapshot_time(record_type: str, pairs: Object) -> str | None:
    """The time inside a file-history snapshot, which has none of its own; other records have none there."""
    inner = pairs.get("snapshot") if record_type == "file-history-snapshot" else None
    value = inner.get("timestamp") if isinstance(inner, dict) else None
    return value if isinstance(value, str) else None


def sidecar_marks(name: str, document: Object) -> Iterator[Mark]:
    """The marks of a side file, by its name."""
    if name.endswith(".meta.json"):
        yield from _named("agent-meta", document, _AGENT_META)
    elif name == "archived.json":
        yield from _named("archived", document, (("archived", "archived"), ("at", "at")))
    elif name == "custom-title.json":
        yield from _prose("custom-title-file", document, "customTitle", "title")
        yield from _named("custom-title-file", document, (("by", "by"), ("at", "at")))
    elif name == "sessions-index.json" and isinstance(entries := document.get("entries"), list):
        for i, entry in enumerate(entries):
            if isinstance(entry, dict):
                names = (("sessionId", "session_id"), ("projectPath", "project_path"))
                yield from (Mark(m.kind, m.name, m.value, ord=i) for m in _named("index", entry, names))
