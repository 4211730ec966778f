"""Large transcripts of realistic shape, made from templates so that gigabytes take seconds.

A turn is a handful of lines: a prompt, an answer in three records that repeat its usage, a tool result, a
last answer, the notes between them. Identities are drawn and texts are slices of one escaped pool, so that a
file is made once to count its truth and once more when it is laid out, and never held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from random import Random

from .bulk_templates import make_templates
from .lines import draw_hex, draw_uuid, encode_record, format_time
from .spec import BulkSpec
from .stories import load_stories, write_output, write_sentence
from .truth import Damage

LONGEST_LINE = 64 << 20
_N_SENTENCES = 12_000
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Pool:
    """Escaped text and the offsets at which it may be cut."""

    text: bytes
    cuts: tuple[int, ...]

    def draw(self, rng: Random, *, n_pieces: int) -> bytes:
        """So many consecutive pieces of the text."""
        first = int(rng.random() * (len(self.cuts) - n_pieces - 1))
        return self.text[self.cuts[first] : self.cuts[first + n_pieces]]


@cache
def make_pool(kind: str) -> Pool:
    """A pool of prose, or of lines as tools print them; the same in every world."""
    rng = Random(f"pool {kind}")  # noqa: S311
    pieces = []
    asks = [text for story in load_stories() for ask in story.asks for text in (ask.prompt, ask.closing)]
    for _ in range(_N_SENTENCES):
        if kind == "prose":
            piece = f"{rng.choice(asks)} " if rng.random() < 0.2 else f"{write_sentence(rng)} "
            piece += "\n\n" if rng.random() < 0.1 else ""
        else:
            piece = write_output(rng, n_lines=1, file=f"src/part_{rng.randint(1, 40)}.py") + "\n"
        pieces.append(encode_record({"": piece})[5:-2])
    cuts = [0]
    for escaped in pieces:
        cuts.append(cuts[-1] + len(escaped))
    return Pool(b"".join(pieces), tuple(cuts))


@dataclass(slots=True)
class BulkCount:
    """What one large file holds, counted while its lines are planned."""

    n_bytes: int = 0
    n_lines: int = 0
    n_blank: int = 0
    n_message_ids: int = 0
    tokens: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    types: dict[str, int] = field(default_factory=dict)
    n_with_cwd: int = 0
    n_damaged_with_cwd: int = 0
    first_with_cwd: int = 0
    last_with_cwd: int = 0
    human_lines: list[int] = field(default_factory=list)
    compactions: list[tuple[int, int, int]] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    first_time: datetime | None = None
    last_time: datetime | None = None


@dataclass(frozen=True, slots=True)
class BulkFile:
    """One large transcript, described and not yet made."""

    seed: str
    session_id: str
    cwd: str
    version: str
    start: datetime
    spec: BulkSpec
    n_bytes: int

    def write(self) -> Iterator[bytes]:
        """The bytes in blocks of about a megabyte."""
        block: list[bytes] = []
        size = 0
        for line in self.lines(BulkCount()):
            block.append(line)
            size += len(line)
            if size >= _BLOCK:
                yield b"".join(block)
                block, size = [], 0
        yield b"".join(block)

    def count(self) -> BulkCount:
        """What the file will hold."""
        count = BulkCount()
        for _ in self.lines(count):
            pass
        return count

    def lines(self, count: BulkCount) -> Iterator[bytes]:
        """The lines with their newlines; `count` grows with each."""
        yield from _Bulk(self, count).run()


class _Bulk:
    """The agent of one large transcript."""

    def __init__(self, file: BulkFile, count: BulkCount) -> None:
        self.file = file
        self.count = count
        self.rng = Random(file.seed)  # noqa: S311
        self.prose = make_pool("prose")
        self.output = make_pool("output")
        self.now = file.start
        self.shape = make_templates(cwd=file.cwd, session_id=file.session_id, version=file.version)
        self.parent = self._uuid()

    def run(self) -> Iterator[bytes]:
        spec = self.file.spec
        count = self.count
        turn = 0
        while count.n_bytes < self.file.n_bytes or turn == 0:
            turn += 1
            yield from self._turn()
            if turn == 1 and spec.long_line_bytes:
                yield self._long_result(spec.long_line_bytes)
                yield self._say(self.shape.text, self._answer_id(), self._prose(2))
            if spec.blank_every and turn % spec.blank_every == 0:
                count.n_blank += 1
                yield self._tally(b"\n")
            if spec.compact_every and turn % spec.compact_every == 0:
                yield from self._compact()
            if spec.damage_every and turn % spec.damage_every == 0:
                yield from self._damage(turn // spec.damage_every)
                yield self._say(self.shape.text, self._answer_id(), self._prose(2))
        count.last_time = self.now

    def _turn(self) -> Iterator[bytes]:
        self.count.human_lines.append(self.count.n_lines + 1)
        prompt = self._prose(3)
        line = self._chained(self.shape.prompt, "user", self._uuid(), prompt)
        if len(self.count.human_lines) == 1:
            self.count.first_time = self.now
        yield line
        ids = self._answer_id()
        yield self._say(
            self.shape.thinking, ids, self._prose(12), draw_hex(self.rng, 400).encode(), is_last=False
        )
        yield self._say(self.shape.text, ids, self._prose(5), is_last=False)
        tool_id = b"toolu_01" + draw_hex(self.rng, 22).encode()
        yield self._say(self.shape.call, ids, tool_id, self._prose(1))
        text = self.output.draw(self.rng, n_pieces=1 + int(self.rng.expovariate(1 / 120)))
        yield self._chained(self.shape.result, "user", tool_id, text, text)
        yield self._say(self.shape.text, self._answer_id(), self._prose(20))
        yield self._noted(self.shape.last_prompt % prompt, "last-prompt")

    def _long_result(self, n_bytes: int) -> bytes:
        """A tool's result on one line that is longer than this; past the limit it counts as damage."""
        tool_id = b"toolu_01" + draw_hex(self.rng, 22).encode()
        text = self.output.draw(self.rng, n_pieces=1000)
        text *= n_bytes // (2 * len(text)) + 1
        if n_bytes <= LONGEST_LINE:
            return self._chained(self.shape.result, "user", tool_id, text, text)
        self.count.damage.append(Damage(self.count.n_lines + 1, "too_long", "", 1, self.file.cwd))
        self.count.n_damaged_with_cwd += 1
        line = self.shape.result % (self.parent, tool_id, text, text, self._uuid(), self._stamp())
        return self._tally(line)

    def _compact(self) -> Iterator[bytes]:
        number = self.rng.randint(120_000, 180_000)
        at = self.count.n_lines + 1
        self.count.compactions.append((at, at + 1, number))
        yield self._chained(self.shape.boundary, "system", b"%d" % number)
        yield self._chained(self.shape.summary, "user", self._prose(60))

    def _damage(self, which: int) -> Iterator[bytes]:
        """One more line, spoiled; nothing that is counted elsewhere depends on it."""
        text = self.output.draw(self.rng, n_pieces=20)
        whole = self.shape.result % (
            self.parent,
            b"toolu_01" + b"0" * 22,
            text,
            text,
            self._uuid(),
            self._stamp(),
        )
        line = whole[:-1]
        note = b'{"type":"mode","mode":"normal","sessionId":"%b"}' % self.file.session_id.encode()
        kind, variant, n_records, spoiled = (
            ("torn", "lost", 0, line[line.index(b'"', len(line) // 2) + 1 :]),
            ("truncated", "in_a_string", 0, line[: line.index(b"tool_result") + 40]),
            ("glued", "", 2, note + note),
            ("nul", "before", 1, b"\0" * 64 + note),
            ("nul", "instead", 0, b"\0" * 4096),
            ("bad_utf8", "", 0, note.replace(b"normal", b"nor\xffmal")),
            ("text", "", 0, b"Error: write EPIPE"),
            ("not_object", "", 0, b"[1,2,3]"),
        )[which % 8]
        has_cwd = kind in {"torn", "truncated"}
        cwd = self.file.cwd if has_cwd else None
        self.count.damage.append(Damage(self.count.n_lines + 1, kind, variant, n_records, cwd))
        self.count.n_damaged_with_cwd += has_cwd
        yield self._tally(spoiled + b"\n")

    def _say(
        self, template: bytes, ids: tuple[bytes, bytes, list[int]], *slots: bytes, is_last: bool = True
    ) -> bytes:
        message_id, request_id, usage = ids
        if is_last:
            usage[3] = self.rng.randint(10, 900)
            self.count.n_message_ids += 1
            for place, value in enumerate(usage):
                self.count.tokens[place] += value
        self._place("assistant")
        uuid = self._uuid()
        numbers = [b"%d" % value for value in usage]
        line = template % (self.parent, message_id, *slots, *numbers, request_id, uuid, self._stamp())
        self.parent = uuid
        return self._tally(line)

    def _chained(self, template: bytes, kind: str, *slots: bytes) -> bytes:
        self._place(kind)
        uuid = self._uuid()
        line = template % (self.parent, *slots, uuid, self._stamp())
        self.parent = uuid
        return self._tally(line)

    def _noted(self, line: bytes, kind: str) -> bytes:
        self.count.types[kind] = self.count.types.get(kind, 0) + 1
        return self._tally(line)

    def _place(self, kind: str) -> None:
        count = self.count
        count.types[kind] = count.types.get(kind, 0) + 1
        count.n_with_cwd += 1
        count.last_with_cwd = count.n_lines + 1
        count.first_with_cwd = count.first_with_cwd or count.last_with_cwd

    def _tally(self, line: bytes) -> bytes:
        self.count.n_bytes += len(line)
        self.count.n_lines += 1
        return line

    def _prose(self, n_pieces: int) -> bytes:
        return self.prose.draw(self.rng, n_pieces=n_pieces)

    def _answer_id(self) -> tuple[bytes, bytes, list[int]]:
        usage = [self.rng.randint(2, 40), self.rng.randint(0, 4000), self.rng.randint(4000, 90000), 1]
        tail = draw_hex(self.rng, 44).encode()
        return b"msg_01" + tail[:22], b"req_01" + tail[22:], usage

    def _uuid(self) -> bytes:
        return draw_uuid(self.rng).encode()

    def _stamp(self) -> bytes:
        self.now += timedelta(milliseconds=400 + int(self.rng.random() * 9000))
        return format_time(self.now).encode()
