"""Damage as it is met in real transcripts; each function spoils lines that nothing else depends on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .lines import Flaw, Line, Record, encode_record

Spoil = Callable[[list[Line], Random, int], None]


def find_victims(lines: list[Line]) -> list[int]:
    """Positions of lines to spoil: inside a run of one cwd, no prompt, no last record of a message."""
    last_of: dict[str, int] = {}
    for at, line in enumerate(lines):
        if line.record is not None and line.record["type"] == "assistant":
            last_of[line.record["message"]["id"]] = at
    placed = [at for at, line in enumerate(lines) if line.cwd is not None]
    inside = [
        at
        for before, at, after in zip(placed, placed[1:], placed[2:], strict=False)
        if lines[before].cwd == lines[at].cwd == lines[after].cwd
        and all(not lines[near].flaws for near in (before, at, after))
    ]
    return [at for at in inside if _is_spare(lines[at], at, last_of)]


def _is_spare(line: Line, at: int, last_of: dict[str, int]) -> bool:
    record = line.record
    if record is None or line.is_human:
        return False
    if record["type"] == "assistant":
        return last_of[record["message"]["id"]] != at
    if record["type"] != "user" or record.get("isMeta") or record.get("isCompactSummary"):
        return False
    content = record["message"]["content"]
    return isinstance(content, list) and content[0]["type"] == "tool_result"


def _choose(lines: list[Line], rng: Random, *, assistant: bool | None = None) -> Line:
    fitting = [
        at
        for at in find_victims(lines)
        if assistant is None or ((lines[at].record or {}).get("type") == "assistant") is assistant
    ]
    if not fitting:
        raise AssertionError("no line of this transcript may be spoiled")
    return lines[rng.choice(fitting)]


def _bytes_of(line: Line) -> bytes:
    return encode_record(line.record) if line.record is not None else b""


def spoil_torn(lines: list[Line], rng: Random, variant: int) -> None:
    """The head of a record is gone, or the tail of an earlier line stands again."""
    if variant % 2 == 0:
        line = _choose(lines, rng)
        data = _bytes_of(line)
        line.raw = data[data.index(b'"', len(data) // 3) + 1 :]
        line.flaws.append(Flaw("torn", "lost"))
        return
    earlier = _choose(lines, rng)
    data = _bytes_of(earlier)
    tail = data[data.index(b'"', len(data) // 2) + 1 :]
    lines.insert(
        lines.index(earlier) + 1, Line(None, raw=tail, flaws=[Flaw("torn", "repeats", repeats=earlier)])
    )


def spoil_truncated(lines: list[Line], rng: Random, variant: int) -> None:
    """A record ends early."""
    line = _choose(lines, rng)
    data = _bytes_of(line)
    cut = (len(data) * 2 // 3, len(data) - 1, 2)[variant % 3]
    while data[cut] & 0xC0 == 0x80:
        cut -= 1
    line.raw = data[:cut]
    line.flaws.append(Flaw("truncated", ("in_a_string", "last_byte", "third_byte")[variant % 3]))


def spoil_glued(lines: list[Line], rng: Random, variant: int) -> None:
    """Two or three whole records stand on one line."""
    line = _choose(lines, rng)
    extra = 1 + variant % 2
    parts = [_bytes_of(line)]
    for _ in range(extra):
        note = {"type": "queue-operation", "operation": "dequeue", "timestamp": "2026-09-01T07:00:00.000Z"}
        parts.append(encode_record(note | {"sessionId": (line.record or {}).get("sessionId")}))
    line.raw = b"".join(parts)
    line.flaws.append(Flaw("glued", n_records=1 + extra))


def spoil_nul(lines: list[Line], rng: Random, variant: int) -> None:
    """NUL bytes stand before a record, after it, or instead of one."""
    where = ("before", "after", "instead")[variant % 3]
    if where == "instead":
        victims = find_victims(lines)
        lines.insert(victims[0], Line(None, raw=b"\0" * rng.randint(1, 512), flaws=[Flaw("nul", where)]))
        return
    line = _choose(lines, rng)
    run = b"\0" * rng.randint(1, 300)
    line.raw = run + _bytes_of(line) if where == "before" else _bytes_of(line) + run
    line.flaws.append(Flaw("nul", where, n_records=1))


def _spoil_text(lines: list[Line], rng: Random, *, inside: bytes, flaw: Flaw) -> None:
    line = _choose(lines, rng, assistant=False)
    data = _bytes_of(line)
    at = data.index(b'"is_error"')
    at = data.rindex(b'"', 0, data.rindex(b",", 0, at))
    line.raw = data[:at] + inside + data[at:]
    line.flaws.append(flaw)


def spoil_bad_utf8(lines: list[Line], rng: Random, variant: int) -> None:
    """Bytes that are not UTF-8 stand inside a string."""
    bad = (b"\xff\xfe", b"\xe3\x81", b"\xc0\xaf", b"\xed\xa0\x80")[variant % 4]
    _spoil_text(lines, rng, inside=bad, flaw=Flaw("bad_utf8"))


def spoil_lone_surrogate(lines: list[Line], rng: Random, variant: int) -> None:
    """Half of a surrogate pair stands escaped in a string."""
    half = (b"\\ud83d", b"\\udc00", b"\\ude00\\ud83d")[variant % 3]
    _spoil_text(lines, rng, inside=half, flaw=Flaw("lone_surrogate", n_records=1))


def spoil_control(lines: list[Line], rng: Random, variant: int) -> None:
    """A control character stands in a string without being escaped."""
    char = (b"\x1b[31m", b"\t", b"\x07", b"\x01")[variant % 4]
    _spoil_text(lines, rng, inside=char, flaw=Flaw("control"))


def spoil_bom(lines: list[Line], rng: Random, variant: int) -> None:
    """The file begins with a byte order mark."""
    if lines[0].cwd is not None:
        note: Record = {
            "type": "mode",
            "mode": "normal",
            "sessionId": (lines[0].record or {}).get("sessionId"),
        }
        lines.insert(0, Line(note))
    if not lines[0].flaws:
        lines[0].raw = b"\xef\xbb\xbf" + _bytes_of(lines[0])
        lines[0].flaws.append(Flaw("bom", n_records=1))


def _insert_line(lines: list[Line], rng: Random, *, raw: bytes, flaw: Flaw) -> None:
    at = rng.choice(find_victims(lines))
    lines.insert(at, Line(None, raw=raw, flaws=[flaw]))


def spoil_not_object(lines: list[Line], rng: Random, variant: int) -> None:
    """A line is JSON and no object."""
    raw = (b"[1,2,3]", b'"just a string"', b"null", b"17", b"[]")[variant % 5]
    _insert_line(lines, rng, raw=raw, flaw=Flaw("not_object"))


def spoil_with_text(lines: list[Line], rng: Random, variant: int) -> None:
    """A line is plain text."""
    raw = (
        b"Error: ENOSPC: no space left on device, write",
        b"<<<<<<< HEAD",
        "ここまで保存しました".encode(),
        b"Killed",
    )[variant % 4]
    _insert_line(lines, rng, raw=raw, flaw=Flaw("text"))


def spoil_too_deep(lines: list[Line], rng: Random, variant: int) -> None:
    """A record is nested deeper than 512."""
    depth = (513, 600, 5000)[variant % 3]
    raw = b'{"type":"attachment","attachment":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
    _insert_line(lines, rng, raw=raw, flaw=Flaw("too_deep", str(depth)))


def _spoil_field(lines: list[Line], rng: Random, *, old: bytes, new: bytes, flaw: Flaw) -> None:
    line = _choose(lines, rng, assistant=True)
    data = _bytes_of(line)
    start = data.index(old)
    end = start + len(old)
    while data[end : end + 1].isdigit():
        end += 1
    line.raw = data[:start] + new + data[end:]
    line.flaws.append(flaw)


def spoil_type_clash(lines: list[Line], rng: Random, variant: int) -> None:
    """A field has a type of its own."""
    old, new = (
        (b'"isSidechain":false', b'"isSidechain":"false"'),
        (b'"input_tokens":', b'"input_tokens":1.0'),
        (b'"output_tokens":', b'"output_tokens":"many"'),
        (b'"stop_sequence":null', b'"stop_reason":7,"stop_sequence":null'),
    )[variant % 3]
    _spoil_field(
        lines, rng, old=old, new=new, flaw=Flaw("type_clash", old.decode().split('"')[1], n_records=1)
    )


def spoil_out_of_range(lines: list[Line], rng: Random, variant: int) -> None:
    """A count is larger than any real one."""
    number = (b"18446744073709551615", b"9007199254740993", b"123456789012345678901234567890")[variant % 3]
    old = b'"input_tokens":'
    _spoil_field(
        lines, rng, old=old, new=old + number, flaw=Flaw("out_of_range", "input_tokens", n_records=1)
    )


def spoil_duplicate_key(lines: list[Line], rng: Random, variant: int) -> None:
    """A record has one key twice, with two values."""
    line = _choose(lines, rng)
    data = _bytes_of(line)
    twice = (b'"cwd":"/srv/elsewhere",', b'"sessionId":"00000000-0000-4000-8000-000000000000",')[variant % 2]
    line.raw = b"{" + twice + data[1:]
    line.flaws.append(Flaw("duplicate_key", twice.decode().split('"')[1], n_records=1))


def spoil_crlf(lines: list[Line], rng: Random, variant: int) -> None:
    """A line, or every line, ends in CR LF."""
    unspoiled = [line for line in lines if not line.flaws]
    for line in [rng.choice(unspoiled)] if variant % 2 == 0 and unspoiled else unspoiled:
        line.ending = b"\r\n"
        line.flaws.append(Flaw("crlf", n_records=1))


def spoil_last_newline(lines: list[Line], rng: Random, variant: int) -> None:
    """The file ends without a newline."""
    if not lines[-1].flaws:
        lines[-1].ending = b""
        lines[-1].flaws.append(Flaw("no_final_newline", n_records=1))


def spoil_with_blank(lines: list[Line], rng: Random, variant: int) -> None:
    """Blank lines stand between the records."""
    for _ in range(1 + variant % 3):
        lines.insert(rng.randint(1, len(lines)), Line(None))


DAMAGE: dict[str, Spoil] = {
    "torn": spoil_torn,
    "truncated": spoil_truncated,
    "glued": spoil_glued,
    "nul": spoil_nul,
    "bad_utf8": spoil_bad_utf8,
    "lone_surrogate": spoil_lone_surrogate,
    "control": spoil_control,
    "bom": spoil_bom,
    "not_object": spoil_not_object,
    "text": spoil_with_text,
    "too_deep": spoil_too_deep,
    "type_clash": spoil_type_clash,
    "out_of_range": spoil_out_of_range,
    "duplicate_key": spoil_duplicate_key,
    "crlf": spoil_crlf,
    "no_final_newline": spoil_last_newline,
    "blank": spoil_with_blank,
}
