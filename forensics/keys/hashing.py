"""The hashes that long keys end in, and the digits they are written with."""

from __future__ import annotations

import re
from typing import Final

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
INT32_SUFFIX_MAX: Final = 6
WYHASH64_SUFFIX_MAX: Final = 13

NOT_A_BYTE: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")

_MASK: Final = (1 << 64) - 1
_SECRET: Final = (0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3)


def hash_int32(text: str, *, unit: str = "utf16") -> int:
    """Return the signed 32-bit `h*31 + unit` over the units of a text.

    Units: `utf16` counts UTF-16 units as JavaScript does, `codepoint` characters, `byte` UTF-8 bytes.
    Source: `(h << 5) - h + s.charCodeAt(i) | 0` in the CLI and in both SDKs.
    """
    h = 0
    for value in _units(text, unit):
        h = (h * 31 + value) & 0xFFFFFFFF
    return h - (1 << 32) if h & 0x80000000 else h


def _units(text: str, unit: str) -> memoryview[int] | bytes:
    if unit == "byte":
        return to_bytes(text)
    if unit == "utf16":
        return memoryview(text.encode("utf-16", "surrogatepass")).cast("H")[1:]
    return memoryview(text.encode("utf-32", "surrogatepass")).cast("I")[1:]


def to_bytes(text: str) -> bytes:
    """Return the UTF-8 bytes that a file name of this spelling has on disk.

    Surrogate escapes give back their byte; any other lone surrogate becomes U+FFFD, as in a UTF-8 encoder.
    """
    return NOT_A_BYTE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def join_surrogates(text: str) -> str:
    """Return the text with each pair of surrogates joined to its astral character, as JavaScript reads it."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def wyhash64(data: bytes, *, seed: int = 0) -> int:
    """Return the unsigned 64-bit wyhash of some bytes.

    Source: `std.hash.Wyhash` of Zig, which `Bun.hash` calls; it is wyhash final version 4.
    """
    size = len(data)
    seed &= _MASK
    state = seed ^ _mix(seed ^ _SECRET[0], _SECRET[1])
    if size <= 16:
        a, b = _read_small(data)
    else:
        at = 0
        if size >= 48:
            one = two = state
            while at + 48 < size:
                state = _mix(_read8(data, at) ^ _SECRET[1], _read8(data, at + 8) ^ state)
                one = _mix(_read8(data, at + 16) ^ _SECRET[2], _read8(data, at + 24) ^ one)
                two = _mix(_read8(data, at + 32) ^ _SECRET[3], _read8(data, at + 40) ^ two)
                at += 48
            state ^= one ^ two
        while at + 16 < size:
            state = _mix(_read8(data, at) ^ _SECRET[1], _read8(data, at + 8) ^ state)
            at += 16
        a = _read8(data, size - 16)
        b = _read8(data, size - 8)
    product = (a ^ _SECRET[1]) * (b ^ state)
    return _mix((product & _MASK) ^ _SECRET[0] ^ size, (product >> 64) ^ _SECRET[1])


def _mix(a: int, b: int) -> int:
    product = a * b
    return (product ^ (product >> 64)) & _MASK


def _read8(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _read4(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _read_small(data: bytes) -> tuple[int, int]:
    size = len(data)
    if size >= 4:
        quarter = (size >> 3) << 2
        end = size - 4
        a = _read4(data, 0) << 32 | _read4(data, quarter)
        b = _read4(data, end) << 32 | _read4(data, end - quarter)
        return a, b
    if size:
        return data[0] << 16 | data[size >> 1] << 8 | data[-1], 0
    return 0, 0


def base36(number: int) -> str:
    """Return a number in base 36 with lower-case digits, a minus sign first when it is negative."""
    if number < 0:
        return "-" + base36(-number)
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
        if not number:
            return digits
