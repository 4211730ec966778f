"""Project keys, spelled out the slow way: a twin of the rules under test that shares no code with them."""

from __future__ import annotations

import unicodedata

_KEPT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"

Version = tuple[int, int, int]


def parse_version(text: str) -> Version:
    """The three numbers of an agent version."""
    major, minor, patch = text.split(".")
    return int(major), int(minor), int(patch)


def utf16_units(path: str) -> list[int]:
    """The UTF-16 code units of a path."""
    raw = path.encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def dash_units(path: str) -> str:
    """The path with a dash for each UTF-16 unit outside letters and digits."""
    return "".join(chr(unit) if unit < 128 and chr(unit) in _KEPT else "-" for unit in utf16_units(path))


def hash_units(path: str) -> int:
    """The signed 32-bit hash over the UTF-16 units of a path."""
    value = 0
    for unit in utf16_units(path):
        value = (value * 31 + unit) % 2**32
    return value - 2**32 if value >= 2**31 else value


def to_base36(number: int) -> str:
    """A number that is not negative, in base 36."""
    digits = ""
    while number:
        number, rest = divmod(number, 36)
        digits = _BASE36[rest] + digits
    return digits or "0"


def key_of(path: str, *, version: str) -> str:
    """The folder name that an agent of this version makes for a directory (Node and native builds)."""
    number = parse_version(version)
    if (2, 1, 42) <= number <= (2, 1, 156):
        path = unicodedata.normalize("NFC", path)
    dashed = dash_units(path)
    if number < (2, 1, 47) or len(dashed) <= 200:
        return dashed
    return f"{dashed[:200]}-{to_base36(abs(hash_units(path)))}"
