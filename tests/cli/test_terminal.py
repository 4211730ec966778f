"""On a terminal: tables that fit, progress that goes away, nothing that acts on the screen."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from forensics.cli import progress
from forensics.cli.showing import visible
from forensics.display import display_width
from tests.cli.evidence import DOTTED, SHARED_KEY
from tests.cli.words import command, environment

pytestmark = pytest.mark.slow

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _on_terminal(*words: str | Path, env: Mapping[str, str] | None = None) -> tuple[str, int]:
    """Everything that a terminal receives, and the exit code."""
    leader, follower = pty.openpty()
    variables = {
        name: value for name, value in environment(env).items() if name != "COLUMNS" or (env and name in env)
    }
    with subprocess.Popen(
        command(*words), env=variables, stdin=subprocess.DEVNULL, stdout=follower, stderr=follower
    ) as process:
        os.close(follower)
        received = bytearray()
        while select.select([leader], [], [], 60)[0]:
            try:
                data = os.read(leader, 1 << 16)
            except OSError:
                break
            if not data:
                break
            received += data
    os.close(leader)
    return received.decode().replace("\r\n", "\n"), process.returncode


def test_a_table_fits_and_its_head_is_bold(case: Path) -> None:
    text, code = _on_terminal("findings", "-C", case, env={"COLUMNS": "90", "TERM": "xterm"})
    assert code == 0
    assert text.startswith("\x1b[1m")
    assert all(display_width(_ESCAPES.sub("", line)) <= 90 for line in text.split("\n"))


@pytest.mark.parametrize("env", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}])
def test_no_escape_reaches_a_terminal_that_does_not_want_one(env: dict[str, str], case: Path) -> None:
    text, code = _on_terminal("findings", "-C", case, env=env)
    assert code == 0
    assert "\x1b" not in text


def test_progress_is_drawn_on_a_terminal_and_gone_in_the_end(home: Path, tmp_path: Path) -> None:
    text, code = _on_terminal(
        "convert", home, "-o", tmp_path / "case", env={"TERM": "xterm", "COLUMNS": "100"}
    )
    assert code == 0
    assert "files" in text
    assert "\x1b[2K" in text
    assert "reading" not in _ESCAPES.sub("", text.rpartition("\x1b[2K")[2])


def test_show_spells_controls_out_on_a_terminal(case: Path) -> None:
    ref = f"home/projects/{SHARED_KEY}/{DOTTED}.jsonl#L1"
    text, code = _on_terminal("show", ref, "-C", case, env={"TERM": "xterm"})
    assert code == 0
    assert '"cwd":"/srv/app/my.web"' in text
    assert "\x1b" not in text


def test_what_is_shown_cannot_move_the_cursor() -> None:
    assert visible(b"a\x1b[2Jb\xff\r\x00c\n\xe2\x80\xaed") == "a\\x1b[2Jb\\xff\\r\\x00c\n\\u202ed"


def test_without_a_terminal_there_is_no_progress() -> None:
    assert progress.terminal_progress() is None
