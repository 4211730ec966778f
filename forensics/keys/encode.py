"""From a working directory to the name of its folder, under one rule or under all."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from forensics.keys.hashing import NOT_A_BYTE, base36, hash_int32, join_surrogates, to_bytes, wyhash64
from forensics.keys.normal import normalize
from forensics.keys.rules import Rule, Ruleset, load_rules

NAMED_MAX: Final = 64
RESERVED_NAMES: Final = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)))
)

_OTHER: Final = re.compile(r"[^A-Za-z0-9]")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NAMED: Final = re.compile(rf"[A-Za-z0-9_-]{{1,{NAMED_MAX}}}")
_ENCODED_PATH: Final = re.compile(r"-[A-Za-z0-9-]*|[A-Za-z]-(-[A-Za-z0-9-]*)?")
_ASCII_DASHES: Final = {code: "-" for code in range(128) if not chr(code).isalnum()}
_WINDOWS: Final = re.compile(r"[A-Za-z]:[\\/]")


def encode(cwd: str, rule: Rule | str) -> str | None:
    """Return the key of a resolved path under a rule, or None where the tool itself refuses the path.

    A lone surrogate counts as the one unit it is, or as the one byte that a surrogate escape stands for where
    a rule counts bytes. Where a JavaScript tool would keep one, the key has U+FFFD, as the folder has.
    Raises: RulesError when a rule is named that is not known.
    """
    if isinstance(rule, str):
        rule = load_rules().get(rule)
    if rule.refuses and NOT_A_BYTE.search(cwd):
        return None
    path = _prepare(cwd, rule)
    name = _replace(_strip(path, rule.strip), rule)
    if rule.limit and len(name) > rule.limit:
        name = f"{name[: rule.limit]}-{hash_suffix(name if rule.hash_over == 'name' else path, rule)}"
    if rule.collapse:
        name = re.sub("-{2,}", "-", name)
    if rule.lower:
        name = name.lower()
    if rule.unit == "utf16" and not name.isascii():
        name = _SURROGATE.sub("\ufffd", name)
    return f"{rule.prefix}{name}{rule.suffix}"


def _prepare(cwd: str, rule: Rule) -> str:
    path = resolve_lexical(cwd) if rule.resolve else cwd
    if path.isascii():
        return path
    if rule.unit == "utf16":
        path = join_surrogates(path)
    return normalize(path, form="NFC") if rule.normal_form == "nfc" else path


def _strip(path: str, strip: str) -> str:
    if strip == "separator" and path[:1] in ("/", "\\"):
        return path[1:]
    if strip == "unit" and path:
        # Of an astral character JavaScript's slice(1) leaves the second half, which no file system takes.
        return ("\ufffd" if path[0] > "\uffff" else "") + path[1:]
    return path


def _replace(path: str, rule: Rule) -> str:
    if rule.replaced != "other":
        return path.translate({ord(char): "-" for char in rule.replaced})
    if path.isascii():
        return path.translate(_ASCII_DASHES)
    if rule.unit == "byte":
        return _OTHER.sub("-", to_bytes(path).decode("latin-1"))
    if rule.unit == "utf16":
        path = _ASTRAL.sub("--", path)
    return _OTHER.sub("-", path)


def hash_suffix(text: str, rule: Rule) -> str:
    """Return what a long name ends in under a rule: the written hash of a text."""
    if rule.hash == "wyhash64":
        # A JavaScript string has no bytes of its own: what it cannot spell in UTF-8 becomes U+FFFD.
        data = to_bytes(text) if rule.unit == "byte" else _SURROGATE.sub("\ufffd", text).encode()
        number = wyhash64(data)
    else:
        number = hash_int32(text, unit=rule.unit)
        number = abs(number) if rule.hash_sign == "abs" else number & 0xFFFFFFFF
    return format(number, "x") if rule.hash_base == 16 else base36(number)


def variants(cwd: str, ruleset: Ruleset | None = None) -> dict[str, str | None]:
    """Return the key of a resolved path under every rule, by the rule's name, in the order of the rules."""
    return {rule.name: encode(cwd, rule) for rule in (ruleset or load_rules()).rules}


def resolve_lexical(path: str) -> str:
    r"""Return an absolute path without `.`, `..`, doubled and trailing separators, by its spelling alone.

    Paths of Windows (`C:\` and `\\server\share`) keep their root and get backslashes; any other path counts
    as POSIX, where two leading slashes are one. A relative path stays relative: what to is not known here.
    """
    root, rest, slash = _split_root(path)
    kept: list[str] = []
    for part in re.split(r"[\\/]", rest) if slash == "\\" else rest.split("/"):
        if part == ".." and (root or (kept and kept[-1] != "..")):
            del kept[-1:]
        elif part not in ("", "."):
            kept.append(part)
    return root + slash.join(kept) or "."


def _split_root(path: str) -> tuple[str, str, str]:
    if _WINDOWS.match(path):
        return f"{path[:2]}\\", path[3:], "\\"
    share = re.match(r"\\\\[^\\/]+[\\/]+[^\\/]+", path)
    if share:
        server, name = re.split(r"[\\/]+", share[0][2:])
        return f"\\\\{server}\\{name}\\", path[share.end() :], "\\"
    return ("/" if path.startswith("/") else ""), path, "/"


def nfc_is_certain(path: str) -> bool:
    """Return whether the NFC form of a path is the same in every later version of Unicode.

    False when it holds a code point that the Unicode of this interpreter has not assigned: a tool with a
    newer one may compose it. Noncharacters stay unassigned for ever and do not count.
    """
    return path.isascii() or not any(
        unicodedata.category(char) == "Cn" and not _is_noncharacter(ord(char)) for char in path
    )


def _is_noncharacter(code: int) -> bool:
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def is_allowed_name(name: str) -> bool:
    """Return whether the tool accepts this text as the chosen name of a project folder.

    Source: CLAUDE_CODE_PROJECT_DIR_NAME, CLI from 2.1.234, TypeScript SDK from 0.3.234.
    """
    return bool(_NAMED.fullmatch(name)) and name.lower() not in RESERVED_NAMES


def is_named_key(key: str) -> bool:
    """Return whether a key can only be a chosen name: allowed as one, and no absolute path encodes to it."""
    return is_allowed_name(key) and not _ENCODED_PATH.fullmatch(key)
