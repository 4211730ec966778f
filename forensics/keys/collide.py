"""Directories made to share a key: what a rule cannot tell apart, shown by construction.

Nothing is searched for: each mechanism follows from the rule. The 64-bit wyhash has no such construction
here; under it a long path shares its key only with its other normal forms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from forensics.keys.encode import encode, resolve_lexical
from forensics.keys.hashing import hash_int32, to_bytes
from forensics.keys.rules import Rule, load_rules

SEPARATORS: Final = "-_. /"
HANGUL: Final = "한글"
KANJI: Final = "日本"
ASTRAL: Final = "😀"
TAIL_LENGTH: Final = 10

_WORDS: Final = re.compile("[\u0080-\ud7ff\ue000-\uffff]+")
_PAIR_OF_BMP: Final = re.compile("[^A-Za-z0-9/\\\\:\U00010000-\U0010ffff]{2}")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Collision:
    """Another directory with the same key, and the mechanism that made it."""

    kind: str
    cwd: str


def collide(cwd: str, rule: Rule | str) -> Iterator[Collision]:
    """Yield other resolved directories that have the same key as this one under a rule.

    Kinds: separator, astral, script, normal_form, case, run, block_swap, negated_hash, equal_hash. Each is
    checked by encoding it, none comes twice.
    Raises: RulesError when a rule is named that is not known.
    """
    known = load_rules().get(rule) if isinstance(rule, str) else rule
    key = encode(cwd, known)
    if key is None:
        return
    seen = {cwd}
    for kind, other in _proposals(cwd, known):
        if other not in seen and resolve_lexical(other) == other and encode(other, known) == key:
            seen.add(other)
            yield Collision(kind, other)


def _proposals(cwd: str, rule: Rule) -> Iterator[tuple[str, str]]:
    for form in ("NFC", "NFD"):
        yield "normal_form", unicodedata.normalize(form, cwd)
    if rule.limit and rule.hash == "int32" and rule.hash_over == "path":
        yield from _beyond_limit(cwd, rule)
    yield from (("separator", other) for other in _other_separators(cwd, rule))
    yield from (("script", other) for other in _other_scripts(cwd))
    yield from (("astral", other) for other in _other_planes(cwd, rule))
    if rule.lower:
        yield from (("case", cwd[:at] + cwd[at:].swapcase()) for at in range(len(cwd)))
    if rule.collapse:
        yield from (("run", cwd[: at + 1] + "-" + cwd[at + 1 :]) for at in range(len(cwd)))


def _other_separators(cwd: str, rule: Rule) -> Iterator[str]:
    allowed = SEPARATORS if rule.replaced == "other" else f"-{rule.replaced}"
    for at in range(1, len(cwd)):
        if cwd[at] in allowed:
            for char in allowed:
                yield cwd[:at] + char + cwd[at + 1 :]


def _other_scripts(cwd: str) -> Iterator[str]:
    for script in (HANGUL, KANJI):
        yield _WORDS.sub(lambda match, script=script: (script * len(match[0]))[: len(match[0])], cwd)  # type: ignore[misc]


def _other_planes(cwd: str, rule: Rule) -> Iterator[str]:
    for match in _ASTRAL.finditer(cwd):
        for bmp in (KANJI, HANGUL, KANJI[0], "__", "____"):
            yield cwd[: match.start()] + bmp + cwd[match.end() :]
    for match in _PAIR_OF_BMP.finditer(cwd):
        yield cwd[: match.start()] + (ASTRAL if rule.unit == "utf16" else ASTRAL * 2) + cwd[match.end() :]


def _beyond_limit(cwd: str, rule: Rule) -> Iterator[tuple[str, str]]:
    path = unicodedata.normalize("NFC", cwd) if rule.normal_form == "nfc" else cwd
    at = _index_of_unit(path, rule)
    if at is None:
        return
    head, tail = path[:at], path[at:]
    for place in range(len(tail) - 1):
        for step in (1, -1):
            if swapped := _swap_block(tail, place, step):
                yield "block_swap", head + swapped
    number = hash_int32(path, unit=rule.unit)
    if rule.hash_sign == "abs":
        yield "negated_hash", head + tail_with_hash(hash_int32(head, unit=rule.unit), -number)
    yield "equal_hash", head + tail_with_hash(hash_int32(head, unit=rule.unit), number)
    for other in _other_separators(head, rule):
        yield "equal_hash", other + tail_with_hash(hash_int32(other, unit=rule.unit), number)


def _index_of_unit(path: str, rule: Rule) -> int | None:
    """Return the index of the first character wholly past the limit, or None when the path is not over it.

    The index is the end of the path where its last character lies across the limit.
    """
    count = 0
    for at, char in enumerate(path):
        if count >= rule.limit:
            return at
        count += _width(char, rule.unit)
    return len(path) if count > rule.limit else None


def _width(char: str, unit: str) -> int:
    if unit == "byte":
        return len(to_bytes(char))
    return 2 if unit == "utf16" and char > "\uffff" else 1


def _swap_block(tail: str, place: int, step: int) -> str | None:
    """Return the tail with one unit more here and 31 less in the next place: `Aa` becomes `BB`."""
    first, second = ord(tail[place]) + step, ord(tail[place + 1]) - 31 * step
    if not all(0 < code < 128 and chr(code).isalnum() for code in (first, second)):
        return None
    return f"{tail[:place]}{chr(first)}{chr(second)}{tail[place + 2 :]}"


def tail_with_hash(head_hash: int, target: int, length: int = TAIL_LENGTH) -> str:
    """Return lower-case letters after which a text that hashed to one number hashes to another.

    The hash is a number in base 31 modulo 2^32: of the multiples that reach the target, the first is taken
    whose digits are all letters. Ten letters leave thousands of multiples, of which one in six will do.
    """
    start = head_hash * 31**length + sum(ord("a") * 31**place for place in range(length))
    rest = (target - start) % (1 << 32)
    while True:
        digits = [rest // 31**place % 31 for place in range(length - 1, -1, -1)]
        if rest < 31**length and max(digits) < 26:
            return "".join(chr(ord("a") + digit) for digit in digits)
        rest += 1 << 32
