"""A second, naive implementation of the rules, written unit by unit from their description."""

from __future__ import annotations

import struct
import unicodedata

ALPHANUMERIC = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def utf16_units(text: str) -> list[int]:
    units: list[int] = []
    for char in text:
        code = ord(char)
        if code >= 0x10000:
            units += [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)]
        else:
            units.append(code)
    return units


def to_nfc(text: str) -> str:
    """NFC as JavaScript sees it: a pair of surrogates is one character."""
    joined = ""
    for char in text:
        if joined and 0xD800 <= ord(joined[-1]) < 0xDC00 <= ord(char) < 0xE000:
            joined = joined[:-1] + chr(0x10000 + (ord(joined[-1]) - 0xD800 << 10) + ord(char) - 0xDC00)
        else:
            joined += char
    return unicodedata.normalize("NFC", joined)


def java_hash(numbers: list[int]) -> int:
    """`h*31 + unit`, wrapped to a signed 32-bit number after each step."""
    h = 0
    for number in numbers:
        h = ((h << 5) - h + number) & 0xFFFFFFFF
    return h - 0x100000000 if h >= 0x80000000 else h


def in_base36(number: int) -> str:
    digits = ""
    while number >= 36:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36] + digits
        number //= 36
    return "0123456789abcdefghijklmnopqrstuvwxyz"[number] + digits


def cli_key(path: str, *, nfc: bool, limit: int | None, wyhash: bool = False) -> str:
    if nfc:
        path = to_nfc(path)
    name = "".join(chr(unit) if chr(unit) in ALPHANUMERIC else "-" for unit in utf16_units(path))
    if limit is None or len(name) <= limit:
        return name
    if wyhash:
        units = utf16_units(path)
        data = struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "replace").encode()
        return f"{name[:limit]}-{in_base36(wyhash_v4(data, 0))}"
    return f"{name[:limit]}-{in_base36(abs(java_hash(utf16_units(path))))}"


def python_sdk_key(path: str) -> str | None:
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    path = unicodedata.normalize("NFC", path)
    name = "".join(char if char in ALPHANUMERIC else "-" for char in path)
    if len(name) <= 200:
        return name
    return f"{name[:200]}-{in_base36(abs(java_hash([ord(char) for char in path])))}"


def pi_key(path: str) -> str:
    if path and path[0] in "/\\":
        path = path[1:]
    return "--" + "".join("-" if char in "/\\:" else char for char in path) + "--"


def wyhash_v4(data: bytes, seed: int) -> int:
    """wyhash final version 4.2, with a place that walks and a length that shrinks, as in C."""
    secret = [0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3]
    full = 1 << 64

    def folded(x: int, y: int) -> int:
        high, low = divmod(x * y, full)
        return high ^ low

    def number(size: int, at: int) -> int:
        return int(struct.unpack_from({4: "<I", 8: "<Q"}[size], data, at)[0])

    total = len(data)
    seed ^= folded(seed ^ secret[0], secret[1])
    if total > 16:
        left, at = total, 0
        if left > 48:
            lanes = [seed] * 3
            while left > 48:
                for lane in range(3):
                    place = at + 16 * lane
                    lanes[lane] = folded(
                        number(8, place) ^ secret[lane + 1], number(8, place + 8) ^ lanes[lane]
                    )
                at, left = at + 48, left - 48
            seed = lanes[0] ^ lanes[1] ^ lanes[2]
        while left > 16:
            seed = folded(number(8, at) ^ secret[1], number(8, at + 8) ^ seed)
            at, left = at + 16, left - 16
        a, b = number(8, total - 16), number(8, total - 8)
    elif total > 3:
        quarter = (total >> 3) << 2
        a = number(4, 0) << 32 | number(4, quarter)
        b = number(4, total - 4) << 32 | number(4, total - 4 - quarter)
    elif total:
        a, b = data[0] << 16 | data[total // 2] << 8 | data[-1], 0
    else:
        a = b = 0
    high, low = divmod((a ^ secret[1]) * (b ^ seed), full)
    return folded(low ^ secret[0] ^ total, high ^ secret[1])
