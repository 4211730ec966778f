"""The help tells every verb what it does; the shell can complete words; starting costs little."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import typer

from forensics.cli import app
from tests.cli.words import call, command, environment, spawn

VERBS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
HEAVY = ("polars", "duckdb", "pyarrow", "altair", "jinja2", "vl_convert", "numpy", "msgspec")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_and_each_of_its_options(verb: str) -> None:
    command = typer.main.get_command(app).commands[verb]  # type: ignore[attr-defined]
    assert command.help
    assert command.help.partition("\n")[0].endswith((".", ":"))
    assert [param.name for param in command.params if not param.help] == []


def test_the_help_lists_every_verb_once() -> None:
    text = call("--help").stdout.decode()
    listed = [line.split()[0] for line in text.split("\n") if line.startswith("  ") and line.strip()]
    assert [verb for verb in VERBS if listed.count(verb) != 1] == []


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["findings", "--help"]])
def test_starting_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys, forensics.cli as cli, typer; from forensics.cli.edge import run_command\n"
        f"run_command(typer.main.get_command(cli.app), args={words!r})\n"
        f"sys.stderr.write(' '.join(name for name in {HEAVY!r} if name in sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, timeout=60, check=True
    )
    assert ended.stderr == b""


def _complete(*words: str) -> list[str]:
    line = " ".join(["forensics", *words])
    variables = {
        "_FORENSICS_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
    }
    ended = subprocess.run(
        command(),
        env=environment(variables),
        capture_output=True,
        timeout=60,
        check=False,
    )
    return [word for word in ended.stdout.decode().split("\n") if word]


def test_the_shell_completes_verbs() -> None:
    assert _complete("find") == ["findings"]


def test_the_shell_completes_formats() -> None:
    assert _complete("findings", "--format", "js") == ["json", "jsonl"]


def test_the_shell_completes_names_of_findings_and_kinds() -> None:
    assert _complete("findings", "orphaned_work") == ["orphaned_worktree_key"]
    assert _complete("findings", "mea") == ["measure"]
    assert _complete("explain", "encoding_c") == ["encoding_collision"]
    assert _complete("findings", "--fail-on", "new:encoding_c") == ["new:encoding_collision"]
    assert _complete("findings", "--fail-on", "gap") == ["gaps"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_gets_a_script_for_completion(shell: str) -> None:
    ended = spawn("--show-completion", shell, env={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert ended.returncode == 0
    assert b"_FORENSICS_COMPLETE" in ended.stdout
    assert os.linesep.encode() in ended.stdout
