"""One line of a transcript as its writer meant it, and as it stands in the file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

Record = dict[str, Any]


@dataclass(slots=True)
class Flaw:
    """A fault of one line, before its line number is known."""

    kind: str
    variant: str = ""
    n_records: int = 0
    repeats: Line | None = None


@dataclass(slots=True)
class Line:
    """A line: `record` is what was meant, `raw` what stands there when that differs."""

    record: Record | None
    is_human: bool = False
    raw: bytes | None = None
    ending: bytes = b"\n"
    flaws: list[Flaw] = field(default_factory=list)

    def to_bytes(self) -> bytes:
        """The bytes of the line with its ending."""
        if self.raw is not None:
            return self.raw + self.ending
        return (encode_record(self.record) if self.record is not None else b"") + self.ending

    @property
    def is_sound(self) -> bool:
        """True for a whole record whose faults, if any, lie outside it."""
        return self.record is not None and all(flaw.kind in NOTED for flaw in self.flaws)

    @property
    def cwd(self) -> str | None:
        """The working directory that the writer recorded."""
        value = self.record.get("cwd") if self.record is not None else None
        return value if isinstance(value, str) else None


NOTED = frozenset({"crlf", "no_final_newline"})


def encode_record(record: Record) -> bytes:
    """A record as the agent writes it: compact, non-ASCII left as it is."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def draw_uuid(rng: Random) -> str:
    """A version 4 UUID."""
    bits = rng.getrandbits(128)
    digits = f"{bits & ~(0xF << 76) & ~(3 << 62) | 4 << 76 | 2 << 62:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def draw_hex(rng: Random, n_digits: int) -> str:
    """Lower-case hexadecimal digits."""
    return f"{rng.getrandbits(4 * n_digits):0{n_digits}x}"


def format_time(at: datetime) -> str:
    """A time as agents write it, to the millisecond."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def to_ns(at: datetime) -> int:
    """A time in nanoseconds since 1970, to the millisecond."""
    return int(at.timestamp()) * 1_000_000_000 + at.microsecond // 1000 * 1_000_000
