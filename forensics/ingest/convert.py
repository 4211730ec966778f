"""Evidence in, case out: plan, read, gather, derive, publish."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from forensics import engine
from forensics.errors import CaseError, NothingThereError, SourceError, UsageError
from forensics.ingest import derive, manifest, publish
from forensics.ingest.gather import Small, gather
from forensics.ingest.labels import check_labels
from forensics.ingest.outside import Outside, take_outside
from forensics.ingest.parts import WrittenFile, columns_of, write_rows, write_whole
from forensics.ingest.plan import (
    StemMaker,
    find_all,
    make_plan,
)
from forensics.ingest.previous import Previous, read_previous
from forensics.ingest.rounds import read_all, taken_by_file
from forensics.ingest.scope import key_folders, list_sources, scope_of
from forensics.ingest.sources import Source, is_inside, resolve_sources
from forensics.ingest.unpack import take_containers
from forensics.keys import RulesError, Ruleset, load_rules
from forensics.schema import TABLES

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Progress(Protocol):
    """Who wants to know how far the reading is."""

    def start(self, n_files: int, n_bytes: int) -> None:
        """The work ahead."""

    def advance(self, n_files: int, n_bytes: int, n_gaps: int) -> None:
        """Work done since the last call."""

    def finish(self) -> None:
        """No more work."""


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    """How evidence is taken in.

    `raw` and `text` say whether those tables are kept; `workers` None chooses by size and cores; `as_of` is
    an ISO time or `now`; `probe_files` maps labels to files that `probe` wrote,
    `withs` kinds of facts from outside the transcripts to files.
    """

    raw: bool = True
    text: bool = True
    workers: int | None = None
    as_of: str | None = None
    rules: Path | None = None
    probe_files: Mapping[str, Path] = field(default_factory=dict)
    withs: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a taking-in came to; `n_read_bytes` are those read this time, `n_unread` files refused."""

    case: Path
    n_files: int
    n_bytes: int
    n_lines: int
    n_gaps: int
    n_unread: int
    n_transcripts: int
    n_read_bytes: int
    seconds: float


def _check_out(out: Path, sources: Sequence[Source]) -> Path:
    """The real place of the case, refused inside or above a root."""
    real = Path(os.path.realpath(out))
    for source in sources:
        evidence = source.given if source.is_file else source.root
        if is_inside(str(real), evidence) or is_inside(evidence, str(real)):
            raise UsageError(
                f"the case may not lie inside or above the evidence: {out}",
                hint="name a folder elsewhere with -o: nothing is ever written under a root",
            )
    publish.check_place(real)
    return real


def _check_options(previous: Previous, options: ConvertOptions) -> None:
    if previous.manifest.get("derived"):
        raise UsageError(
            "this case was made from another case and takes in no evidence",
            hint="convert into the case it was made from, or name another folder",
        )
    before = previous.manifest.get("options")
    now = {"raw": options.raw, "text": options.text}
    if before is not None and before != now:
        raise UsageError(
            f"this case keeps {_kept(before)}, not {_kept(now)}",
            hint="give the same --no-raw and --no-text as before, or name another case",
        )


def _kept(options: Mapping[str, bool]) -> str:
    return " and ".join(name for name in ("raw", "text") if options.get(name)) or "neither raw nor text"


def _is_reread(segment: Mapping[str, Any]) -> bool:
    return segment["next_byte"] is not None and segment["next_byte"] < segment["end_byte"]


def _trims(small: Small) -> tuple[dict[str, dict[tuple[int, int], int | None]], bool]:
    """For each part, which of its lines count where not all do; and whether that is so anywhere.

    A line that had no end yet was read again when more bytes came: of the earlier segment it counts no more.
    """
    current = {(row["file_id"], row["generation"]) for row in small.files if row["is_current"]}
    newest: dict[tuple[int, int], int] = {}
    for row in small.segments:
        key = (row["file_id"], row["generation"])
        newest[key] = max(newest.get(key, 0), row["segment_no"])
    trims: dict[str, dict[tuple[int, int], int | None]] = defaultdict(dict)
    for row in small.segments:
        key = (row["file_id"], row["generation"])
        if key not in current:
            trims[row["part_stem"]][key] = None
        elif row["segment_no"] < newest[key] and _is_reread(row):
            trims[row["part_stem"]][key] = row["last_line"]
    return trims, bool(trims)


