"""Facts of the machine that evidence comes from, taken there once and carried along as one file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from forensics.errors import NothingThereError, SourceError, UsageError
from forensics.host.bounded import run_bounded
from forensics.host.places import Place, ask_each, look_at
from forensics.host.recorded import Recorded, find_recorded
from forensics.host.registry import (
    ActiveWorktree,
    RegistryEntry,
    find_boot_s,
    read_active_worktrees,
    read_registry,
)
from forensics.host.worktrees import GitPlace, Worktree, list_worktrees
from forensics.keys import Rule, encode, load_rules

FORMAT: Final = "forensics-probe"
PROBE_SCHEMA_VERSION: Final = "1.0.0"


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What stood at one path, and which folders under a `projects/` bear a key of it or of its real path."""

    place: Place
    key_folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repository:
    """The working trees of one repository, the main one first, and whether git or its files told them."""

    common_dir: str
    told_by: Literal["git", "files"]
    worktrees: tuple[Worktree, ...]


@dataclass(frozen=True, slots=True)
class Home:
    """What one home of the agent says about running sessions and open worktrees."""

    path: str
    registry: tuple[RegistryEntry, ...] = ()
    active_worktrees: tuple[ActiveWorktree, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """All facts taken, each list in a fixed order; `facts` are names with values, a name may come twice."""

    sources: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    paths: tuple[PathFacts, ...]
    repositories: tuple[Repository, ...]
    homes: tuple[Home, ...]

    @property
    def n_not_looked(self) -> int:
        """Paths about which nothing could be told."""
        return sum(each.place.exists is None for each in self.paths)


def probe(
    sources: Sequence[Path],
    *,
    git: str | None = "git",
    now: datetime | None = None,
    seconds: float = 120,
    seconds_each: float = 5,
) -> Probe:
    """Return the facts about every directory that transcripts under the sources record.

    Nothing is written, no network is used, no hook runs. `seconds` bounds the questions to the file systems
    and to git together; what was not asked in time is left open, not denied. `git=None` reads files alone.

    Raises:
        SourceError: a source is not there.
        NothingThereError: no transcript is under the sources.
    """
    recorded = find_recorded(list(sources))
    if not recorded.n_transcripts:
        raise NothingThereError("no transcript is there", where=", ".join(map(str, sources)))
    boot_s = find_boot_s()
    homes, refused = _read_homes(sorted(recorded.homes), boot_s)
    wanted = recorded.directories | _directories_of(homes)
    places = _look(wanted, seconds=seconds, seconds_each=seconds_each)
    repositories, unlisted = _list_repositories(places.values(), git=git, seconds=seconds)
    listed = {tree.path for each in repositories for tree in each.worktrees} - wanted
    places |= _look(listed, seconds=seconds, seconds_each=seconds_each)
    folders = _key_folders(recorded.homes)
    rules = [rule for rule in load_rules().rules if rule.kind == "tool"]
    paths = tuple(PathFacts(places[path], _match(places[path], folders, rules)) for path in sorted(places))
    facts = _take_facts(recorded, paths, refused, boot_s=boot_s, git=git, now=now or datetime.now(UTC))
    facts |= {("repository_not_listed", common_dir) for common_dir in unlisted}
    roots = sorted({str(source.resolve()) for source in sources})
    return Probe(tuple(roots), tuple(sorted(facts)), paths, tuple(repositories), tuple(homes))


def _read_homes(homes: Iterable[str], boot_s: int | None) -> tuple[list[Home], list[str]]:
    found: list[Home] = []
    refused: list[str] = []
    for path in homes:
        entries, unread = read_registry(path, boot_s=boot_s)
        active, unread_settings = read_active_worktrees(path)
        found.append(Home(path, tuple(entries), tuple(active)))
        refused += [*unread, *unread_settings]
    return found, refused


def _directories_of(homes: Iterable[Home]) -> set[str]:
    named: set[str | None] = set()
    for home in homes:
        named |= {entry.cwd for entry in home.registry}
        for active in home.active_worktrees:
            named |= {active.original_cwd, active.worktree_path}
    return {name for name in named if name}


def _look(paths: Iterable[str], *, seconds: float, seconds_each: float) -> dict[str, Place]:
    asked = ask_each(look_at, sorted(paths), seconds_each=seconds_each, seconds=seconds)
    return {path: place or Place(path, note="no answer in time") for path, place in asked}


def _list_repositories(
    places: Iterable[Place], *, git: str | None, seconds: float
) -> tuple[list[Repository], list[str]]:
    """Return every repository met with its working trees, and those that gave no answer in time."""
    by_common: dict[str, GitPlace] = {}
    for place in places:
        if place.git is not None:
            by_common.setdefault(place.git.common_dir, place.git)

    def ask(place: GitPlace) -> Repository:
        trees, told_by = list_worktrees(place, git=git)
        return Repository(place.common_dir, told_by, trees)

    wanted = [by_common[common_dir] for common_dir in sorted(by_common)]
    asked = list(ask_each(ask, wanted, seconds_each=30, seconds=seconds))
    return (
        [answer for _, answer in asked if answer is not None],
        [place.common_dir for place, answer in asked if answer is None],
    )


def _key_folders(homes: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for home in homes:
        try:
            folders.update(entry.name for entry in os.scandir(f"{home}/projects") if entry.is_dir())
        except OSError:
            continue
    return folders


def _match(place: Place, folders: set[str], rules: Sequence[Rule]) -> tuple[str, ...]:
    spellings = {place.path, place.real_path or place.path}
    keys = {encode(spelling, rule) for spelling in spellings for rule in rules}
    return tuple(sorted(key for key in keys if key in folders))


def _take_facts(
    recorded: Recorded,
    paths: Sequence[PathFacts],
    refused: Sequence[str],
    *,
    boot_s: int | None,
    git: str | None,
    now: datetime,
) -> set[tuple[str, str]]:
    facts = {
        ("taken_at", _utc(now)),
        ("platform", sys.platform),
        ("machine", platform.machine()),
        ("system_release", platform.release()),
        ("n_not_looked", str(sum(each.place.exists is None for each in paths))),
        *(("unread", path) for path in (*recorded.unread, *refused)),
    }
    if boot_s is not None:
        facts |= {("boot_time_s", str(boot_s)), ("boot_time", _utc(datetime.fromtimestamp(boot_s, UTC)))}
    if git is not None:
        said = run_bounded([git, "--version"], seconds=10).stdout.decode("utf-8", "replace")
        facts |= {("git_version", said.strip().removeprefix("git version "))} if said else set()
    for home in recorded.homes:
        projects = Path(home, "projects")
        facts |= {("home", home), ("projects_real_path", os.path.realpath(projects))}
        with contextlib.suppress(OSError):
            facts.add(("projects_ignore_case", str(_ignores_case(projects)).lower()))
    return facts


def _ignores_case(folder: Path) -> bool:
    """Return whether the folder answers to its name in another case, though no entry bears that name."""
    other = folder.with_name(folder.name.swapcase())
    return other.exists() and other.samefile(folder) and other not in set(folder.parent.iterdir())


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def write_probe(probe: Probe, out: Path) -> None:
    """Write a probe as one JSON file that holds its own SHA-256; the same probe gives the same bytes.

    Raises:
        UsageError: the file would lie inside a source, or cannot be written.
    """
    target = Path(os.path.realpath(out.parent), out.name)
    for source in probe.sources:
        if target == Path(source) or Path(source) in target.parents:
            raise UsageError(
                "the probe would be written into the evidence", where=str(out), hint="choose another place"
            )
    body = _as_document(probe)
    text = json.dumps({**body, "sha256": digest_of(body)}, indent=1, sort_keys=True) + "\n"
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as stream:
                stream.write(text)
            Path(name).replace(target)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"the probe cannot be written: {error.strerror}", where=str(out)) from error


def _as_document(probe: Probe) -> dict[str, Any]:
    return {"format": FORMAT, "schema": PROBE_SCHEMA_VERSION, **msgspec.to_builtins(probe)}


def digest_of(body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a probe's content, which does not depend on how the file is laid out."""
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def read_probe(path: Path) -> Probe:
    """Return the probe that a file holds.

    Raises:
        SourceError: the file cannot be read.
        UsageError: it is no probe, was altered, or comes from a newer major version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"the probe cannot be read: {error.strerror}", where=str(path)) from error
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise UsageError("not a probe: not JSON", where=str(path), hint=_HINT) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UsageError("not a probe", where=str(path), hint=_HINT)
    schema = document.get("schema")
    if not isinstance(schema, str) or schema.partition(".")[0] != PROBE_SCHEMA_VERSION.partition(".")[0]:
        raise UsageError(f"a probe of another schema: {schema}", where=str(path), hint=_HINT)
    if document.pop("sha256", None) != digest_of(document):
        raise UsageError("the probe was altered: its SHA-256 does not fit", where=str(path), hint=_HINT)
    try:
        return msgspec.convert(document, type=Probe, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise UsageError(f"the probe does not hold what it should: {error}", where=str(path)) from error


_HINT: Final = "take it again: forensics probe SOURCE -o FILE"
