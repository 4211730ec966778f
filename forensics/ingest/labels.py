"""One folder, one label: the same evidence under two would count everything twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from forensics.errors import UsageError
from forensics.ingest.previous import Previous
from forensics.ingest.sources import Source


def places_by_label(case: Path) -> dict[str, str]:
    """Where each label's evidence lay when it was last taken in, as the log of runs tells."""
    try:
        lines = (case / "runs.jsonl").read_bytes().split(b"\n")
    except OSError:
        return {}
    places: dict[str, str] = {}
    for line in filter(None, lines):
        try:
            sources = json.loads(line)["sources"]
            places |= {source["label"]: source["path"] for source in sources}
        except (ValueError, KeyError, TypeError):
            continue
    return places


def check_labels(sources: Sequence[Source], previous: Previous, case: Path) -> None:
    """Refuse a folder that the case holds under another label.

    Raises:
        UsageError: naming the label that the folder has here.
    """
    known = {row["label"] for row in previous.manifest.get("sources", []) if row["same_as"] is None}
    places = {path: label for label, path in places_by_label(case).items() if label in known}
    named = {source.label for source in sources}
    for source in sources:
        label = places.get(source.given, source.label)
        if source.label not in known and source.same_as is None and label not in named:
            raise UsageError(
                f"{source.given} is in this case already, as {label!r}",
                hint=f"give {label}={source.given}, or name another case with -o",
            )
