"""What a person sees at the outermost edge: messages, hints, exit codes, quiet pipes."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence

import pytest

from forensics.cli.edge import run_command
from forensics.errors import (
    CaseError,
    ContractError,
    ForensicsError,
    LockedError,
    NothingThereError,
    SourceError,
    UsageError,
)
from forensics.version import __version__
from tests.cli.words import call, command, environment, spawn


class Command:
    """A command that does one thing."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def main(self, args: Sequence[str] | None, *, prog_name: str, standalone_mode: bool) -> object:
        return self.action()


def _raise(error: BaseException) -> Callable[[], object]:
    def action() -> object:
        raise error

    return action


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("wrong"), 2),
        (NothingThereError("none"), 3),
        (ContractError("broken"), 4),
        (CaseError("stale"), 5),
        (SourceError("gone"), 6),
        (LockedError("busy"), 7),
    ],
)
def test_each_kind_of_error_has_its_exit_code(
    error: ForensicsError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(_raise(error))) == code
    assert capsys.readouterr() == ("", f"error: {error}\n")


def test_an_error_names_its_place_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    error = UsageError("the first line is wrong", where="a.sql:1", hint="see the others")
    assert run_command(Command(_raise(error))) == 2
    assert capsys.readouterr().err == "error: a.sql:1: the first line is wrong\nhint: see the others\n"


def test_a_full_disk_ends_with_6(capsys: pytest.CaptureFixture[str]) -> None:
    error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/some/file")
    assert run_command(Command(_raise(error))) == 6
    assert capsys.readouterr().err.startswith("error: /some/file: No space left on device\nhint: ")


def test_an_interrupt_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(_raise(KeyboardInterrupt()))) == 130
    assert capsys.readouterr().err == "interrupted\n"
    assert run_command(Command(lambda: 130)) == 130


def test_a_bug_of_ours_ends_with_1_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(_raise(ZeroDivisionError("oops")))) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "ZeroDivisionError: oops" in said.err
    assert "error: this is a fault in forensics itself\n" in said.err


def test_a_panic_of_a_library_is_told_like_a_bug_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    class Panic(BaseException):
        pass

    assert run_command(Command(_raise(Panic("index out of bounds")))) == 1
    said = capsys.readouterr().err
    assert "Panic: index out of bounds" in said
    assert "error: this is a fault in forensics itself\n" in said


def test_short_memory_ends_with_6_and_is_nobodys_bug(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(_raise(MemoryError()))) == 6
    assert capsys.readouterr().err.startswith("error: memory is short\nhint: ")


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (10, 10), ("text", 0)])
def test_what_a_verb_returns_is_its_exit_code(returned: object, code: int) -> None:
    assert run_command(Command(lambda: returned)) == code


def test_the_version_stands_alone_on_stdout() -> None:
    ended = spawn("--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"forensics {__version__}\n".encode(), b"")


def test_without_a_verb_the_help_is_shown() -> None:
    bare, asked = call(), call("--help")
    assert (bare.returncode, bare.stdout) == (0, asked.stdout)
    assert bare.stdout.startswith(b"Usage: forensics ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], b"error: no such command 'nonsense'."),
        (["sql"], b"error: missing argument 'QUERY'."),
        (["findings", "--format", "yaml"], b"error: invalid value for '--format' / '-f'"),
        (["findings", "no_such_finding"], b"error: no finding is called 'no_such_finding'"),
        (["findings", "--tz", "Mars/Base"], b"error: no time zone is called 'Mars/Base'"),
        (["findings", "--json", "--format", "csv"], b"error: --json and --format csv contradict each other"),
        (["findings", "--fail-on", "nothing_like_it"], b"error: no finding is called 'nothing_like_it'"),
        (["verify", "--root", "nolabel"], b"error: --root takes LABEL=PATH, not 'nolabel'"),
        (["oracle"], b"error: name one oracle"),
        (["oracle", "--sdk", "--javascript"], b"error: name one oracle"),
        (["encode", "/srv/x", "--rule", "rot13"], b"error: no rule is called 'rot13'"),
        (["sessions", "--since", "yesterday"], b"error: 'yesterday' is not a time"),
        (["encode", "/srv/x", "--rules", "/no/such/file"], b"error: "),
    ],
)
def test_a_wrong_call_ends_with_2_and_prints_nothing_on_stdout(words: list[str], message: bytes) -> None:
    ended = call(*words)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.startswith(message)
    assert ended.stderr.count(b"\nhint: ") == 1
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["findings"],
        ["report"],
        ["sql", "select 1"],
        ["show", "home/x#L1"],
        ["verify"],
        ["rebuild", "--to", "out"],
        ["export", "out.duckdb"],
        ["check-keys"],
    ],
)
def test_without_a_case_a_verb_ends_with_5_and_says_how_to_make_one(words: list[str]) -> None:
    ended = call(*words, "-C", "/there/is/nothing/here")
    assert (ended.returncode, ended.stdout) == (5, b"")
    assert ended.stderr.startswith(b"error: /there/is/nothing/here: there is no case here\nhint: make one")


