"""An agent at work: each verb appends the lines that a real one would write."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

from .eras import era_of
from .lines import Line, Record, draw_hex, draw_uuid, format_time
from .stories import Story, write_output

_WORDS = ("amber", "brisk", "calm", "dapper", "fuzzy", "gentle", "lucid", "mellow", "nimble", "quiet")


class Transcript:
    """A transcript that grows while its agent talks, works and moves."""

    def __init__(
        self,
        *,
        rng: Random,
        story: Story,
        cwd: str,
        version: str,
        now: datetime,
        session_id: str | None = None,
        agent_id: str | None = None,
        branch: str = "main",
        output_lines: int = 12,
        first_ask: int = 0,
    ) -> None:
        self.rng = rng
        self.story = story
        self.cwd = cwd
        self.version = version
        self.now = now
        self.session_id = session_id or draw_uuid(rng)
        self.agent_id = agent_id
        self.is_sidechain = agent_id is not None
        self.branch = branch
        self.output_lines = output_lines
        self.lines: list[Line] = []
        self.last_uuid: str | None = None
        self.last_prompt = ""
        self._asked = first_ask
        self._slug = f"{rng.choice(_WORDS)}-{rng.choice(_WORDS)}-{story.name}"

    def wait(self, *, seconds: float) -> None:
        """The next line is that much later."""
        self.now += timedelta(seconds=seconds)

    def note(self, record: Record) -> Line:
        """The appended line, which carries no cwd and no place in the chain."""
        line = Line(record)
        self.lines.append(line)
        return line

    def chain(self, kind: str, body: Record, *, is_human: bool = False, parent: str | None = "") -> Line:
        """The appended line, which hangs on the one before unless `parent` names another (or none)."""
        self.wait(seconds=self.rng.uniform(0.4, 9.0))
        era = era_of(self.version)
        uuid = draw_uuid(self.rng)
        head: Record = {
            "parentUuid": self.last_uuid if parent == "" else parent,
            "isSidechain": self.is_sidechain,
        }
        place: Record = {
            "userType": "external",
            **({"entrypoint": "cli"} if era.has_attachments else {}),
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": self.version,
            **({"gitBranch": self.branch} if era.has_git_branch else {}),
        }
        agent: Record = {"agentId": self.agent_id} if self.agent_id is not None else {}
        stamp: Record = {"uuid": uuid, "timestamp": format_time(self.now)}
        if era.has_attachments:
            record = head | agent | {"type": kind} | body | stamp | place | {"slug": self._slug}
        else:
            record = head | place | agent | {"type": kind} | body | stamp
        self.last_uuid = uuid
        line = Line(record, is_human=is_human)
        self.lines.append(line)
        return line

    def open(self, *, name: str | None = None) -> None:
        """The lines that stand before the first prompt are written."""
        era = era_of(self.version)
        if name is not None:
            self.retitle(name)
        if era.has_snapshots:
            self._snapshot()
        if era.has_progress:
            data = {"type": "hook_progress", "hookEvent": "SessionStart", "command": "make hello"}
            self.chain("progress", {"data": data, "toolUseID": draw_uuid(self.rng)})

    def retitle(self, name: str) -> None:
        """The session has this custom title."""
        self.note({"type": "custom-title", "customTitle": name, "sessionId": self.session_id})
        if era_of(self.version).has_agent_name:
            self.note({"type": "agent-name", "agentName": name, "sessionId": self.session_id})

    def prompt(self, text: str, *, shape: str = "string") -> Line:
        """The line of a person's request, its content a string or a list."""
        era = era_of(self.version)
        if era.has_queue_operations and not self.is_sidechain:
            for operation in ("enqueue", "dequeue"):
                stamp = format_time(self.now)
                entry = {"type": "queue-operation", "operation": operation, "timestamp": stamp}
                self.note(entry | {"sessionId": self.session_id})
        content: Any = text if shape == "string" else [{"type": "text", "text": text}]
        body: Record = {"message": {"role": "user", "content": content}}
        if era.has_attachments:
            body = {"promptId": draw_uuid(self.rng)} | body
        line = self.chain("user", body, is_human=not self.is_sidechain)
        self.last_prompt = text
        if era.has_attachments and not self.is_sidechain and self.rng.random() < 0.4:
            self.chain("attachment", {"attachment": {"type": "task_reminder", "content": [], "itemCount": 0}})
        return line

    def say_as_user(self, text: str, *, shape: str = "string", **more: Any) -> Line:
        """The line of something that stands in a person's place and is none: commands, caveats, notices."""
        content: Any = text if shape == "string" else [{"type": "text", "text": text}]
        return self.chain("user", {"message": {"role": "user", "content": content}} | more)

    def answer(self, blocks: list[Record], *, stop: str = "end_turn") -> list[Line]:
        """The lines of one message, a block each, with the usage repeated and growing to its last value."""
        usage = {
            "input_tokens": self.rng.randint(2, 40),
            "cache_creation_input_tokens": self.rng.randint(0, 4000),
            "cache_read_input_tokens": self.rng.randint(4000, 90000),
            "output_tokens": self.rng.randint(1, 9),
            "service_tier": "standard",
        }
        message_id = "msg_01" + draw_hex(self.rng, 22)
        request_id = "req_01" + draw_hex(self.rng, 22)
        lines = []
        for number, block in enumerate(blocks, start=1):
            is_last = number == len(blocks)
            if is_last:
                usage = usage | {"output_tokens": self.rng.randint(10, 900)}
            message = {
                "model": era_of(self.version).model,
                "id": message_id,
                "type": "message",
                "role": "assistant",
                "content": [block],
                "stop_reason": stop if is_last else None,
                "stop_sequence": None,
                "usage": usage,
            }
            lines.append(self.chain("assistant", {"message": message, "requestId": request_id}))
        return lines

    def use_tool(
        self, name: str, arguments: Record, output: Any, *, before: list[Record] | None = None
    ) -> Line:
        """The line of the tool's result; the call stands before it."""
        tool_use_id = "toolu_01" + draw_hex(self.rng, 22)
        call = {"type": "tool_use", "id": tool_use_id, "name": name, "input": arguments}
        self.answer([*(before or []), call], stop="tool_use")
        return self.tool_result(tool_use_id, output)

    def tool_result(self, tool_use_id: str, output: Any, *, is_error: bool = False) -> Line:
        """The line of a tool's result."""
        result = {"tool_use_id": tool_use_id, "type": "tool_result", "content": output, "is_error": is_error}
        detail: Any = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        if is_error:
            detail = f"Error: {output}"
        elif isinstance(output, list):
            detail = output
        body = {"message": {"role": "user", "content": [result]}, "toolUseResult": detail}
        return self.chain("user", body)

    def turn(self, *, may_edit: bool = True) -> None:
        """A request was made, worked on and answered."""
        ask = self.story.asks[self._asked % len(self.story.asks)]
        self._asked += 1
        self.wait(seconds=self.rng.uniform(20, 900))
        self.prompt(ask.prompt, shape=self.rng.choice(("string", "string", "list")))
        thought = f"{self.story.title}: {ask.prompt}"
        before = [
            {"type": "thinking", "thinking": thought, "signature": draw_hex(self.rng, 32)},
            {"type": "text", "text": ask.opening},
        ]
        self.run_something(before=before)
        if may_edit and self.rng.random() < 0.5:
            self.edit_file(self.rng.choice(self.story.files))
        self.answer([{"type": "text", "text": ask.closing}])
        self.end_turn()

    def end_turn(self) -> None:
        """The lines that stand after an answer are written."""
        era = era_of(self.version)
        if era.has_turn_duration:
            self.chain("system", {"subtype": "turn_duration", "durationMs": self.rng.randint(900, 90000)})
        if era.has_snapshots and self.rng.random() < 0.4:
            self._snapshot()
        if era.has_last_prompt and not self.is_sidechain:
            self.write_last_prompt()

    def write_last_prompt(self) -> None:
        """The line of the last prompt, which has no timestamp, is written."""
        entry = {"type": "last-prompt", "lastPrompt": self.last_prompt[:200], "sessionId": self.session_id}
        self.note(entry)

    def turns(self, n: int) -> None:
        """So many requests were made and answered."""
        for _ in range(n):
            self.turn()

    def run_something(self, *, before: list[Record] | None = None) -> Line:
        """The line of a command's result."""
        command, output = self.rng.choice(self.story.runs)
        if self.rng.random() < 0.3:
            file = self.rng.choice(self.story.files)
            command, output = (
                f"grep -n '' {file}",
                write_output(self.rng, n_lines=self.output_lines, file=file),
            )
        return self.use_tool("Bash", {"command": command, "description": "Look"}, output, before=before)

    def edit_file(self, file: str) -> Line:
        """The line of an edit's result."""
        path = self.cwd + "/" + file
        new = f"limit = {self.rng.randint(2, 99)}"
        arguments = {"file_path": path, "old_string": "limit = 1", "new_string": new}
        return self.use_tool("Edit", arguments, f"The file {path} has been updated.")

    def change_dir(self, cwd: str, *, branch: str | None = None) -> None:
        """A shell `cd` was run, and later lines carry the new directory."""
        old = self.cwd
        call = {"command": f"cd {cwd} && pwd", "description": "Change directory"}
        tool_use_id = "toolu_01" + draw_hex(self.rng, 22)
        self.answer([{"type": "tool_use", "id": tool_use_id, "name": "Bash", "input": call}], stop="tool_use")
        self.cwd = cwd
        self.branch = branch or self.branch
        self.tool_result(tool_use_id, cwd if cwd != old else old)

    def relocate(self, cwd: str) -> None:
        """The session says that it moved, and later lines carry the new directory."""
        self.note({"type": "relocated", "sessionId": self.session_id, "relocatedCwd": cwd})
        self.cwd = cwd

    def write_worktree_state(self, state: Record | None) -> None:
        """The line that tells the worktree of the session, or that it left, is written."""
        self.note({"type": "worktree-state", "worktreeSession": state, "sessionId": self.session_id})

    def copy_lines(self, *, n_lines: int | None = None) -> list[Line]:
        """Copies of the first lines, free to be changed."""
        return [
            replace(
                line, record=dict(line.record) if line.record is not None else None, flaws=list(line.flaws)
            )
            for line in self.lines[:n_lines]
        ]

    def adopt(self, lines: list[Line]) -> None:
        """The lines stand in this transcript, and the next one hangs on the last of them."""
        self.lines.extend(lines)
        for line in lines:
            if line.record is not None and isinstance(line.record.get("uuid"), str):
                self.last_uuid = line.record["uuid"]

    def to_bytes(self) -> bytes:
        """The file as it would be written."""
        return b"".join(line.to_bytes() for line in self.lines)

    def _snapshot(self) -> None:
        message_id = draw_uuid(self.rng)
        inner = {"messageId": message_id, "trackedFileBackups": {}, "timestamp": format_time(self.now)}
        snapshot = {"type": "file-history-snapshot", "messageId": message_id, "snapshot": inner}
        self.note(snapshot | {"isSnapshotUpdate": False})
