"""Paths to click: only in terminals known to follow links, never in pipes, never in colourless places."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from forensics.cli.links import follows_links, linked

KITTY = {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (KITTY, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "6003"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "4602"}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM_PROGRAM": "WezTerm"}, False),
        ({**KITTY, "TERM": "dumb"}, False),
        ({**KITTY, "NO_COLOR": "1"}, False),
        ({}, False),
    ],
)
def test_only_terminals_known_to_follow_links_get_them(environment: dict[str, str], expected: bool) -> None:
    assert follows_links(environment) is expected


def test_a_path_is_bare_in_a_pipe_and_a_link_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "a case" / "index.html"
    for name, value in KITTY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert linked(path) == str(path)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert linked(path) == f"\x1b]8;;{path.as_uri()}\x1b\\{path}\x1b]8;;\x1b\\"
    assert "a%20case" in linked(path)


def test_a_hostile_path_acts_on_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KITTY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    shown = linked(Path("/srv/x\x1b]0;title\x07y"))
    assert shown.count("\x1b") == 4
    assert "\x07" not in shown
