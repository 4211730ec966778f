"""Reading in rounds: what turned out to be other than it was when the plan was made is read once more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forensics import engine
from forensics.ingest.gather import Taken
from forensics.ingest.plan import Found, Plan, StemMaker, item_for, make_tasks
from forensics.ingest.task import PartResult, Task

if TYPE_CHECKING:
    from forensics.ingest.convert import ConvertOptions, Progress


def read_all(
    plan: Plan, stems: StemMaker, folder: Path, options: ConvertOptions, progress: Progress | None
) -> list[PartResult]:
    """Run all tasks, then those for files that turned out to be other ones than before."""
    tasks = plan.tasks + [
        Task(stems.next(found.source.label), (item,), (item.end or 0) - item.start, options.raw, options.text)
        for found, items in engine.split(plan.splits, workers=options.workers)
        for item in items
    ]
    results = engine.run(tasks, folder, workers=options.workers, progress=progress)
    results, torn = _drop_torn(results, {found.file_id for found in plan.splits}, folder)
    by_id = {found.file_id: found for found in plan.found}
    again = [by_id[file_id] for file_id in torn]
    again += _differing(results, by_id)
    while again:
        items = [(found, item_for(found, resume=found.action == "resume")) for found in again]
        more = make_tasks(items, stems, raw=options.raw, text=options.text)
        results += engine.run(more, folder, workers=options.workers, progress=progress)
        again = _differing(results, by_id)
    return results


def _drop_torn(
    results: Sequence[PartResult], split_ids: set[int], folder: Path
) -> tuple[list[PartResult], list[int]]:
    """Results without the ranges of files that changed between them, and these files.

    Such a file is read once more, as one: ranges of two contents must never stand together.
    """
    torn = sorted(
        {
            one.item.file_id
            for result in results
            for one in result.items
            if one.item.file_id in split_ids and one.item.end is not None and one.state != "read"
        }
    )
    kept: list[PartResult] = []
    for result in results:
        if result.items and result.items[0].item.file_id in torn:
            for file in result.tables.values():
                (folder / file.path).unlink()
        else:
            kept.append(result)
    return kept, torn


def _differing(results: Sequence[PartResult], by_id: Mapping[int, Found]) -> list[Found]:
    """Files that turned out to be other ones than before, to be read as a new generation."""
    found = {
        one.item.file_id: by_id[one.item.file_id]
        for result in results
        for one in result.items
        if one.state == "differs" and by_id[one.item.file_id].action == "resume"
    }
    for one in found.values():
        one.generation += 1
        one.action = "read"
    return list(found.values())


def taken_by_file(results: Sequence[PartResult]) -> dict[int, list[Taken]]:
    """What was read of each file, in the order of its bytes."""
    taken: dict[int, list[Taken]] = defaultdict(list)
    for part in results:
        for one in part.items:
            if one.state != "differs":
                taken[one.item.file_id].append(Taken(part.stem, one))
    for several in taken.values():
        several.sort(key=lambda one: one.result.item.start)
    return taken
