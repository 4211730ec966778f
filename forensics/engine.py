"""Where tasks run: in this process when little is to be read, else in a few light ones beside it.

The seam is a plan of parts in and published parts out; what order the workers finish in shows nowhere.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensics.ingest.plan import Found, item_for
from forensics.ingest.split import split_item
from forensics.ingest.task import Item, PartResult, Task
from forensics.ingest.work import run_task

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


def split(found: Sequence[Found], *, workers: int | None) -> Iterable[tuple[Found, list[Item]]]:
    """Each large file with its ranges; read once to hash it and to find where lines begin."""
    items = [item_for(one, resume=one.action == "resume") for one in found]
    n = max(1, min(workers or cores(), len(items)))
    if n == 1:
        return list(zip(found, map(split_item, items), strict=True))
    with _pool(n) as pool:
        return list(zip(found, pool.map(split_item, items), strict=True))


def _pool(n: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn"))


def _tell(progress: Progress | None, result: PartResult) -> None:
    if progress is not None:
        n_bytes = sum(one.size_bytes for one in result.items)
        progress.advance(len(result.items), n_bytes, sum(len(one.gaps) for one in result.items))


def run(
    tasks: Sequence[Task], folder: Path, *, workers: int | None, progress: Progress | None
) -> list[PartResult]:
    """The results of all tasks, in the order of their names; large ones are started first."""
    if progress is not None:
        progress.start(sum(len(task.items) for task in tasks), sum(task.n_bytes for task in tasks))
    ordered = sorted(tasks, key=lambda task: (-task.n_bytes, task.stem))
    n = _n_workers(tasks, workers)
    results: list[PartResult] = []
    if n == 1:
        for task in ordered:
            results.append(run_task(task, str(folder)))
            _tell(progress, results[-1])
    else:
        with _pool(n) as pool:
            waiting = [pool.submit(run_task, task, str(folder)) for task in ordered]
            try:
                for done in as_completed(waiting):
                    results.append(done.result())
                    _tell(progress, results[-1])
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
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
        "sources": [{"label": source.label, "path": source.given} for source in sources],
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
