"""A program that is run ends, says no more than it may, and leaves nothing behind."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from forensics.host.bounded import run_bounded


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def is_there(pid: int) -> bool:
    """Whether a process lives; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_a_program_that_ends_by_itself_gives_code_and_output() -> None:
    outcome = run_bounded(
        python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"), seconds=30
    )
    assert (outcome.ending, outcome.code, outcome.stdout, outcome.stderr) == ("exit", 3, b"out\n", b"err\n")
    assert not outcome.is_success


def test_input_larger_than_a_pipe_arrives_whole() -> None:
    data = bytes(range(256)) * 4096
    outcome = run_bounded(
        python("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"),
        stdin=data,
        seconds=30,
        max_bytes=1 << 24,
    )
    assert outcome.is_success
    assert outcome.stdout == data


def test_a_program_that_reads_no_input_does_not_block_us() -> None:
    outcome = run_bounded(python("print('done')"), stdin=b"x" * (1 << 20), seconds=30)
    assert outcome.is_success
    assert outcome.stdout == b"done\n"


def test_a_program_that_does_not_end_is_ended() -> None:
    outcome = run_bounded(python("import time; time.sleep(600)"), seconds=0.5)
    assert (outcome.ending, outcome.code) == ("time", None)


def test_a_program_that_closed_its_output_is_still_ended() -> None:
    code = "import os, time; os.close(1); os.close(2); time.sleep(600)"
    assert run_bounded(python(code), seconds=1).ending == "time"


def test_output_without_end_is_cut() -> None:
    outcome = run_bounded(python("while True: print('x' * 1000)"), seconds=30, max_bytes=5000)
    assert outcome.ending == "output"
    assert len(outcome.stdout) == 5000


def test_a_helper_left_in_the_background_dies_and_is_not_waited_for() -> None:
    code = (
        "import subprocess, sys\n"
        "helper = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(helper.pid, flush=True)\n"
    )
    outcome = run_bounded(python(code), seconds=60)
    assert outcome.ending == "exit"
    helper = int(outcome.stdout)
    for _ in range(100):
        if not is_there(helper):
            break
        time.sleep(0.05)
    assert not is_there(helper)


def test_a_program_that_is_not_there_is_an_outcome() -> None:
    outcome = run_bounded(["/nowhere/program"], seconds=5)
    assert (outcome.ending, outcome.code) == ("absent", None)


def test_the_environment_is_the_one_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIT_SECRET", "x")
    outcome = run_bounded(python("import os; print(sorted(os.environ))"), env={"ONLY": "1"}, seconds=30)
    assert b"ONLY" in outcome.stdout
    assert b"KIT_SECRET" not in outcome.stdout
