"""Other spellings under which the same directory may have been recorded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from forensics.keys.normal import normalize

_DRIVE: Final = re.compile(r"([A-Za-z]):(?=[\\/]|\Z)")
_MOUNT: Final = re.compile(r"/mnt/([A-Za-z])(?=/|\Z)")
_MSYS: Final = re.compile(r"(?:/cygdrive)?/([A-Za-z])(?=/|\Z)")
_LONG: Final = re.compile(r"\\\\\?\\(?=[A-Za-z]:)")
_LONG_UNC: Final = re.compile(r"\\\\\?\\UNC\\", re.IGNORECASE)
_WSL_SHARE: Final = re.compile(r"(?:\\\\|//)(wsl\$|wsl\.localhost)[\\/]([^\\/]+)", re.IGNORECASE)
_UNC: Final = re.compile(r"(?:\\\\|//)[^\\/?.][^\\/]*(?=[\\/]|\Z)")
_CASELESS: Final = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)|\\\\|/mnt/[A-Za-z](?:/|\Z)|/(?:Users|Volumes|private)/")
PRIVATE: Final = "tmp|var|etc"
_PRIVATE: Final = re.compile(rf"/private(?=/(?:{PRIVATE})(?:/|\Z))")
_PUBLIC: Final = re.compile(rf"/(?:{PRIVATE})(?:/|\Z)")


@dataclass(frozen=True, slots=True)
class Alias:
    """A spelling that may mean the same directory, and the kinds of change that lead to it, joined by `+`."""

    kind: str
    spelling: str


def _drive_case(cwd: str) -> Iterator[str]:
    if _DRIVE.match(cwd):
        yield cwd[0].swapcase() + cwd[1:]


def _slash(cwd: str) -> Iterator[str]:
    if _DRIVE.match(cwd):
        yield cwd.replace("\\", "/")
        yield cwd.replace("/", "\\")


def _trailing_slash(cwd: str) -> Iterator[str]:
    bare = cwd.rstrip("\\/" if _DRIVE.match(cwd) or cwd.startswith("\\\\") else "/")
    if bare and not _DRIVE.fullmatch(bare):
        yield bare


def _private_prefix(cwd: str) -> Iterator[str]:
    if match := _PRIVATE.match(cwd):
        yield cwd[match.end() :]
    elif _PUBLIC.match(cwd):
        yield f"/private{cwd}"


def _nfc(cwd: str) -> Iterator[str]:
    yield normalize(cwd, form="NFC")


def _nfd(cwd: str) -> Iterator[str]:
    yield normalize(cwd, form="NFD")


def _wsl(cwd: str) -> Iterator[str]:
    if match := _MOUNT.match(cwd):
        rest = cwd[match.end() :].replace("/", "\\") or "\\"
        yield f"{match[1].upper()}:{rest}"
        yield f"{match[1].lower()}:{rest}"
    elif match := _DRIVE.match(cwd):
        yield f"/mnt/{match[1].lower()}{cwd[match.end() :].replace(chr(92), '/').rstrip('/')}"
    elif match := _WSL_SHARE.match(cwd):
        yield cwd[match.end() :].replace("\\", "/") or "/"
        for host in ("wsl$", "wsl.localhost"):
            yield f"\\\\{host}\\{match[2]}{cwd[match.end() :]}".replace("/", "\\")


def _msys(cwd: str) -> Iterator[str]:
    if match := _MSYS.match(cwd):
        rest = cwd[match.end() :].replace("/", "\\") or "\\"
        yield f"{match[1].upper()}:{rest}"
        yield f"{match[1].lower()}:{rest}"
    elif match := _DRIVE.match(cwd):
        yield f"/{match[1].lower()}{cwd[match.end() :].replace(chr(92), '/').rstrip('/')}"


def _unc(cwd: str) -> Iterator[str]:
    if match := _LONG_UNC.match(cwd):
        yield "\\\\" + cwd[match.end() :]
    elif match := _LONG.match(cwd):
        yield cwd[match.end() :]
    elif _UNC.match(cwd):
        yield cwd.replace("\\", "/")
        yield cwd.replace("/", "\\")
        yield "\\\\?\\UNC\\" + cwd[2:].replace("/", "\\")
    elif _DRIVE.match(cwd):
        yield "\\\\?\\" + cwd.replace("/", "\\")


_SPELLERS: Final[tuple[tuple[str, Callable[[str], Iterator[str]]], ...]] = (
    ("drive_case", _drive_case),
    ("private_prefix", _private_prefix),
    ("nfc", _nfc),
    ("nfd", _nfd),
    ("wsl", _wsl),
    ("unc", _unc),
    ("msys", _msys),
    ("slash", _slash),
    ("trailing_slash", _trailing_slash),
)


def ignores_case_guess(cwd: str) -> bool:
    """Return whether a path looks like one of Windows or macOS, whose file systems usually ignore case."""
    return bool(_CASELESS.match(cwd))


def aliases(cwd: str) -> tuple[Alias, ...]:
    """Return the other spellings that may mean the same directory, by at most two changes, fewest first.

    The last, of kind `case`, is the path in lower case, where file systems usually ignore case; it is not
    combined with other changes.
    """
    found: dict[str, str] = {cwd: ""}
    edge = [cwd]
    for _ in range(2):
        fresh = []
        for spelling in edge:
            for kind, spell in _SPELLERS:
                for other in spell(spelling):
                    if other not in found:
                        found[other] = f"{found[spelling]}+{kind}" if found[spelling] else kind
                        fresh.append(other)
        edge = fresh
    if ignores_case_guess(cwd):
        found.setdefault(cwd.lower(), "case")
    return tuple(Alias(kind, spelling) for spelling, kind in found.items() if kind)
