"""Masks for what should not leave a machine: user and host names, home paths, mail, tokens and secrets.

A mask is the same wherever the masked thing stands, so that what was equal stays equal and what differed
stays apart. Users and hosts are numbered in sorted order of what the case records; secrets keep their kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import pyarrow as pa

from forensics.secrets import mask_secrets

# Words too common to mean a person wherever they stand; as the name of a home folder they are masked.
_COMMON = frozenset(
    (
        *("root", "user", "users", "home", "admin", "administrator", "guest", "public", "default", "shared"),
        *(
            "ubuntu",
            "debian",
            "runner",
            "node",
            "vscode",
            "dev",
            "test",
            "data",
            "work",
            "main",
            "app",
            "git",
        ),
        *("code", "claude", "projects", "www", "opt", "srv", "tmp", "var", "usr", "lib", "bin", "etc"),
    )
)
_HOME_PATH = re.compile(
    r"""[\\/](?:home|Users|Documents and Settings)[\\/]+([^\\/:*?"<>|\r\n]+)""",
    re.IGNORECASE,
)
_HOME_KEY = re.compile(r"-(?:home|Users)-([A-Za-z0-9]+)", re.IGNORECASE)
# In prose only a whole path of a home, as its system spells it, is one: `/users/list` is none.
_HOME_IN_TEXT = re.compile(
    r"((?<![\w.~-])(?:(?:/mnt)?/[A-Za-z]|[A-Za-z]:)?(?:/home|[\\/]+Users)[\\/]+)(?!(?i:person)\d)([A-Za-z0-9][\w.-]*)"
)
_HOME_START = re.compile(
    r"""(?:(?:/mnt)?/[A-Za-z]|(?:\\\\\?\\)?[A-Za-z]:)?[\\/](?:home|Users)[\\/]+([^\\/:*?"<>|\r\n]+)(?:[\\/]|$)""",
    re.IGNORECASE,
)
_UNC_HOST = re.compile(r"^[\\/]{2}([A-Za-z0-9][A-Za-z0-9._-]*)[\\/]")
_MAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]+@(?:[\w-]+\.)+[A-Za-z][\w-]*")
_LOGIN = re.compile(r"(?<![\w.+-])[A-Za-z_][\w.-]*@[A-Za-z][\w-]*(?=:[~/\w])|(?<=ssh )[\w.-]+@[\w.-]+")
_MASKED_LOGIN = re.compile(r"\b(person\d+[-._~+=]*)@[A-Za-z][\w.-]*")
_URL_HOST = re.compile(r"(:\\*/\\*/(?:\[login\]@)?)([A-Za-z0-9](?:[A-Za-z0-9-]*\.)*[A-Za-z][A-Za-z0-9-]*)")
_ADDRESS = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])",
    re.IGNORECASE,
)
# What every machine is to itself says nothing of it.
_OWN = frozenset({"127.0.0.1", "0.0.0.0", "255.255.255.255", "localhost"})  # noqa: S104
_PASSES = 5
_SIGNS = "-._~+="
_ALREADY = re.compile(rf"(?:person|machine)\d+[{_SIGNS}]*", re.IGNORECASE)

_PATHS = """
select cwds.cwd as path from cwds
union
select files.path from files
union
select acquisition.link_target from acquisition where acquisition.link_target is not null
order by path
"""
# Where else a case names directories and files; what is no whole path there says nothing of anybody.
_OTHER_PATHS = """
select tool_calls.file_path as path from tool_calls where tool_calls.file_path is not null
union
select marks.value from marks where marks.value is not null
union
select probe_paths.path from probe_paths
union
select probe_paths.real_path from probe_paths where probe_paths.real_path is not null
union
select probe_worktrees.worktree_path from probe_worktrees
union
select probe_host.value from probe_host where probe_host.value is not null
union
select probe_registry.home from probe_registry
union
select with_registry.cwd from with_registry where with_registry.cwd is not null
union
select with_tmux.cwd from with_tmux where with_tmux.cwd is not null
union
select with_dismissed.cwd from with_dismissed where with_dismissed.cwd is not null
union
select with_listing.path from with_listing where with_listing.path is not null
order by path
"""
_KEYS = "select distinct keys.project_key as key from keys order by key"


class NamedCase(Protocol):
    """The part of a case that names are learnt from."""

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> pa.Table:
        """The rows of a query."""


