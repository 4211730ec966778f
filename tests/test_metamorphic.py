"""What must not change an answer, and how an answer must change: laws that hold for every finding.

Nothing here knows what a finding asks; a new one is held to these laws without being named.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.refs import Ref, format_ref
from forensics.testing.probes import write_probes
from forensics.testing.short_lines import Story
from forensics.testing.world import PLANTS, WorldSpec, build_world
from tests.worlds import probe_of

Answers = dict[str, list[dict[str, Any]]]

# A FIFO cannot be copied; the hash of a long key changes with its path; a byte order mark stands in front.
_LEFT_OUT = {"fifo", "links", "collision_long", "long_prefix", "long_directory", "damage_bom"}
_NOISE = b'{"type":"mode","mode":"normal"}\n\n'
_NOISE_LINES = 2

# Columns that count lines or bytes of whole files: noise is part of them.
_COUNTS = re.compile(
    r"n_lines|n_lines_after|coverage|n_without_cwd|.*_bytes|n_records_before|n_common|n_only|n_other_only|types"
)
_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LINE = re.compile(r"#L(\d+)")


def spec(*without: str) -> WorldSpec:
    plants = {name: 1 for name in PLANTS if name not in _LEFT_OUT and not name.startswith(without or ("-",))}
    return WorldSpec(seed=5, homes=("laptop/.claude", "desk/.claude"), turns=(1, 3), plants=plants)


def lay_out(folder: Path, *without: str) -> tuple[Path, dict[str, Any]]:
    """A world's root and what a probe of it tells."""
    world = build_world(spec(*without))
    world.lay_out(folder)
    return folder, probe_of(world.truth)


def ask(folder: Path, roots: Mapping[str, Path], probes: Mapping[str, Any], *, workers: int = 1) -> Answers:
    """What every finding says about some roots."""
    folder.mkdir(parents=True, exist_ok=True)
    options = ConvertOptions(workers=workers, probe_files=write_probes(probes, folder))
    convert([f"{label}={root}" for label, root in roots.items()], folder / "case", options=options)
    with open_case(folder / "case") as case:
        return {result.spec.name: result.rows.to_pylist() for result in case.findings()}


def change(rows: Answers, function: Callable[[Any], Any]) -> Answers:
    """The rows with each value changed; their names, which follow from the values, left out."""

    def walk(value: Any) -> Any:
        if isinstance(value, list):
            return [walk(item) for item in value]
        return function(value)

    return {
        name: [{c: walk(v) for c, v in row.items() if c != "row_id"} for row in found]
        for name, found in rows.items()
    }


def of_label(rows: Answers, label: str) -> Answers:
    """The rows of one label, with the label taken out of all they say."""
    kept = {name: [row for row in found if row["label"] == label] for name, found in rows.items()}
    prefix = f"{label}/"
    return change(
        kept,
        lambda value: (
            "LABEL"
            if value == label
            else f"LABEL/{value.removeprefix(prefix)}"
            if isinstance(value, str) and value.startswith(prefix)
            else value
        ),
    )


def assert_equal(one: Answers, other: Answers) -> None:
    for name, rows in one.items():
        assert other[name] == rows, name


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], Answers]:
    folder = tmp_path_factory.mktemp("base")
    root, probe = lay_out(folder / "root")
    rows = ask(folder / "asked", {"home": root}, {"home": probe})
    assert sum(map(bool, rows.values())) > len(rows) * 0.8, "most findings have something to say"
    return root, probe, rows


Base = tuple[Path, dict[str, Any], Answers]


