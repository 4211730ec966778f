"""Where tasks run: in this process, and when much is to be read in a few light ones beside it as well.

The seam is a plan of parts in and published parts out; what order the workers finish in shows nowhere.
"""

from __future__ import annotations

import os
import pickle
import queue
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from forensics.errors import SourceError
from forensics.ingest.plan import Found, item_for, shown_path
from forensics.ingest.split import find_ranges, split_item
from forensics.ingest.task import Item, PartResult, Task
from forensics.ingest.work import run_ranges, run_task
from forensics.ingest.worker import Order, obey

if TYPE_CHECKING:
    from datetime import datetime

    from forensics.ingest.convert import Conversion, ConvertOptions, Progress
    from forensics.ingest.sources import Source

_POOL_BYTES = 48 << 20
"""Below this many bytes to read a pool costs more than it gives."""


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _n_workers(tasks: Sequence[Task], workers: int | None) -> int:
    if workers is not None:
        return max(1, min(workers, len(tasks)))
    total = sum(task.n_bytes for task in tasks)
    return 1 if total < _POOL_BYTES else max(1, min(cores(), len(tasks)))


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe; what could not be written to a worker that is gone is lost with it."""
    with suppress(OSError):
        pipe.close()


def _serve(
    process: subprocess.Popen[bytes],
    first: tuple[int, Order],
    orders: queue.SimpleQueue[tuple[int, Order]],
    answers: queue.SimpleQueue[Any],
) -> None:
    """Hand orders to one worker until none are left, and its answers on."""
    if process.stdin is None or process.stdout is None:
        return
    for number, order in chain((first,), _take(orders)):
        try:
            pickle.dump(order, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
            process.stdin.flush()
            result, error = pickle.load(process.stdout)  # noqa: S301 - written by our own worker
        except (EOFError, OSError, pickle.UnpicklingError):
            lost = SourceError("a worker process ended", hint="memory may be short; try --workers 1")
            result, error = None, lost
        answers.put((number, result, error))
        if error is not None:
            return
    _close(process.stdin)


def _take(orders: queue.SimpleQueue[tuple[int, Order]]) -> Iterator[tuple[int, Order]]:
    with suppress(queue.Empty):
        while True:
            yield orders.get_nowait()


def _next_answer(answers: queue.SimpleQueue[Any]) -> tuple[int, Any]:
    number, result, error = answers.get()
    if error is not None:
        raise error
    return number, result


def _in_workers(orders: Sequence[Order], n: int) -> Iterator[tuple[int, Any]]:
    """Number and answer of each order, as workers finish them; this process is one of them.

    Raises:
        OSError: a worker could not write its part.
        SourceError: a worker ended before its time.
    """
    waiting: queue.SimpleQueue[tuple[int, Order]] = queue.SimpleQueue()
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for numbered in enumerate(orders):
        waiting.put(numbered)
    # -P: the current folder may be evidence, and a file there must never be taken for one of our modules.
    command = [sys.executable, "-P", "-m", "forensics.ingest.worker"]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        for _ in range(n - 1)
    ]
    threads = [
        threading.Thread(target=_serve, args=(worker, waiting.get(), waiting, answers), daemon=True)
        for worker in workers
    ]
    try:
        for thread in threads:
            thread.start()
        n_left = len(orders)
        for number, order in _take(waiting):
            yield number, obey(order)
            n_left -= 1
            while not answers.empty():
                yield _next_answer(answers)
                n_left -= 1
        for _ in range(n_left):
            yield _next_answer(answers)
    except BaseException:
        for worker in workers:
            worker.kill()
        raise
    finally:
        for thread, worker in zip(threads, workers, strict=True):
            worker.wait()
            thread.join()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    _close(pipe)


def split(found: Sequence[Found], *, workers: int | None) -> list[tuple[Found, list[Item]]]:
    """Each large file with its ranges.

    It is read to hash it and to find where lines begin; one worker alone does that with a new file as it
    takes it in.
    """
    items = [item_for(one, resume=one.action == "resume") for one in found]
    if (workers or cores()) == 1:
        return [
            (one, split_item(item) if item.known_bytes else find_ranges(item))
            for one, item in zip(found, items, strict=True)
        ]
    n = min(workers or cores(), len(items))
    if n <= 1:
        return list(zip(found, map(split_item, items), strict=True))
    answers = dict(_in_workers([("split", item, "") for item in items], n))
    return [(one, answers[i]) for i, one in enumerate(found)]


def _tell(progress: Progress | None, result: PartResult) -> None:
    if progress is not None:
        n_bytes = sum(one.n_new for one in result.items)
        progress.advance(len(result.items), n_bytes, sum(len(one.gaps) for one in result.items))


def _run_here(tasks: Sequence[Task], folder: str) -> Iterator[PartResult]:
    """The results of all tasks; ranges that were not hashed before are those of a file read through once."""
    through: dict[int, list[Task]] = {}
    for task in tasks:
        first = task.items[0]
        if first.end is not None and first.range_hash is None:
            through.setdefault(first.file_id, []).append(task)
    for several in through.values():
        yield from run_ranges(sorted(several, key=lambda task: task.items[0].start), folder)
    for task in tasks:
        if task.items[0].file_id not in through:
            yield run_task(task, folder)


def run(
    tasks: Sequence[Task], folder: Path, *, workers: int | None, progress: Progress | None
) -> list[PartResult]:
    """The results of all tasks, in the order of their names; large ones are started first.

    Raises:
        OSError: a part could not be written.
    """
    if progress is not None:
        progress.start(sum(len(task.items) for task in tasks), sum(task.n_bytes for task in tasks))
    ordered = sorted(tasks, key=lambda task: (-task.n_bytes, task.stem))
    n = _n_workers(tasks, workers)
    results: list[PartResult] = []
    there = (answer for _, answer in _in_workers([("part", task, str(folder)) for task in ordered], n))
    for result in _run_here(ordered, str(folder)) if n == 1 else there:
        results.append(result)
        _tell(progress, result)
    if progress is not None:
        progress.finish()
    return sorted(results, key=lambda result: result.stem)


def run_record(
    conversion: Conversion, sources: Sequence[Source], started: datetime, options: ConvertOptions
) -> dict[str, Any]:
    """The line of runs.jsonl for one taking-in: the only place that knows clock, host paths and speed."""
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    megabytes = conversion.n_read_bytes / 1e6
    return {
        "started_at": started.isoformat(timespec="seconds"),
        "sources": [
            {"label": source.label, "path": shown_path(os.fsencode(source.given))} for source in sources
        ],
        "options": {"raw": options.raw, "text": options.text, "workers": options.workers},
        "n_files": conversion.n_files,
        "n_bytes": conversion.n_bytes,
        "n_read_bytes": conversion.n_read_bytes,
        "n_lines": conversion.n_lines,
        "n_gaps": conversion.n_gaps,
        "n_unread": conversion.n_unread,
        "seconds": round(conversion.seconds, 3),
        "mb_per_s": round(megabytes / conversion.seconds, 1) if conversion.seconds else None,
        "peak_rss_kb": peak,
    }
