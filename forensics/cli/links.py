"""Paths that a person can click, in terminals that are known to follow links; bare everywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_FOLLOW = frozenset({"iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "rio", "Tabby"})
_MARKS = ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "ALACRITTY_WINDOW_ID")
_VTE_FIRST = 5000
"""The terminals of GNOME follow links since 0.50; before, they showed the escape."""


def follows_links(environment: Mapping[str, str]) -> bool:
    """Whether the terminal of this environment is known to follow links and may be written to in colour."""
    if environment.get("NO_COLOR") or environment.get("TERM", "dumb") == "dumb":
        return False
    if environment.get("TERM_PROGRAM") in _FOLLOW or any(environment.get(name) for name in _MARKS):
        return True
    version = environment.get("VTE_VERSION", "")
    return version.isdecimal() and int(version) >= _VTE_FIRST


def linked(path: Path) -> str:
    """The path as text; on a terminal that follows links a link to the file."""
    from forensics.display import inert_line

    shown = inert_line(str(path))
    if not (sys.stdout.isatty() and follows_links(os.environ)):
        return shown
    return f"\x1b]8;;{path.absolute().as_uri()}\x1b\\{shown}\x1b]8;;\x1b\\"


def put_path(before: str, path: Path) -> None:
    """Nothing; the path stands on stdout behind a word or two."""
    sys.stdout.write(f"{before}{linked(path)}\n")