def test_the_order_of_files_and_the_number_of_workers_change_nothing(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    paths = sorted((path for path in root.rglob("*") if path.is_file()), reverse=True)
    for path in [*paths[1::2], *paths[::2]]:
        target = tmp_path / "root" / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    for folder in (path for path in root.rglob("*") if path.is_dir()):
        (tmp_path / "root" / folder.relative_to(root)).mkdir(parents=True, exist_ok=True)
    asked = ask(tmp_path / "asked", {"home": tmp_path / "root"}, {"home": probe}, workers=2)
    assert_equal(rows, asked)


def test_evidence_mounted_twice_gives_everything_exactly_twice(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    copy = shutil.copytree(root, tmp_path / "copy")
    twice = ask(tmp_path / "asked", {"aa": root, "zz": copy}, {"aa": probe, "zz": probe})
    assert {name: len(found) for name, found in twice.items()} == {n: 2 * len(f) for n, f in rows.items()}
    assert_equal(of_label(rows, "home"), of_label(twice, "aa"))
    assert_equal(of_label(rows, "home"), of_label(twice, "zz"))


def test_an_unrelated_home_changes_no_row_of_the_others(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    shutil.copytree(root, tmp_path / "root")
    for number, key in enumerate(("-mnt-far-away", "-mnt-far-away-too")):
        folder = tmp_path / "root" / "zz-unrelated" / "projects" / key
        folder.mkdir(parents=True)
        session = f"0f0e0d0c-0000-4000-8000-00000000000{number}"
        story = Story(session, cwd=key.replace("-", "/"), version="9.9.9")
        (folder / f"{session}.jsonl").write_bytes(story.write([{"say": "far"}, {"reply": "away"}]))
    asked = ask(tmp_path / "asked", {"home": tmp_path / "root"}, {"home": probe})

    def is_new(row: dict[str, Any]) -> bool:
        return "zz-unrelated" in json.dumps(row, default=str)

    for name, found in asked.items():
        if name == "ghost_worktree":
            # It cites the folders that were searched, and now there is one more.
            continue
        assert [row for row in found if not is_new(row)] == rows[name], name


def shift(rows: Answers, by: int, paths: set[str]) -> Answers:
    """The rows as if the files at these paths had so many fewer lines in front."""

    refs = {format_ref(Ref("home", path)) for path in paths}

    def shift_ref(value: Any) -> Any:
        if not isinstance(value, str) or value.partition("#")[0] not in refs:
            return value
        return _LINE.sub(lambda match: f"#L{int(match[1]) - by}", value)

    shifted = change(rows, shift_ref)
    for found in shifted.values():
        for row in found:
            for name in row:
                if (
                    row.get("path") in paths
                    and re.fullmatch(r"(.*_)?line_no", name)
                    and row[name] is not None
                ):
                    row[name] -= by
    return shifted


def without_counts(rows: Answers) -> Answers:
    return {
        name: [{c: v for c, v in row.items() if not _COUNTS.fullmatch(c)} for row in found]
        for name, found in change(rows, lambda value: value).items()
    }


def transcripts(root: Path) -> list[Path]:
    """Files that are transcripts by name and begin with a record: they still are with noise."""
    named = [
        p for p in root.rglob("*.jsonl") if _UUID.fullmatch(p.stem.encode()) or p.stem.startswith("agent-")
    ]
    return [path for path in named if path.is_file() and path.read_bytes()[:1] == b"{"]


def test_noise_in_front_of_every_transcript_changes_no_answer(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    copy = shutil.copytree(root, tmp_path / "root")
    noisy = transcripts(copy)
    for path in noisy:
        stat = path.stat()
        path.write_bytes(_NOISE + path.read_bytes())
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    asked = ask(tmp_path / "asked", {"home": copy}, {"home": probe})
    asked = shift(asked, _NOISE_LINES, {str(path.relative_to(copy)) for path in noisy})
    assert_equal(without_counts(rows), without_counts(asked))


def test_noise_behind_every_transcript_changes_no_answer(tmp_path: Path) -> None:
    # The beginning of another file is no beginning any more when something follows it.
    root, probe = lay_out(tmp_path / "root", "copy_", "damage_")
    rows = ask(tmp_path / "before", {"home": root}, {"home": probe})
    for path in transcripts(root):
        stat = path.stat()
        path.write_bytes(path.read_bytes() + _NOISE)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    asked = ask(tmp_path / "after", {"home": root}, {"home": probe})
    assert_equal(without_counts(rows), without_counts(asked))


def renaming(root: Path) -> Callable[[bytes], bytes]:
    """A consistent renaming of every id and of a person, which keeps the order of all names."""
    seen = set()
    for path in root.rglob("*"):
        seen.update(_UUID.findall(str(path.relative_to(root)).encode()))
        if path.is_file():
            seen.update(_UUID.findall(path.read_bytes()))
    step = (1 << 120) // (len(seen) + 1)
    names = {}
    for number, old in enumerate(sorted(seen), 1):
        digits = f"{number * step:032x}"
        names[old] = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])).encode()
    return lambda data: _UUID.sub(lambda m: names.get(m[0], m[0]), data).replace(b"kit", b"kiu")


def test_renaming_everything_renames_the_answers_and_nothing_else(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    rename = renaming(root)

    def rename_text(value: Any) -> Any:
        return rename(value.encode()).decode() if isinstance(value, str) else value

    for path in root.rglob("*"):
        target = tmp_path / "root" / rename_text(str(path.relative_to(root)))
        if path.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(rename(path.read_bytes()))
        os.utime(target, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    renamed = json.loads(rename(json.dumps(probe, ensure_ascii=False).encode()))
    asked = ask(tmp_path / "asked", {"other": tmp_path / "root"}, {"other": renamed})
    assert_equal(of_label(change(rows, rename_text), "home"), of_label(asked, "other"))


def test_a_case_without_prose_and_bytes_answers_all_that_needs_neither(base: Base, tmp_path: Path) -> None:
    root, probe, rows = base
    probes = write_probes({"home": probe}, tmp_path)
    options = ConvertOptions(workers=1, raw=False, text=False, probe_files=probes)
    convert([f"home={root}"], tmp_path / "case", options=options)
    with open_case(tmp_path / "case") as case:
        for result in case.findings():
            if {"text", "raw"} & set(result.spec.needs):
                assert result.status == "not_assessed"
                continue
            # Titles are prose: a column that quotes one is empty, and the row stands all the same.
            quotes = {name for name in result.spec.columns if re.fullmatch(r"title_(before|after)", name)}
            plain = [{n: v for n, v in row.items() if n not in quotes} for row in rows[result.spec.name]]
            found = [{n: v for n, v in row.items() if n not in quotes} for row in result.rows.to_pylist()]
            assert found == plain, result.spec.name
