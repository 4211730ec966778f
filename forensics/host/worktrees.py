"""What git's own files and `git worktree list` say about a directory; nothing is written."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from forensics.host.bounded import run_bounded

_ATTRIBUTES: Final = ("HEAD", "branch", "detached", "bare", "locked", "prunable")
_ESCAPES: Final = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_ESCAPE: Final = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_SMALL_FILE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Worktree:
    """One working tree of a repository; the main one comes first in a list."""

    path: str
    head: str | None = None
    branch: str | None = None
    is_bare: bool = False
    is_detached: bool = False
    is_locked: bool = False
    lock_reason: str | None = None
    is_prunable: bool = False


@dataclass(frozen=True, slots=True)
class GitPlace:
    """Where a directory stands in git: its top directory, the common directory, whether it is a worktree.

    `is_worktree` is True only for linked worktrees; a submodule has a `.git` file as well and is none.
    """

    top: str
    git_dir: str
    common_dir: str
    is_worktree: bool


def parse_worktree_list(data: bytes) -> tuple[Worktree, ...]:
    r"""Return the working trees that `git worktree list --porcelain` names, with or without `-z`.

    Without `-z` git writes a path as it is, newlines too: lines up to the first attribute belong to the path.
    Reasons are quoted there when they need it; quoted paths are understood as well.
    Source: git-worktree(1), tried with git 2.39.
    """
    terminated = b"\0" in data
    lines = data.split(b"\0" if terminated else b"\n")
    trees: list[Worktree] = []
    path: bytes | None = None
    values: dict[str, bytes] = {}
    for line in lines:
        name, _, value = line.partition(b" ")
        word = name.decode("ascii", "replace")
        if word == "worktree" and (path is None or values):
            trees += _finish(path, values, quoted=not terminated)
            path, values = value, {}
        elif path is None:
            continue
        elif word in _ATTRIBUTES:
            values[word] = value
        elif not values and not terminated:
            path += b"\n" + line
    return (*trees, *_finish(path, values, quoted=not terminated))


def _finish(path: bytes | None, values: Mapping[str, bytes], *, quoted: bool) -> list[Worktree]:
    if path is None:
        return []
    read = _unquote if quoted else os.fsdecode
    reason = read(values["locked"]) if values.get("locked") else None
    return [
        Worktree(
            path=read(path if values else path.rstrip(b"\n")),
            head=_known(os.fsdecode(values.get("HEAD", b""))),
            branch=os.fsdecode(values["branch"]).removeprefix("refs/heads/") if "branch" in values else None,
            is_bare="bare" in values,
            is_detached="detached" in values,
            is_locked="locked" in values,
            lock_reason=reason,
            is_prunable="prunable" in values,
        )
    ]


def _known(head: str) -> str | None:
    """A branch without a commit yet has a head of zeros."""
    return head if head.strip("0") else None


def _unquote(text: bytes) -> str:
    if len(text) < 2 or not text.startswith(b'"') or not text.endswith(b'"'):
        return os.fsdecode(text)
    return os.fsdecode(_ESCAPE.sub(_unescape, text[1:-1]))


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1].decode("latin-1")
    if len(code) == 3:
        return bytes([int(code, 8) & 0xFF])
    return bytes([_ESCAPES[code]]) if code in _ESCAPES else match[0]


def find_git_place(directory: str) -> GitPlace | None:
    """Return where an existing directory stands in git, by reading files alone; None outside a repository."""
    place = Path(directory)
    for top in (place, *place.parents):
        entry = top / ".git"
        mode = _mode(entry)
        if stat.S_ISDIR(mode) and _is_git_dir(entry):
            return GitPlace(str(top), str(entry), _common_dir(entry), is_worktree=False)
        if stat.S_ISREG(mode) and (git_dir := _follow_git_file(entry)) is not None:
            common = _common_dir(git_dir)
            linked = str(git_dir.parent) == f"{common.rstrip('/')}/worktrees"
            return GitPlace(str(top), str(git_dir), common, is_worktree=linked)
        if _is_git_dir(top):
            return GitPlace(str(top), str(top), _common_dir(top), is_worktree=False)
    return None


def _mode(path: Path) -> int:
    """Return the type bits of what stands there, links followed; 0 for nothing or what may not be seen."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def _is_git_dir(folder: Path) -> bool:
    return stat.S_ISREG(_mode(folder / "HEAD")) and (
        stat.S_ISDIR(_mode(folder / "objects")) or stat.S_ISREG(_mode(folder / "commondir"))
    )