def _line_facts(
    folder: Path, parts: Mapping[str, Sequence[WrittenFile]], small: Small
) -> tuple[derive.LineFacts, bool]:
    trims, is_trimmed = _trims(small)
    facts = derive.LineFacts()
    for name, add in (("lines", facts.add), ("marks", facts.add_moves)):
        for part in parts.get(name, ()):
            add(folder / part.path, trims.get(Path(part.path).stem, {}))
    return facts, is_trimmed


def _as_of(given: str | None, newest_us: int | None) -> tuple[str | None, str]:
    if given == "now":
        return datetime.now(UTC).isoformat(timespec="seconds"), "now"
    if given is not None:
        try:
            moment = datetime.fromisoformat(given)
        except ValueError as error:
            raise UsageError(f"not a time: {given}", hint="use 2026-01-31T12:00:00Z or now") from error
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat(), "given"
    if newest_us is None:
        return None, "evidence"
    return (_EPOCH + timedelta(microseconds=newest_us)).isoformat(), "evidence"


def _source_rows(
    sources: Sequence[Source], small: Small, previous: Previous, digests: Mapping[str, str]
) -> list[dict[str, Any]]:
    rows = {row["label"]: row for row in previous.manifest.get("sources", [])}
    for source in sources:
        rows[source.label] = {
            "label": source.label,
            "kind": "container" if source.is_container else "file" if source.is_file else "folder",
            "same_as": source.same_as,
            "sha256": digests.get(source.label),
        }
    for label, row in rows.items():
        mine = [f for f in small.files if f["label"] == label and f["is_current"]]
        row["n_files"] = len(mine)
        row["n_bytes"] = sum(f["size_bytes"] or 0 for f in mine)
    return [rows[label] for label in sorted(rows)]


def _link_parts(previous: Previous, case: Path, folder: Path) -> dict[str, list[WrittenFile]]:
    parts: dict[str, list[WrittenFile]] = defaultdict(list)
    for table, file in previous.part_files():
        if file["n_rows"]:
            if not (case / file["path"]).is_file():
                raise CaseError("a part of the case is missing", where=str(case / file["path"]))
            publish.link_or_copy(case / file["path"], folder / file["path"])
            parts[table].append(WrittenFile(file["path"], file["n_rows"], file["n_bytes"], file["sha256"]))
    return parts


def _write_tables(
    folder: Path,
    parts: dict[str, list[WrittenFile]],
    small: dict[str, Sequence[Mapping[str, Any]]],
    outside: Outside,
) -> dict[str, list[WrittenFile]]:
    tables = dict(parts)
    for name, rows in small.items():
        tables[name] = [write_rows(TABLES[name], folder, rows)]
    for table, rows in outside.tables.values():
        tables[table.name] = [write_rows(table, folder, rows)]
    return tables


def _fill_empty(folder: Path, tables: dict[str, list[WrittenFile]], options: ConvertOptions) -> None:
    """An empty file for each table in parts that has no rows: readers need one for the columns."""
    left_out = {name for name, kept in (("raw", options.raw), ("text", options.text)) if not kept}
    for name, table in TABLES.items():
        if table.in_parts and name not in left_out and not tables.get(name):
            tables[name] = [write_whole(table, folder, f"{name}/none.parquet", columns_of(table, []))]


def _ruleset(rules: Path | None) -> Ruleset:
    try:
        return load_rules(rules)
    except RulesError as error:
        raise UsageError(str(error), hint="see the packaged rules.toml for the shape") from error


