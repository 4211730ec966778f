"""A worker process: tasks come in on standard input, results go out on standard output, both pickled.

Started as `python -m forensics.ingest.worker`, so that it imports this and nothing of whoever called: a pool
that imports the caller's main module again would load the command line, or run a person's script twice.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
from typing import Any

from forensics.ingest.split import split_item
from forensics.ingest.work import run_task

Order = tuple[str, Any, str]
"""What to do (`split` or `part`), with which item or task, and the folder a part goes into."""

_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Ask the system to end this process when the one that started it is gone, however it went."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == 1:
            sys.exit(1)


def obey(order: Order) -> Any:
    """The answer to an order: the ranges of an item, or the result of a task."""
    kind, what, folder = order
    return split_item(what) if kind == "split" else run_task(what, folder)


def main() -> None:
    """Serve orders until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with_parent()
    orders = sys.stdin.buffer
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            order = pickle.load(orders)  # noqa: S301 - written by our own parent
        except EOFError:
            return
        try:
            answer: tuple[Any, OSError | None] = (obey(order), None)
        except OSError as error:
            answer = (None, error)
        pickle.dump(answer, results, protocol=pickle.HIGHEST_PROTOCOL)
        results.flush()


if __name__ == "__main__":
    main()