@dataclass(frozen=True, slots=True)
class Redactor:
    """Masks text; made of the names that a case records."""

    users: tuple[str, ...]
    hosts: tuple[str, ...]
    _names: tuple[tuple[re.Pattern[str], str], ...]

    @classmethod
    def of_names(cls, *, users: Iterable[str] = (), hosts: Iterable[str] = ()) -> Self:
        """A redactor that knows these users and hosts."""
        by_fold: dict[str, str] = {}
        for user in sorted(_unmasked(users)):
            by_fold.setdefault(user.casefold(), user)
        known = tuple(by_fold[fold] for fold in sorted(by_fold))
        machines = tuple(sorted({host.casefold() for host in _unmasked(hosts)}))
        masks = [
            *((host, f"machine{n}") for n, host in enumerate(machines, 1)),
            *_number(known),
        ]
        masks.sort(key=lambda pair: (-len(pair[0]), pair[0]))
        return cls(known, machines, tuple((_pattern_of(name), mask) for name, mask in masks))

    @classmethod
    def of_case(cls, case: NamedCase) -> Self:
        """A redactor that knows the users and hosts which the paths and keys of a case name."""
        paths = [path for path in case.sql(_PATHS).column("path").to_pylist() if path]
        others = case.sql(_OTHER_PATHS).column("path").to_pylist()
        users = _found(_HOME_PATH, (f"/{path}" for path in paths))
        users |= {match[1] for path in others if (match := _HOME_START.match(path))}
        encoded = {_encode(user).casefold() for user in users}
        for key in case.sql(_KEYS).column("key").to_pylist():
            for name in _found(_HOME_KEY, [key]):
                rest = key[key.casefold().index(name.casefold()) :].casefold()
                if not any(rest == user or rest.startswith(f"{user}-") for user in encoded):
                    users.add(name)
        return cls.of_names(users=users, hosts=_found(_UNC_HOST, (*paths, *others)))

    def mask(self, text: str) -> str:
        """The text with names, addresses, mail and secrets masked; masking twice changes nothing more."""
        # What one mask leaves may show the next: a name that a secret was stuck to, a host after a login.
        for _ in range(_PASSES):
            before, text = text, self._mask_once(text)
            if text == before:
                break
        return text

    def _mask_once(self, text: str) -> str:
        text = mask_secrets(text)
        text = _MAIL.sub("[mail]", text)
        for pattern, mask in self._names:
            text = pattern.sub(mask, text)
        text = _HOME_IN_TEXT.sub(r"\1[person]", text)
        text = _MASKED_LOGIN.sub(r"\1@[host]", _LOGIN.sub("[login]", text))
        text = _URL_HOST.sub(lambda found: found[1] + (found[2] if found[2] in _OWN else "[host]"), text)
        return _ADDRESS.sub(lambda found: found[0] if found[0] in _OWN else "[address]", text)


def _number(users: Sequence[str]) -> list[tuple[str, str]]:
    """Each user with a mask; users whose names encode to the same key get masks that do so too."""
    alike: dict[str, list[str]] = {}
    for user in users:
        alike.setdefault(_encode(user).casefold(), []).append(user)
    numbers = {user: n for n, user in enumerate(users, 1)}
    return [
        (user, f"person{numbers[same[0]]}{_sign(at, len(same))}")
        for same in alike.values()
        for at, user in enumerate(same)
    ]


def _sign(at: int, n: int) -> str:
    """Signs that differ and that a key spells alike, for one of so many; nothing for one alone."""
    signs = ""
    while n > 1:
        at, sign = divmod(at, len(_SIGNS))
        signs += _SIGNS[sign]
        n = -(-n // len(_SIGNS))
    return signs


def _unmasked(names: Iterable[str]) -> set[str]:
    # A case that was redacted before keeps its masks.
    return {name for name in names if name and not _ALREADY.fullmatch(name)}


def _found(pattern: re.Pattern[str], texts: Iterable[str]) -> set[str]:
    return {match[1] for text in texts for match in pattern.finditer(text)}


def _encode(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", name)


def _percent(name: str) -> str:
    raw = name.encode("utf-8", "surrogateescape")
    return "".join(
        chr(byte) if 0x21 <= byte < 0x7F and byte not in b"%#@~" else f"%{byte:02X}" for byte in raw
    )


def _pattern_of(name: str) -> re.Pattern[str]:
    """Where a name stands: as a word, as a key or a reference spells it; a common word only as a home."""
    forms = sorted({name, _encode(name), _percent(name)}, key=lambda form: (-len(form), form))
    before = r"(?<![A-Za-z0-9])"
    if len(name) < 3 or name.casefold() in _COMMON:
        places = ("home/", "users/", r"home\\", r"users\\", "-home-", "-users-")
        before = f"(?:{'|'.join(f'(?<={place})' for place in places)})"
    return re.compile(rf"{before}(?:{'|'.join(map(re.escape, forms))})(?![A-Za-z0-9])", re.IGNORECASE)