def convert(
    sources: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    options: ConvertOptions | None = None,
    progress: Progress | None = None,
) -> Conversion:
    """Take the sources into the case at `out`, which is made or brought up to date.

    Raises:
        UsageError: the call or the output place is wrong; nothing was touched.
        SourceError: a root cannot be reached, or the disk failed; the old case stays.
        CaseError: the case at `out` cannot be read, or was altered; it stays as it is.
        NothingThereError: no transcript under any root; no case is made.
        LockedError: another process writes this case.
    """
    options = options or ConvertOptions()
    ruleset = _ruleset(options.rules)
    resolved = resolve_sources(sources)
    try:
        case = _check_out(Path(out), resolved)
        with publish.locked(case):
            return _convert(resolved, case, ruleset, options, progress)
    except OSError as error:
        raise SourceError(
            f"the case could not be written: {error.strerror or error}",
            where=str(case),
            hint="free space or name another place; an earlier case is as it was",
        ) from error


def _convert(
    sources: Sequence[Source],
    case: Path,
    ruleset: Ruleset,
    options: ConvertOptions,
    progress: Progress | None,
) -> Conversion:
    began, started = time.perf_counter(), datetime.now(UTC)
    previous = read_previous(case)
    _check_options(previous, options)
    check_labels(sources, previous, case)
    outside = take_outside(
        case,
        manifest=previous.manifest,
        labels={source.label for source in sources},
        probe_files=options.probe_files,
        withs=options.withs,
        ruleset=ruleset,
    )
    listings = list_sources(sources)
    stems = StemMaker(previous.stems())
    plan = make_plan(find_all(listings, previous), stems, raw=options.raw, text=options.text)
    with publish.staging(case) as folder:
        results = read_all(plan, stems, folder, options, progress)
        unpacked = take_containers(list(sources), folder, previous, stems, options, progress)
        results += unpacked.results
        unseen = unpacked.unchanged | unpacked.broken
        looked_at = [source for source in sources if source.label not in unseen]
        found = plan.found + unpacked.found
        small = gather(found, taken_by_file(results), previous, scope_of(looked_at, listings))
        n_transcripts = sum(row["role"] in {"main", "subagent"} and row["is_current"] for row in small.files)
        if not n_transcripts and not previous.manifest:
            raise NothingThereError(
                "no Claude Code transcript there",
                where=", ".join(source.given for source in sources),
                hint="name the folder that holds projects/, such as ~/.claude",
            )
        parts = _link_parts(previous, case, folder)
        for result in results:
            for name, file in result.tables.items():
                parts[name].append(file)
        facts, is_trimmed = _line_facts(folder, parts, small)
        tables = _write_tables(
            folder,
            parts,
            {
                "files": small.files,
                "acquisition": small.acquisition,
                "segments": small.segments,
                "gaps": small.gaps,
                "keys": derive.key_rows(
                    small.files, key_folders(looked_at, listings, previous) + unpacked.folders
                ),
                "cwds": derive.cwd_rows(facts.cwds),
                "cwd_keys": derive.cwd_key_rows(facts.cwds, ruleset),
                "version_rules": derive.version_rule_rows(facts.versions, ruleset),
            },
            outside,
        )
        _fill_empty(folder, tables, options)
        as_of, basis = _as_of(options.as_of, facts.newest_us)
        document = manifest.make_manifest(
            tables,
            ruleset={"version": ruleset.version, "digest": ruleset.digest},
            sources=_source_rows(sources, small, previous, unpacked.digests),
            outside=outside.files,
            options={"raw": options.raw, "text": options.text},
            as_of=as_of,
            as_of_basis=basis,
            is_trimmed=is_trimmed,
        )
        manifest.write_json(folder / "manifest.json", document)
        manifest.write_sums(folder, [file for files in tables.values() for file in files])
        current = [row for row in small.files if row["is_current"]]
        n_read = sum(i.n_new for r in results for i in r.items)
        conversion = Conversion(
            case=case,
            n_files=len(current),
            n_bytes=sum(row["size_bytes"] or 0 for row in current),
            n_lines=sum(row["n_lines"] or 0 for row in current),
            n_gaps=sum(row["n_gaps"] for row in current),
            n_unread=small.n_unread,
            n_transcripts=n_transcripts,
            n_read_bytes=n_read,
            seconds=time.perf_counter() - began,
        )
        manifest.append_run(
            case / "runs.jsonl",
            folder / "runs.jsonl",
            engine.run_record(conversion, sources, started, options),
        )
        publish.publish(folder, case)
    return conversion
