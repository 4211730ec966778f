"""Scenarios: tiny homes written by hand, each with the rows that a finding must give, no more and no fewer.

A scenario file is named like its finding and holds cases:

    [[case]]
    name = "two directories whose names differ in a dot"
    [[case.file]]
    path = "projects/-srv-a-b/{s1}.jsonl"
    cwd = "/srv/a.b"
    lines = [{say = "hello"}, {reply = "hi"}]
    [[case.expect]]
    project_key = "-srv-a-b"

`{s1}` stands for a session id, the same wherever it is written. Columns that an expected row leaves out are
not compared; `{is_null = true}` expects null. `expect = []` expects no row at all, `not_assessed = "…"` that
the finding was not assessed, with these words in the reason. `[case.withs.KIND]` is a file of facts from
outside, with `text` and `mtime`. How lines are written: `short_lines`.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from forensics.case import open_case
from forensics.errors import UsageError
from forensics.results import FindingResult
from forensics.testing.short_lines import DEFAULT_VERSION, Story, expand_ids

DEFAULT_ROOT = "home"


@dataclass(frozen=True, slots=True)
class File:
    """One file of a scenario, as bytes, or a link, or an empty folder."""

    root: str
    path: str
    content: bytes | None = None
    link: str | None = None
    mtime_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One case of a scenario file."""

    finding: str
    name: str
    files: tuple[File, ...]
    expect: tuple[Mapping[str, Any], ...] | None
    not_assessed: str | None = None
    denominator: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    probe: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    withs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The name by which a test runner calls it."""
        return f"{self.finding}: {self.name}"

    @property
    def roots(self) -> tuple[str, ...]:
        """The sources of the case, by label."""
        return tuple(sorted({file.root for file in self.files} | set(self.probe)))

    @property
    def is_positive(self) -> bool:
        """Whether it expects at least one row."""
        return bool(self.expect)


_CASE_FIELDS = frozenset(
    (
        *("name", "why", "file", "folders", "expect", "not_assessed", "denominator", "params", "options"),
        *("probe", "withs"),
    )
)
_FILE_FIELDS = frozenset(
    (
        *("root", "path", "lines", "text", "hex", "json", "repeat", "link", "mtime"),
        *("cwd", "version", "session", "branch", "agent", "at"),
    )
)


def _session_of(path: str) -> str:
    parts = path.split("/")
    if "subagents" in parts:
        return parts[parts.index("subagents") - 1]
    return parts[-1].removesuffix(".jsonl")


def _agent_of(path: str) -> str | None:
    name = path.rsplit("/", 1)[-1]
    return name.removesuffix(".jsonl").removeprefix("agent-") if name.startswith("agent-") else None


def _content(table: Mapping[str, Any]) -> bytes:
    given = [name for name in ("lines", "text", "hex", "json") if name in table]
    if len(given) != 1:
        raise UsageError(f"file {table.get('path')} needs one of lines, text, hex, json")
    path = table["path"]
    match given[0]:
        case "lines":
            story = Story(
                session=table.get("session", _session_of(path)),
                cwd=table.get("cwd"),
                version=table.get("version", DEFAULT_VERSION),
                branch=table.get("branch", "main"),
                agent=table.get("agent", _agent_of(path)),
            )
            story.now = table.get("at", story.now)
            data = story.write(table["lines"])
        case "text":
            data = str(table["text"]).encode("utf-8", "surrogatepass")
        case "hex":
            data = bytes.fromhex(table["hex"])
        case _:
            data = json.dumps(table["json"], ensure_ascii=False).encode()
    return data * int(table.get("repeat", 1))


def _file(table: Mapping[str, Any]) -> File:
    if unknown := sorted(set(table) - _FILE_FIELDS):
        raise UsageError(f"file {table.get('path')}: not known: {', '.join(unknown)}")
    moment = table.get("mtime")
    return File(
        root=table.get("root", DEFAULT_ROOT),
        path=table["path"],
        content=None if "link" in table else _content(table),
        link=table.get("link"),
        mtime_ns=None if moment is None else int(moment.timestamp() * 1_000_000_000),
    )


def _scenario(finding: str, table: Mapping[str, Any]) -> Scenario:
    if unknown := sorted(set(table) - _CASE_FIELDS):
        raise UsageError(f"case {table.get('name')}: not known: {', '.join(unknown)}")
    if ("expect" in table) == ("not_assessed" in table):
        raise UsageError(
            f"case {table.get('name')}: needs expect or not_assessed", hint="expect = [] for no row"
        )
    folders = [File(DEFAULT_ROOT, f"{path.rstrip('/')}/") for path in table.get("folders", ())]
    return Scenario(
        finding=finding,
        name=table["name"],
        files=(*(_file(each) for each in table.get("file", ())), *folders),
        expect=tuple(table["expect"]) if "expect" in table else None,
        not_assessed=table.get("not_assessed"),
        denominator=table.get("denominator"),
        params=table.get("params", {}),
        options=table.get("options", {}),
        probe=table.get("probe", {}),
        withs=table.get("withs", {}),
    )


def load_scenarios(path: Path) -> tuple[Scenario, ...]:
    """The cases of a scenario file.

    Raises:
        UsageError: the file is not written as it must be; `where` names it.
    """
    try:
        document = expand_ids(tomllib.loads(path.read_text("utf-8")))
        return tuple(_scenario(path.stem, table) for table in document["case"])
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"not TOML: {error}", where=str(path)) from error
    except KeyError as error:
        raise UsageError(f"{error} is missing", where=str(path)) from error
    except UsageError as error:
        raise UsageError(error.message, where=str(path), hint=error.hint) from error


def lay_out(scenario: Scenario, folder: Path) -> dict[str, Path]:
    """The roots of a case by label, as they lie in the folder afterwards."""
    roots = {label: folder / label for label in scenario.roots}
    for root in roots.values():
        root.mkdir(parents=True, exist_ok=True)
    for file in scenario.files:
        target = roots[file.root] / file.path
        if file.path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.link is not None:
            target.symlink_to(file.link)
        elif file.content is not None:
            target.write_bytes(file.content)
        if file.mtime_ns is not None:
            os.utime(target, ns=(file.mtime_ns, file.mtime_ns))
    return roots


def write_withs(scenario: Scenario, folder: Path) -> dict[str, Path]:
    """The files of facts from outside by kind, as they lie in the folder afterwards."""
    files = {kind: folder / f"{kind}.txt" for kind in scenario.withs}
    for kind, file in files.items():
        table = scenario.withs[kind]
        file.write_text(table["text"], encoding="utf-8", newline="")
        if "mtime" in table:
            os.utime(file, (table["mtime"].timestamp(),) * 2)
    return files


def ask(scenario: Scenario, folder: Path, *, findings: tuple[Path, ...] = ()) -> FindingResult:
    """What the finding answers about the case, laid out and converted in the folder."""
    from forensics.ingest.convert import ConvertOptions, convert
    from forensics.testing.probes import write_probes

    roots = lay_out(scenario, folder / "evidence")
    probes = write_probes(scenario.probe, folder)
    withs = write_withs(scenario, folder)
    options = ConvertOptions(workers=1, probe_files=probes, withs=withs, **scenario.options)
    out = folder / "case"
    convert([f"{label}={root}" for label, root in roots.items()], out, options=options)
    with open_case(out, findings=findings, threads=1) as case:
        params = {scenario.finding: scenario.params} if scenario.params else None
        return case.findings([scenario.finding], params=params)[0]


def compare(scenario: Scenario, result: FindingResult) -> list[str]:
    """What differs from the expectation, a sentence each; empty when it is met."""
    if scenario.not_assessed is not None:
        if result.status == "assessed":
            return [f"it was assessed and gave {result.n_rows} rows"]
        if scenario.not_assessed not in (result.reason or ""):
            return [f"it was not assessed because {result.reason!r}"]
        return []
    if result.status != "assessed":
        return [f"it was not assessed: {result.reason}"]
    return list(_differences(scenario, result))


def _differences(scenario: Scenario, result: FindingResult) -> Iterator[str]:
    rows = result.rows.to_pylist()
    expected = scenario.expect or ()
    if len(rows) != len(expected):
        yield f"{len(rows)} rows instead of {len(expected)}: {rows}"
    if scenario.denominator is not None and result.denominator != scenario.denominator:
        yield f"it looked at {result.denominator} {result.denominator_of} instead of {scenario.denominator}"
    for number, (row, wanted) in enumerate(zip(rows, expected, strict=False), 1):
        for name, value in wanted.items():
            if name not in row:
                yield f"row {number}: there is no column {name}"
            elif _plain(row[name]) != _plain(value):
                yield f"row {number}: {name} is {_plain(row[name])!r} instead of {_plain(value)!r}"


def _plain(value: Any) -> Any:
    if value == {"is_null": True}:
        return None
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
