"""What a person names as a source: a label and a folder or file, resolved once."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from forensics.errors import SourceError, UsageError
from forensics.sources.container import is_container

_LABELLED = re.compile(r"(?P<label>[a-z][a-z0-9_-]*)=(?P<path>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """A root of evidence.

    `root` is the real folder that references are relative to, `under` limits the listing to a folder or file
    below it, `given` is what the person named. Paths in an archive are relative to the archive. `same_as`
    names the label that reads this very folder.
    """

    label: str
    root: str
    under: str
    given: str
    is_file: bool
    is_container: bool = False
    same_as: str | None = None


def label_of(name: str) -> str:
    """The label that a folder's name gives when a person names none."""
    lowered = re.sub(r"[^a-z0-9_-]", "-", name.lower())
    return re.sub(r"^[^a-z]+", "", lowered) or "root"


def _rooted(real: str, *, is_file: bool) -> tuple[str, str]:
    """The root and the folder or file under it; a `projects` folder or a key in it is seen from its home.

    Without that, a person who names the `projects` folder itself would lose every key.
    """
    path = Path(real)
    if path.name == "projects" and not is_file:
        return str(path.parent), path.name
    if path.parent.name == "projects" and not is_file:
        return str(path.parent.parent), f"projects/{path.name}"
    if is_file:
        return str(path.parent), path.name
    return real, ""


def resolve_source(text: str | os.PathLike[str]) -> Source:
    """The source that `PATH` or `label=PATH` names.

    Raises:
        SourceError: nothing is there, or it is neither a folder nor a file.
    """
    given = os.fspath(text)
    match = _LABELLED.fullmatch(given)
    if match and not Path(given).exists():
        label, given = match["label"], match["path"]
    else:
        label = ""
    try:
        path = Path(given).expanduser()
        real = os.path.realpath(path, strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise SourceError(
            f"no such source: {given}", hint="name a folder with transcripts, such as ~/.claude"
        ) from error
    is_file = Path(real).is_file()
    if not is_file and not Path(real).is_dir():
        raise SourceError(f"not a folder or a file: {given}", hint="name a folder with transcripts")
    if is_file and is_container(real):
        name = real.rpartition("/")[2].partition(".tar")[0].removesuffix(".zip").removesuffix(".tgz")
        return Source(label or label_of(name), real, "", real, is_file, is_container=True)
    root, under = _rooted(real, is_file=is_file)
    name = Path(os.path.abspath(path)).name  # noqa: PTH100
    return Source(label or label_of(name), root, under, real, is_file)


def resolve_sources(texts: Sequence[str | os.PathLike[str]]) -> list[Source]:
    """The sources in the order given; one that is the same real folder as an earlier one says so.

    Raises:
        UsageError: no source, two equal labels, or a source inside another one.
        SourceError: a source is not there.
    """
    if not texts:
        raise UsageError("no source given", hint="name a folder with transcripts, such as ~/.claude")
    sources: list[Source] = []
    for text in texts:
        source = resolve_source(text)
        twin = next((other for other in sources if Path(other.given).samefile(source.given)), None)
        if any(other.label == source.label for other in sources):
            raise UsageError(
                f"two sources are called {source.label!r}", hint="give labels: one=PATH two=PATH"
            )
        if twin is not None:
            source = replace(source, same_as=twin.label)
        for other in sources:
            if twin is None and (
                is_inside(source.given, other.given) or is_inside(other.given, source.given)
            ):
                raise UsageError(
                    f"{source.given} and {other.given} lie inside each other",
                    hint="name only the outer one: all homes below it are found",
                )
        sources.append(source)
    return sources


def home_of(path: Path) -> Path:
    """The folder that the paths of a case are relative to, for a root named as sources are."""
    real = os.path.realpath(path)
    return Path(_rooted(real, is_file=Path(real).is_file())[0])


def is_inside(path: str, folder: str) -> bool:
    """Whether a real path is the folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