def _follow_git_file(entry: Path) -> Path | None:
    text = _read_small(entry)
    if text is None or not text.startswith("gitdir: "):
        return None
    return Path(os.path.normpath(entry.parent / text.removeprefix("gitdir: ").rstrip("\r\n")))


def _common_dir(git_dir: Path) -> str:
    text = _read_small(git_dir / "commondir")
    return str(git_dir) if text is None else os.path.normpath(git_dir / text.rstrip("\r\n"))


def _read_small(file: Path) -> str | None:
    try:
        with file.open("rb") as stream:
            return os.fsdecode(stream.read(_SMALL_FILE))
    except OSError:
        return None


def read_worktrees(common_dir: str) -> tuple[Worktree, ...]:
    """Return the working trees of a repository by reading its files alone, the main one first.

    A worktree whose `.git` file is gone is prunable unless it is locked, as in git.
    """
    common = Path(common_dir)
    trees = [_main_worktree(common)]
    try:
        entries = sorted((common / "worktrees").iterdir())
    except OSError:
        entries = []
    for entry in entries:
        link = _read_small(entry / "gitdir")
        if link is None:
            continue
        git_file = os.path.normpath(entry / link.rstrip("\n"))
        head, branch, detached = _read_head(entry, common)
        reason = _read_small(entry / "locked")
        trees.append(
            Worktree(
                path=git_file.removesuffix("/.git"),
                head=head,
                branch=branch,
                is_detached=detached,
                is_locked=reason is not None,
                lock_reason=(reason or "").strip("\n") or None,
                is_prunable=reason is None and not _mode(Path(git_file)),
            )
        )
    return (trees[0], *sorted(trees[1:], key=lambda tree: tree.path))


def _main_worktree(common: Path) -> Worktree:
    config = _read_small(common / "config") or ""
    if re.search(r"(?im)^[ \t]*bare[ \t]*=[ \t]*(true|yes|on|1)[ \t]*$", config):
        return Worktree(str(common), is_bare=True)
    head, branch, detached = _read_head(common, common)
    elsewhere = re.search(r"(?im)^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$", config)
    path = os.path.normpath(common / elsewhere[1]) if elsewhere else str(common.parent)
    return Worktree(path, head, branch, is_detached=detached)


def _read_head(git_dir: Path, common: Path) -> tuple[str | None, str | None, bool]:
    """Return commit, branch and whether the head is detached; None for what cannot be read."""
    text = (_read_small(git_dir / "HEAD") or "").strip()
    if not text.startswith("ref: "):
        return text or None, None, bool(text)
    name = text.removeprefix("ref: ")
    if not name.startswith("refs/heads/") or name == "refs/heads/.invalid":
        # A repository with another store of references keeps a placeholder here.
        return None, None, False
    loose = _read_small(common / name)
    return (
        (loose or _find_packed(common, name) or "").strip() or None,
        name.removeprefix("refs/heads/"),
        False,
    )


def _find_packed(common: Path, name: str) -> str | None:
    try:
        with (common / "packed-refs").open("rb") as stream:
            for line in stream:
                commit, _, reference = line.rstrip(b"\n").partition(b" ")
                if reference == os.fsencode(name):
                    return commit.decode("ascii", "replace")
    except OSError:
        return None
    return None


def list_worktrees(
    place: GitPlace, *, git: str | None = "git", seconds: float = 10
) -> tuple[tuple[Worktree, ...], Literal["git", "files"]]:
    """Return the working trees of a repository, and who said so: git itself, or its files read by us.

    The files are read when git is not there, refuses the repository, or takes too long. git is called
    without optional locks, hooks, helpers, prompts and lazy fetches, so that it changes and asks nothing.
    """
    if git is not None:
        argv = (git, *_QUIET, "-C", place.top, "worktree", "list", "--porcelain", "-z")
        for words in (argv, argv[:-1]):
            outcome = run_bounded(words, env=_git_environment(), seconds=seconds, max_bytes=1 << 24)
            if outcome.is_success and (trees := parse_worktree_list(outcome.stdout)):
                return (_mend_main(trees[0], place), *trees[1:]), "git"
            if outcome.ending != "exit":
                break
    return read_worktrees(place.common_dir), "files"


def _mend_main(tree: Worktree, place: GitPlace) -> Worktree:
    """For a submodule git names the folder of its own files as the main working tree, which it is not."""
    if tree.is_bare or tree.path != place.common_dir:
        return tree
    return replace(tree, path=_main_worktree(Path(place.common_dir)).path)


_QUIET: Final[Sequence[str]] = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "protocol.allow=never",
)


def _git_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "XDG_CONFIG_HOME")}
    return {
        **kept,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_TRACE2": "0",
        "LC_ALL": "C",
    }
