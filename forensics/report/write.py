"""A report's files, each put in place whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from forensics.errors import SourceError, UsageError
from forensics.report.context import ReportCase, build_context
from forensics.report.html import write_html
from forensics.report.jsonfile import write_json
from forensics.report.markdown import write_markdown
from forensics.report.model import ReportContext

_WRITERS: Mapping[str, tuple[str, Callable[[ReportContext], str]]] = {
    "html": ("index.html", write_html),
    "md": ("report.md", write_markdown),
    "json": ("report.json", write_json),
}
FORMATS = tuple(_WRITERS)


def write_report(
    report: ReportContext | ReportCase, out: Path, *, formats: Sequence[str] = FORMATS
) -> list[Path]:
    """The files written below `out`, in the order of the formats.

    Raises:
        UsageError: a format is unknown, or `out` is no folder.
        SourceError: the disk failed.
    """
    for name in formats:
        if name not in _WRITERS:
            raise UsageError(f"no format {name!r}", hint=f"there are {', '.join(FORMATS)}")
    context = report if isinstance(report, ReportContext) else build_context(report)
    written: list[Path] = []
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in formats:
            file, write = _WRITERS[name]
            written.append(_put(out / file, write(context)))
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError("this is no folder", where=str(out), hint="name another with --out") from error
    except OSError as error:
        raise SourceError(f"the report cannot be written: {error.strerror}", where=str(out)) from error
    return written


def _put(path: Path, text: str) -> Path:
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise
    return path