def test_a_finding_that_is_not_known_ends_explain_with_3() -> None:
    ended = call("explain", "F999")
    assert (ended.returncode, ended.stdout) == (3, b"")


@pytest.mark.parametrize("words", [["--help"], ["encode", "/srv/x", "--foreign", "--format", "jsonl"]])
def test_a_reader_who_leaves_early_ends_nothing_noisily(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            command(*words),
            env=environment(),
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_ctrl_c_ends_a_waiting_verb_with_130() -> None:
    # The SELECT comes from stdin, which stays silent: the verb surely waits when the signal comes.
    waiting = subprocess.Popen(
        [sys.executable, "-c", _SAY_WHEN_READY, "sql", "-"],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert waiting.stdout is not None
    assert waiting.stdout.readline() == b"ready\n"
    waiting.send_signal(signal.SIGINT)
    out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, out, err) == (130, b"", b"interrupted\n")


_SAY_WHEN_READY = """
import io, os, sys
from forensics.cli import main

class Waiting(io.StringIO):
    def read(self, size=-1):
        os.write(1, b"ready\\n")
        return sys.__stdin__.read(size)

sys.stdin = Waiting()
main()
"""


def test_a_locale_without_utf8_changes_nothing() -> None:
    code = (
        "from forensics.cli.edge import run_command\n"
        "from forensics.cli.output import put\n"
        "class Command:\n"
        "    def main(self, args, *, prog_name, standalone_mode):\n"
        "        put('\\u65e5\\u672c \\udce6')\n"
        "raise SystemExit(run_command(Command()))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=environment({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == "日本 \\udce6\n".encode()


def test_an_option_of_the_verbs_before_the_verb_is_told_its_place() -> None:
    ended = call("-C", "some-case", "findings")
    assert ended.returncode == 2
    assert ended.stderr.decode() == (
        "error: no such option: -C\nhint: -C goes after the verb: forensics VERB ... -C\n"
    )
    of_one_verb = call("--untraced", "alive")
    assert of_one_verb.stderr.decode().endswith(
        "hint: --untraced goes after the verb: forensics alive ... --untraced\n"
    )
    of_none = call("--nothing-like-it", "findings")
    assert of_none.stderr.decode().endswith("hint: forensics --help\n")


def test_an_unknown_format_is_answered_with_the_formats() -> None:
    ended = call("sql", "select 1", "--format", "xml")
    assert ended.returncode == 2
    first = ended.stderr.decode().split("\n")[0]
    assert "error, " not in first
    assert first.endswith("'xml' is not one of 'table', 'json', 'jsonl', 'csv', 'md'.")


def test_an_error_shows_no_control_and_forges_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    error = UsageError("no \x1b]0;owned\x07case\x9b2J\u202e\nhint: run this", hint="a\x1b[2Jb")
    assert run_command(Command(_raise(error))) == 2
    assert capsys.readouterr().err == "error: no case\n  hint: run this\nhint: ab\n"


def test_a_fault_of_our_own_shows_no_control_either(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(_raise(ValueError("x\x1b[2Jy")))) == 1
    shown = capsys.readouterr().err
    assert "ValueError: xy" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize("words", [("explain",), ("explain", "no-finding-of-this-name")])
def test_a_stream_that_is_closed_from_the_beginning_is_no_fault(closed: str, words: Sequence[str]) -> None:
    line = ["sh", "-c", f'"$@" {closed}', "sh"]
    ended = subprocess.run(
        [*line, *command(*words)], env=environment(), capture_output=True, timeout=120, check=False
    )
    open_ended = spawn(*words)
    assert ended.returncode == open_ended.returncode
    assert b"Traceback" not in ended.stderr
