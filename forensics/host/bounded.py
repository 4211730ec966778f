"""Run a program with an end to its time and to its output, and leave nothing of it behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Ending = Literal["exit", "time", "output", "absent"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended: by itself (`exit`), cut short (`time`, `output`), or it could not start."""

    ending: Ending
    code: int | None
    stdout: bytes
    stderr: bytes

    @property
    def is_success(self) -> bool:
        """Whether it ended by itself with 0."""
        return self.ending == "exit" and self.code == 0


def run_bounded(
    argv: Sequence[str],
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    seconds: float,
    max_bytes: int = 1 << 20,
) -> Outcome:
    """Return how a program ended; whatever it has started is killed with it.

    The program leads a process group of its own, which is killed when time or output runs out, and also
    after it ended by itself, so that no helper it left in the background lives on.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - a list of words, no shell
            list(argv),
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return Outcome("absent", None, b"", str(error).encode())
    try:
        ending, stdout, stderr = _collect(process, stdin, seconds, max_bytes)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        process.wait()
    return Outcome(ending, process.returncode if ending == "exit" else None, stdout, stderr)


def _collect(
    process: subprocess.Popen[bytes], stdin: bytes, seconds: float, max_bytes: int
) -> tuple[Ending, bytes, bytes]:
    deadline = time.monotonic() + seconds
    kept = {"stdout": bytearray(), "stderr": bytearray()}
    unsent = memoryview(stdin)
    ending: Ending = "exit"
    with selectors.DefaultSelector() as selector:
        for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
            assert stream is not None
            selector.register(stream, selectors.EVENT_READ, name)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, "stdin")
        # A helper in the background may hold the pipes open: the program's own end counts as well.
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                ending = "time"
                break
            ready = selector.select(min(left, 0.2))
            for key, _ in ready:
                if key.data == "stdin":
                    unsent = _send(key.fd, unsent)
                    if not unsent:
                        selector.unregister(key.fileobj)
                        assert process.stdin is not None
                        process.stdin.close()
                    continue
                block = os.read(key.fd, 1 << 16)
                if block:
                    kept[key.data] += block
                else:
                    selector.unregister(key.fileobj)
            if sum(map(len, kept.values())) > max_bytes:
                ending = "output"
                break
            if not ready and process.poll() is not None:
                break
        else:
            ending = _wait(process, deadline)
    return ending, bytes(kept["stdout"][:max_bytes]), bytes(kept["stderr"][:max_bytes])


def _send(fd: int, unsent: memoryview) -> memoryview:
    try:
        return unsent[os.write(fd, unsent) :]
    except BrokenPipeError:
        return unsent[:0]


def _wait(process: subprocess.Popen[bytes], deadline: float) -> Ending:
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return "time"
    return "exit"
