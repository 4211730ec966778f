"""What the spelling of a working directory tells: its style, its other spellings, worktrees, excursions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from forensics.keys import Alias, aliases, resolve_lexical
from forensics.keys.normal import normalize

Style = Literal["posix", "windows", "unc", "wsl"]
Excursion = Literal["project", "worktree", "claude_uploads", "claude_skills", "scratchpad", "home", "other"]

__all__ = [
    "WORKTREE_PATTERNS",
    "Alias",
    "Excursion",
    "Style",
    "WorktreeGuess",
    "WorktreePattern",
    "aliases",
    "canonical_guess",
    "common_ancestor",
    "excursion_class",
    "is_inside",
    "style",
    "worktree_guess",
]

_DRIVE: Final = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)")
_MOUNT: Final = re.compile(r"/mnt/([A-Za-z])(?=/|\Z)")
_UNC: Final = re.compile(r"(?:\\\\|//)[^\\/]")
_LONG: Final = re.compile(r"(?:\\\\|//)\?[\\/](?:(UNC)[\\/])?", re.IGNORECASE)
_WSL_HOST: Final = re.compile(r"(?:\\\\|//)(?:wsl\$|wsl\.localhost)(?=[\\/]|\Z)", re.IGNORECASE)
_ROOT: Final = re.compile(r"//[^/]+(?:/[^/]+)?|[a-z]:/|/|")
_PRIVATE: Final = re.compile(r"/private(?=/(?:tmp|var|etc)(?:/|\Z))")


def style(cwd: str) -> Style:
    """Return the family of spellings that a path belongs to.

    `wsl` is a drive mounted under /mnt or a Linux folder seen from Windows; anything unknown is `posix`.
    """
    if _WSL_HOST.match(cwd) or _MOUNT.match(cwd):
        return "wsl"
    if long := _LONG.match(cwd):
        return "unc" if long[1] else "windows"
    if _DRIVE.match(cwd):
        return "windows"
    return "unc" if _UNC.match(cwd) else "posix"


def canonical_guess(cwd: str) -> str:
    """Return one spelling for all spellings of a directory that spelling alone shows to be equal.

    Lower-case drive letter, server and share, slashes forward, `/mnt/c` as `c:/`, `/private/tmp` as `/tmp`,
    NFC, without `.`, `..`, doubled and trailing slashes. What only a disk can tell (links, mounts, case) is
    not told.
    """
    path = normalize(cwd, form="NFC")
    if long := _LONG.match(path):
        path = ("\\\\" if long[1] else "") + path[long.end() :]
    if mount := _MOUNT.match(path):
        path = f"{mount[1]}:/{path[mount.end() :]}"
    if _DRIVE.match(path):
        return _canonical_drive(path)
    if _UNC.match(path):
        return _canonical_unc(path)
    path = resolve_lexical(path)
    private = _PRIVATE.match(path)
    return path[private.end() :] if private else path


def _canonical_drive(path: str) -> str:
    resolved = resolve_lexical(f"{path[:2]}\\{path[2:]}").replace("\\", "/")
    return resolved[0].lower() + resolved[1:]


def _canonical_unc(path: str) -> str:
    server, share, *rest = [*re.split(r"[\\/]+", path[2:]), ""]
    server = "wsl.localhost" if server.lower() == "wsl$" else server.lower()
    inner = resolve_lexical("/" + "/".join(rest))
    return f"//{server}/{share.lower()}{inner}".rstrip("/")


@dataclass(frozen=True, slots=True)
class WorktreePattern:
    """A habit of placing worktrees: the folder that holds them, inside the repository or named after it."""

    name: str
    regex: re.Pattern[str]
    source: str


@dataclass(frozen=True, slots=True)
class WorktreeGuess:
    """A worktree recognised by its path: the pattern, the repository's root, its name.

    `repo_root` is None where the worktree does not lie beside or inside its repository. `path` is the
    worktree's own root, in the spelling of the cwd, also when the cwd lies below it.
    """

    pattern: str
    repo_root: str | None
    name: str
    path: str


def _pattern(name: str, text: str, source: str) -> WorktreePattern:
    words = {"/": r"[\\/]", "ROOT": "(?P<root>.+)", "STEM": r"(?P<root>.*[^\\/])"}
    words |= {"REPO": r"[^\\/]+", "NAME": r"(?P<name>[^\\/]+)"}
    regex = re.sub("/|[A-Z]+", lambda match: words[match[0]], text)
    return WorktreePattern(name, re.compile(regex, re.DOTALL), source)


WORKTREE_PATTERNS: Final = (
    _pattern("claude", r"ROOT/\.claude/worktrees/NAME", "the CLI's EnterWorktree and --worktree"),
    _pattern("dot_worktrees", r"ROOT/\.worktrees/NAME", "a habit of people"),
    _pattern("dot_wt", r"ROOT/\.wt/NAME", "pilee and Pi, and a habit of people"),
    _pattern("conductor_inside", r"ROOT/\.conductor/NAME", "Conductor"),
    _pattern("conductor", r".+/conductor/workspaces/REPO/NAME", "Conductor"),
    _pattern("sibling_dot", r"STEM\.worktrees/NAME", "a habit of people"),
    _pattern("sibling_dash", r"STEM-worktrees/NAME", "a habit of people"),
)


def worktree_guess(cwd: str) -> WorktreeGuess | None:
    """Return the worktree that a path seems to lie in, the innermost one, or None."""
    best: WorktreeGuess | None = None
    for pattern in WORKTREE_PATTERNS:
        match = pattern.regex.match(cwd)
        if match and (best is None or match.end() > len(best.path)):
            root = match.groupdict().get("root")
            best = WorktreeGuess(pattern.name, root, match["name"], match[0])
    return best


_HOME: Final = re.compile(
    r"/root|/(?:home|Users)/[^/]+|[a-z]:/(?i:Users)/[^/]+|//wsl\.localhost/[^/]+/(?:root|home/[^/]+)"
)
_CLAUDE: Final[tuple[tuple[Excursion, re.Pattern[str]], ...]] = (
    ("claude_uploads", re.compile(r".*/\.claude/uploads(?:/|\Z)", re.DOTALL)),
    ("claude_skills", re.compile(r".*/\.claude/skills(?:/|\Z)", re.DOTALL)),
)
_TEMPORARY: Final = (["", "tmp"], ["", "var", "tmp"], ["", "var", "folders"])
_OTHER: Final = re.compile(
    r"/|/tmp|/var/tmp|/home|/Users|[a-z]:/(?:(?i:Users))?|//[^/]+(?:/[^/]+)?|.*/\.claude(?:/.*)?", re.DOTALL
)


def excursion_class(cwd: str) -> Excursion:
    """Return what kind of place a cwd is, by its spelling: work, or where a session only dropped in."""
    if worktree_guess(cwd):
        return "worktree"
    path = canonical_guess(cwd)
    for name, regex in _CLAUDE:
        if regex.match(path):
            return name
    if _is_scratchpad(path.split("/")):
        return "scratchpad"
    if _HOME.fullmatch(path):
        return "home"
    return "other" if _OTHER.fullmatch(path) else "project"


def _is_scratchpad(parts: list[str]) -> bool:
    """Whether a part named so stands below a temporary folder; by parts, as a path may repeat either name."""
    if "scratchpad" not in parts:
        return False
    above = parts[: len(parts) - 1 - parts[::-1].index("scratchpad")]
    return "Temp" in above[1:] or any(above[: len(place)] == place for place in _TEMPORARY)


def is_inside(child: str, parent: str) -> bool:
    """Return whether a path is another one or lies below it, by canonical spelling."""
    root, parts = _split(child)
    outer_root, outer = _split(parent)
    return root == outer_root and parts[: len(outer)] == outer


def common_ancestor(paths: Iterable[str]) -> str | None:
    """Return the deepest directory that holds all the paths, in canonical spelling, or None."""
    split = [_split(path) for path in paths]
    if len({root for root, _ in split}) != 1:
        return None
    shared: list[str] = []
    for level in zip(*(parts for _, parts in split), strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    root, inner = split[0][0], "/".join(shared)
    return (f"{root}/{inner}" if root.startswith("//") and inner else root + inner) or None


def _split(path: str) -> tuple[str, list[str]]:
    spelling = canonical_guess(path)
    root = _ROOT.match(spelling)
    assert root is not None, "the pattern matches emptiness"
    return root[0], [part for part in spelling[root.end() :].split("/") if part]
