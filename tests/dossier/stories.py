"""Small cases written in short form, for tests of dossiers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import write_probes
from forensics.testing.short_lines import Story, expand_ids, id_of

Lines = Sequence[str | Mapping[str, Any]]

ONE, TWO = id_of("one"), id_of("two")


def lay_out(root: Path, files: Mapping[str, tuple[str | None, Lines]]) -> Path:
    """The root, which holds each transcript: its directory and its lines, by its path below the root."""
    for name, (cwd, lines) in files.items():
        path = root / expand_ids(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(Story(session=path.stem, cwd=cwd).write(expand_ids([*lines])))
    return root


def take_in(
    root: Path,
    folder: Path,
    *,
    probe: Mapping[str, Any] | None = None,
    mtimes: Mapping[str, int] | None = None,
    **options: Any,
) -> Path:
    """The case of a root under the label `home`; `mtimes` are seconds since 1970 by path."""
    for name, seconds in expand_ids(dict(mtimes or {})).items():
        os.utime(root / name, (seconds, seconds))
    probes = write_probes({"home": probe}, folder) if probe is not None else {}
    convert(
        [f"home={root}"], folder / "case", options=ConvertOptions(workers=1, probe_files=probes, **options)
    )
    return folder / "case"
