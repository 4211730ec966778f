"""A transcript in short form: lines that read like a story, spelled out as the agent would write them.

A line is a text, which stands as it is, or a table with one word that says what happened:

    {say = "…"}        a person asks            {reply = "…"}     the agent answers
    {tool = "Bash"}    the agent calls a tool   {result = "…"}    the tool's result
    {title = "…"}      the session is named     {summary = "…"}   a summary line, `leaf` its leaf
    {relocated = "…"}  moved to a directory     {entered = "…"}   into a worktree, `from` a directory
    {left = true}      out of the worktree      {boundary = "…"}  a compaction, by `auto` or `manual`
    {compact = "…"}    its summary              {type = "…"}      any other record on the chain
    {record = {…}}     a record, word for word

and any of: cwd, version, session, branch (they hold for the lines after it too), uuid, parent, at (a time),
wait (seconds since the line before), sidechain, agent, meta, times (the line so often), set (further fields),
unset (fields left out), glued (no newline after it).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from forensics.errors import UsageError

DEFAULT_VERSION = "2.1.332"
_START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
_NAMED = re.compile(r"\{([a-z][a-z0-9_-]*)\}")
_ID_DIGITS = 28
_KEPT = ("cwd", "version", "session", "branch")
_SAID = ("uuid", "parent", "at", "wait", "sidechain", "agent", "meta", "times", "set", "unset", "glued")

Table = Mapping[str, Any]


def id_of(name: str) -> str:
    """The session id that `{name}` stands for: the same in every scenario, ordered as the names are.

    Raises:
        UsageError: the name has more than 14 characters.
    """
    digits = name.encode("ascii").hex()
    if len(digits) > _ID_DIGITS:
        raise UsageError(f"{{{name}}}: a name has at most {_ID_DIGITS // 2} characters")
    digits = f"5e55{digits:0<{_ID_DIGITS}}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def expand_ids(value: Any) -> Any:
    """The value with each `{name}` in a text replaced by the session id it stands for."""
    if isinstance(value, str):
        return _NAMED.sub(lambda match: id_of(match[1]), value)
    if isinstance(value, list):
        return [expand_ids(item) for item in value]
    if isinstance(value, dict):
        return {expand_ids(key): expand_ids(item) for key, item in value.items()}
    return value


@dataclass(slots=True)
class Story:
    """What holds while a transcript is written: it goes on from line to line."""

    session: str
    cwd: str | None = None
    version: str = DEFAULT_VERSION
    branch: str = "main"
    agent: str | None = None
    now: datetime = _START
    n_lines: int = 0
    last_uuid: str | None = None
    _kept: dict[str, Any] = field(default_factory=dict)

    def write(self, lines: Sequence[str | Table]) -> bytes:
        """The bytes of the transcript.

        Raises:
            UsageError: a line says nothing, or something that is not known.
        """
        return b"".join(part for line in lines for part in self._write_line(line))

    def _write_line(self, line: str | Table) -> Iterator[bytes]:
        if isinstance(line, str):
            self.n_lines += 1
            yield line.encode("utf-8", "surrogatepass") + b"\n"
            return
        for _ in range(int(line.get("times", 1))):
            record = self._record(line)
            text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            yield text.encode("utf-8", "surrogatepass") + (b"" if line.get("glued") else b"\n")

    def _record(self, line: Table) -> dict[str, Any]:
        words = [word for word in line if word in _WORDS]
        unknown = sorted(set(line) - set(_WORDS) - set(_KEPT) - set(_SAID) - _EXTRAS)
        if len(words) != 1 or unknown:
            raise UsageError(
                f"a line says one thing: {json.dumps(line, default=str)}",
                hint=f"it needs one of {', '.join(_WORDS)}" + (f"; not known: {unknown}" if unknown else ""),
            )
        self.n_lines += 1
        self.cwd = line.get("cwd", self.cwd)
        self.version = line.get("version", self.version)
        self.session = line.get("session", self.session)
        self.branch = line.get("branch", self.branch)
        wait = line.get("wait", 0 if self.n_lines == 1 else 1)
        self.now = line.get("at", self.now + timedelta(seconds=wait))
        record = _WORDS[words[0]](self, line)
        record.update(line.get("set", {}))
        for name in line.get("unset", ()):
            record.pop(name, None)
        return record

    def stamp(self) -> str:
        """The time of the line being written, as the agent writes it."""
        return self.now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def chained(self, line: Table, **fields: Any) -> dict[str, Any]:
        """A record on the chain: with an id, the one before it, and where and when it was written."""
        uuid = line.get("uuid") or f"{self.session}-{self.agent or 'line'}-{self.n_lines:06d}"
        agent = line.get("agent", self.agent)
        record: dict[str, Any] = {
            "parentUuid": line.get("parent", self.last_uuid) or None,
            "isSidechain": bool(line.get("sidechain", agent is not None)),
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": self.branch,
            **fields,
            "uuid": uuid,
            "timestamp": self.stamp(),
        }
        if self.cwd is None:
            del record["cwd"]
        if agent is not None:
            record["agentId"] = agent
        if line.get("meta"):
            record["isMeta"] = True
        self.last_uuid = uuid
        return record


def _say(story: Story, line: Table) -> dict[str, Any]:
    return story.chained(line, type="user", message={"role": "user", "content": line["say"]})


def _assistant(story: Story, line: Table, block: Table) -> dict[str, Any]:
    message = {
        "id": line.get("message", f"msg_{story.n_lines:06d}"),
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    return story.chained(line, type="assistant", message=message)


def _reply(story: Story, line: Table) -> dict[str, Any]:
    return _assistant(story, line, {"type": "text", "text": line["reply"]})


def _tool(story: Story, line: Table) -> dict[str, Any]:
    call_id = line.get("call", f"toolu_{story.n_lines:06d}")
    block = {"type": "tool_use", "id": call_id, "name": line["tool"], "input": line.get("input", {})}
    return _assistant(story, line, block)


def _result(story: Story, line: Table) -> dict[str, Any]:
    call_id = line.get("call", f"toolu_{story.n_lines - 1:06d}")
    block = {"type": "tool_result", "tool_use_id": call_id, "content": line["result"]}
    return story.chained(line, type="user", message={"role": "user", "content": [block]})


def _title(story: Story, line: Table) -> dict[str, Any]:
    return {"type": "custom-title", "customTitle": line["title"], "sessionId": story.session}


def _summary(story: Story, line: Table) -> dict[str, Any]:
    return {"type": "summary", "summary": line["summary"], "leafUuid": line.get("leaf", story.last_uuid)}


def _relocated(story: Story, line: Table) -> dict[str, Any]:
    story.cwd = line["relocated"]
    return {"type": "relocated", "sessionId": story.session, "relocatedCwd": line["relocated"]}


def _entered(story: Story, line: Table) -> dict[str, Any]:
    name = str(line["entered"]).rsplit("/", 1)[-1]
    state = {
        "originalCwd": line.get("from", story.cwd),
        "worktreePath": line["entered"],
        "worktreeName": name,
        "worktreeBranch": f"worktree-{name}",
        "originalBranch": story.branch,
        "originalHeadCommit": "0" * 40,
        "sessionId": story.session,
    }
    story.cwd = line["entered"]
    return {"type": "worktree-state", "worktreeSession": state, "sessionId": story.session}


def _left(story: Story, line: Table) -> dict[str, Any]:
    story.cwd = line.get("to", story.cwd)
    return {"type": "worktree-state", "worktreeSession": None, "sessionId": story.session}


def _boundary(story: Story, line: Table) -> dict[str, Any]:
    logical = line.get("logical", story.last_uuid)
    record = story.chained(
        {**line, "parent": ""},
        type="system",
        subtype="compact_boundary",
        content="Conversation compacted",
        isMeta=False,
        level="info",
        logicalParentUuid=logical,
        compactMetadata={"trigger": line["boundary"], "preTokens": line.get("tokens", 150_000)},
    )
    return record if logical else {k: v for k, v in record.items() if k != "logicalParentUuid"}


def _compact(story: Story, line: Table) -> dict[str, Any]:
    record = story.chained(line, type="user", message={"role": "user", "content": line["compact"]})
    return {**record, "isCompactSummary": True, "isVisibleInTranscriptOnly": True}


def _typed(story: Story, line: Table) -> dict[str, Any]:
    return story.chained(line, type=line["type"])


def _record(story: Story, line: Table) -> dict[str, Any]:
    return dict(line["record"])


_WORDS: Mapping[str, Callable[[Story, Table], dict[str, Any]]] = {
    "say": _say,
    "reply": _reply,
    "tool": _tool,
    "result": _result,
    "title": _title,
    "summary": _summary,
    "relocated": _relocated,
    "entered": _entered,
    "left": _left,
    "boundary": _boundary,
    "compact": _compact,
    "type": _typed,
    "record": _record,
}
_EXTRAS = frozenset({"message", "call", "input", "leaf", "from", "to", "logical", "tokens"})
