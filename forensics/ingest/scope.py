"""What is looked at under the sources of a run, and what is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from forensics.ingest.discover import Entry, list_file, list_root
from forensics.ingest.plan import shown_path
from forensics.ingest.previous import Previous
from forensics.ingest.sources import Source

Listings = Mapping[str, tuple[Source, list[Entry]]]


def list_sources(sources: Sequence[Source]) -> Listings:
    """The entries of each source by label; a folder that two labels name is listed once.

    Raises:
        SourceError: a root cannot be listed.
    """
    listings = {}
    for source in sources:
        if source.same_as is not None or source.is_container:
            continue
        if source.is_file:
            entries = list_file(source.root, source.under)
        else:
            entries = list_root(source.root, under=source.under)
        listings[source.label] = (source, entries)
    return listings


def scope_of(sources: Sequence[Source], listings: Listings) -> Callable[[Mapping[str, Any]], bool]:
    """Tells of a known path whether this run looked where it was.

    Another label, a place beside the folder that was named, or below one that could not be listed: not looked
    is not gone. A root that is another one's folder has nothing of its own.
    """
    unlisted = {
        (label, entry.path)
        for label, (_, entries) in listings.items()
        for entry in entries
        if entry.kind == "folder" and entry.trouble is not None
    }
    by_label = {source.label: source for source in sources}

    def was_looked_for(row: Mapping[str, Any]) -> bool:
        source = by_label.get(row["label"])
        if source is None or source.same_as is not None:
            return source is not None
        path: bytes = row["path_bytes"] or row["path"].encode("utf-8")
        under = os.fsencode(source.under)
        if under and path != under and not path.startswith(under + b"/"):
            return False
        parts = path.split(b"/")
        return not any((source.label, b"/".join(parts[:i])) in unlisted for i in range(1, len(parts)))

    return was_looked_for


def key_folders(sources: Sequence[Source], listings: Listings, previous: Previous) -> list[tuple[str, str]]:
    """Label and path of folders that may be keys: those listed, and earlier ones where nobody looked now."""
    was_looked_for = scope_of(sources, listings)
    folders = [
        (label, shown_path(entry.path))
        for label, (_, entries) in listings.items()
        for entry in entries
        if entry.kind == "folder"
    ]
    for row in previous.keys:
        path = f"{row['home']}/projects/{row['project_key']}".removeprefix("./")
        if not was_looked_for({"label": row["label"], "path": path, "path_bytes": None}):
            folders.append((row["label"], path))
    return folders
