"""Histories of evidence: a case brought up to date equals a fresh one, and keeps all it ever held."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from forensics.case import open_case
from forensics.errors import NothingThereError
from forensics.ingest.verify import verify
from tests.ingest.cases import (
    DERIVED,
    IN_PARTS,
    all_rows,
    bytes_by_path,
    current_rows,
    take,
)
from tests.ingest.evidence import answer, encode, say

ONE = "11111111-2222-4333-8444-555555555551"
TWO = "11111111-2222-4333-8444-555555555552"
THREE = "11111111-2222-4333-8444-555555555553"
TRANSCRIPTS = (
    f"projects/-srv-a/{ONE}.jsonl",
    f"projects/-srv-a/{TWO}.jsonl",
    f"projects/-srv-b/{THREE}.jsonl",
    f"projects/-srv-a/{ONE}/subagents/agent-7.jsonl",
)
OTHERS = (
    f"projects/-srv-a/{ONE}/subagents/agent-7.meta.json",
    f"projects/-srv-a/{ONE}/custom-title.json",
    "projects/-srv-b/notes.txt",
    "projects/-srv-b/memory/MEMORY.jsonl",
    "history.jsonl",
)
PATHS = TRANSCRIPTS + OTHERS
DECOYS = (b'{"display":"x","pastedContents":{}}', b'{"level":"info","msg":"started"}')
DOCUMENTS = (b'{"agentType":"plan","worktreePath":"/srv/w"}', b'{"customTitle":"shop"}', b"[]", b"{", b"")

paths = st.sampled_from(PATHS)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """One line without its newline."""
    uuid = f"u{draw(st.integers(1, 9))}"
    cwd = draw(st.sampled_from(["/srv/a", "/srv/b", "/srv/b/.worktrees/x"]))
    kind = draw(st.sampled_from(["say", "answer", "tool", "title", "torn", "glued", "nul", "crlf", "blank"]))
    if kind == "say":
        return say(f"request {uuid}", uuid=uuid, cwd=cwd)
    if kind == "answer":
        return answer(uuid=uuid, cwd=cwd)
    if kind == "tool":
        block = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/srv/a/x"}}
        return answer(uuid=uuid, message={"id": "m", "content": [block]})
    if kind == "title":
        return encode({"type": "custom-title", "customTitle": uuid, "sessionId": ONE})
    if kind == "torn":
        return say(uuid=uuid)[40:]
    if kind == "glued":
        return say(uuid=uuid) + answer(uuid="u0")
    return {"nul": b"\0" * 5 + say(uuid=uuid), "crlf": say(uuid=uuid) + b"\r", "blank": b""}[kind]


whole_lines = st.lists(lines(), min_size=1, max_size=3).map(lambda some: b"".join(x + b"\n" for x in some))


which = st.integers(0, 30)


class Histories(RuleBasedStateMachine):
    """A root that changes, and a case that takes it in now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="histories-"))
        self.root = self.folder / "root"
        self.case = self.folder / "case"
        self.files: dict[str, bytes] = {}
        self.seen: dict[str, list[bytes]] = {}
        self.n_runs = 0
        self.n_steps = 0
        self.pace = 1

    def write(self, path: str, data: bytes, *, in_place: bool = True) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or (not in_place and target.exists()):
            target.unlink()
        target.write_bytes(data)
        self.files[path] = data

    def pick(self, number: int, *, among: Sequence[str] = PATHS) -> str:
        """One of the files there are, or of all there might be when there is none."""
        there = [path for path in among if path in self.files] or list(among)
        return there[number % len(there)]

    @initialize(some=st.lists(whole_lines, min_size=1, max_size=4), pace=st.integers(1, 3))
    def begin(self, some: list[bytes], pace: int) -> None:
        self.pace = pace
        for path, data in zip(TRANSCRIPTS, some, strict=False):
            self.write(path, say() + b"\n" + data)
        self.write(OTHERS[0], DOCUMENTS[0])

    @rule(number=which, data=whole_lines)
    def append(self, number: int, data: bytes) -> None:
        path = self.pick(number)
        if path not in self.files:
            self.write(path, data)
            return
        with (self.root / path).open("ab") as file:
            file.write(data)
        self.files[path] += data

    @rule(number=which, line=lines(), share=st.floats(0.05, 0.95))
    def append_half_a_line(self, number: int, line: bytes, share: float) -> None:
        path = self.pick(number, among=TRANSCRIPTS)
        self.write(path, self.files.get(path, b"") + line[: int(len(line) * share)])

    @rule(number=which)
    def end_the_last_line(self, number: int) -> None:
        path = self.pick(number)
        self.write(path, self.files.get(path, b"") + b"\n")

    @rule(path=paths, data=whole_lines)
    def create(self, path: str, data: bytes) -> None:
        if path not in self.files:
            self.write(path, data)

    @rule(number=which, data=whole_lines, in_place=st.booleans())
    def replace(self, number: int, data: bytes, in_place: bool) -> None:
        self.write(self.pick(number), data, in_place=in_place)

    @rule(path=st.sampled_from(OTHERS), data=st.sampled_from(DOCUMENTS))
    def write_a_side_file(self, path: str, data: bytes) -> None:
        self.write(path, data)

    @rule(number=which, decoy=st.sampled_from(DECOYS), appended=st.booleans())
    def turn_into_a_decoy(self, number: int, decoy: bytes, appended: bool) -> None:
        path = self.pick(number, among=TRANSCRIPTS)
        before = self.files.get(path, b"") if appended else b""
        self.write(path, before + decoy + b"\n")

    @rule(number=which, flip=st.integers(0, 10_000))
    def change_one_byte(self, number: int, flip: int) -> None:
        path = self.pick(number)
        if data := self.files.get(path):
            at = flip % len(data)
            self.write(path, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])

    @rule(number=which, share=st.floats(0, 0.99))
    def truncate(self, number: int, share: float) -> None:
        path = self.pick(number)
        if data := self.files.get(path):
            os.truncate(self.root / path, int(len(data) * share))
            self.files[path] = data[: int(len(data) * share)]

    @rule(number=which)
    def touch(self, number: int) -> None:
        path = self.pick(number)
        if path in self.files:
            os.utime(self.root / path, ns=(1, 1_700_000_000_000_000_000 + self.n_steps))

    @rule(number=which, becomes=st.sampled_from(["nothing", "empty", "a link"]))
    def delete(self, number: int, becomes: str) -> None:
        path = self.pick(number)
        if self.files.pop(path, None) is not None:
            (self.root / path).unlink()
            if becomes == "empty":
                self.write(path, b"")
            elif becomes == "a link":
                (self.root / path).symlink_to(self.folder / "outside")

    @rule(number=which, to=st.sampled_from(TRANSCRIPTS))
    def rename(self, number: int, to: str) -> None:
        path = self.pick(number, among=TRANSCRIPTS)
        if path in self.files and path != to:
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).rename(self.root / to)
            self.files[to] = self.files.pop(path)

    @rule(number=which, back=st.integers(0, 5))
    def restore(self, number: int, back: int) -> None:
        if self.seen:
            path = sorted(self.seen)[number % len(self.seen)]
            self.write(path, self.seen[path][back % len(self.seen[path])])

    @rule(key=st.sampled_from(["-srv-c", "-srv-a"]))
    def make_an_empty_key(self, key: str) -> None:
        (self.root / "projects" / key).mkdir(parents=True, exist_ok=True)

    @invariant()
    def all_holds_now_and_then(self) -> None:
        self.n_steps += 1
        if self.n_steps % self.pace == 0:
            self.take_in()

    def take_in(self) -> None:
        try:
            take(self.root, self.case)
        except NothingThereError:
            assert self.n_runs == 0
            assert not self.case.exists()
            return
        self.n_runs += 1
        for path, data in self.files.items():
            self.seen.setdefault(path, []).append(data)
        assert verify(self.case, roots={"x": self.root}) == []
        kept = bytes_by_path(self.case)
        for path, contents in self.seen.items():
            for content in contents:
                assert any(one[: len(content)] == content for one in kept[path]), path
        fresh = self.folder / "fresh"
        try:
            take(self.root, fresh)
        except NothingThereError:
            return
        expected, now = current_rows(fresh), current_rows(self.case)
        assert now.keys() == expected.keys()
        for table in expected:
            assert now[table] == expected[table], table
        shutil.rmtree(fresh)

    def teardown(self) -> None:
        try:
            if self.n_runs:
                self._check_views()
        finally:
            shutil.rmtree(self.folder)

    def _check_views(self) -> None:
        rows = current_rows(self.case)
        with open_case(self.case, threads=1) as case:
            for table in (*IN_PARTS, *DERIVED, "gaps", "files"):
                found = case.arrow(table).to_pylist()
                assert len(found) == len(rows[table]), table
                assert case.arrow(f"{table}_all").num_rows == len(all_rows(self.case, table)), table
            assert sorted(x["line_hash"] for x in rows["lines"]) == sorted(
                x["line_hash"] for x in case.arrow("lines").to_pylist()
            )


_many = settings.default.max_examples if settings.default else 100
TestHistories = pytest.mark.slow(Histories.TestCase)
TestHistories.settings = settings(
    max_examples=300 if _many >= 10_000 else max(_many // 8, 5),
    stateful_step_count=14,
)
