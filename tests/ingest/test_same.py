"""Same evidence, same tables: whatever the workers, the order of listing, the hash seed, the cutting."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensics import engine
from forensics.ingest import plan, split
from forensics.ingest.convert import ConvertOptions, convert
from forensics.ingest.plan import file_id_of
from forensics.ingest.split import find_ranges, split_item
from forensics.ingest.task import Item
from forensics.ingest.verify import verify
from tests.ingest.cases import all_rows, bytes_by_path, current_rows, manifest_of, take, tree
from tests.ingest.evidence import PATH, answer, say
from tests.ingest.test_convert import write_home

MANY = settings.default.max_examples if settings.default else 100


def write_roots(folder: Path) -> list[str]:
    """Two roots with several sessions each, of which some are damaged."""
    for name in ("one", "two"):
        root = write_home(folder / name)
        for i in range(12):
            key = root / "projects" / f"-srv-{'abc'[i % 3]}"
            key.mkdir(exist_ok=True)
            lines = [say(f"{name} {i} {n}", uuid=f"{name}{i}-{n}", cwd=f"/srv/{n % 4}") for n in range(i * 5)]
            lines[i // 2 : i // 2] = [say()[30:], b"\0\0" + answer()]
            path = key / f"00000000-0000-4000-8000-0000000000{i:02}.jsonl"
            path.write_bytes(b"".join(line + b"\n" for line in lines))
            os.utime(path, ns=(10**18, 10**18))
    return [f"one={folder / 'one'}", f"two={folder / 'two'}"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_roots(tmp_path_factory.mktemp("roots"))


@pytest.fixture(scope="module")
def expected(sources: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    case = tmp_path_factory.mktemp("expected") / "case"
    convert(sources, case, options=ConvertOptions(workers=1))
    return tree(case)


@pytest.mark.parametrize("workers", [1, 2, 3, None])
def test_workers_show_nowhere(
    sources: list[str],
    expected: dict[str, bytes],
    tmp_path: Path,
    workers: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "_POOL_BYTES", 0)
    monkeypatch.setattr(engine, "cores", lambda: 2)
    convert(sources, tmp_path / "case", options=ConvertOptions(workers=workers))
    assert tree(tmp_path / "case") == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_listing_shows_nowhere(
    sources: list[str],
    expected: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    from forensics.ingest import discover

    children = discover._children

    def shuffled(folder: bytes) -> list[bytes]:
        found = children(folder)
        random.Random(seed).shuffle(found)
        return found

    monkeypatch.setattr(discover, "_children", shuffled)
    convert(sources[::-1] if seed else sources, tmp_path / "case", options=ConvertOptions(workers=1))
    assert tree(tmp_path / "case") == expected


@pytest.mark.parametrize("seed", ["1", "4242"])
def test_the_hash_seed_shows_nowhere(
    sources: list[str], expected: dict[str, bytes], tmp_path: Path, seed: str
) -> None:
    code = "import sys; from forensics.ingest.convert import convert; convert(sys.argv[2:], sys.argv[1])"
    command = [sys.executable, "-c", code, str(tmp_path / "case"), *sources]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"})
    assert tree(tmp_path / "case") == expected


def test_tables_name_no_place_of_this_machine(expected: dict[str, bytes], sources: list[str]) -> None:
    place = os.fsencode(Path(sources[0].partition("=")[2]).parent)
    assert all(place not in data for data in expected.values())


def test_the_place_of_case_and_evidence_shows_only_in_acquisition(
    sources: list[str], tmp_path: Path, expected: dict[str, bytes]
) -> None:
    elsewhere = write_roots(tmp_path / "a b" / "roots")
    convert(elsewhere, tmp_path / "c=d" / "[case]", options=ConvertOptions(workers=1))
    found = tree(tmp_path / "c=d" / "[case]")
    own = {"acquisition.parquet", "manifest.json", "SHA256SUMS"}
    assert {k: v for k, v in found.items() if k not in own} == {
        k: v for k, v in expected.items() if k not in own
    }
    assert manifest_of(tmp_path / "c=d" / "[case]")["content_sha256"].encode() in expected["manifest.json"]


def cut_small(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Cut files into ranges of about so many bytes."""
    monkeypatch.setattr(plan, "PART_BYTES", size)
    monkeypatch.setattr(split, "PART_BYTES", size)
    monkeypatch.setattr(plan, "SPLIT_BYTES", size)


@pytest.mark.parametrize(("workers", "size"), [(1, 1), (1, 700), (1, 5000), (2, 1)])
def test_a_file_cut_into_ranges_gives_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, workers: int
) -> None:
    root = write_home(tmp_path / "root")
    lines = [say("x" * (i * 13 % 700), uuid=f"u{i}") for i in range(60)]
    lines[20:20] = [b"", b"", say()[40:], say() + b"\r", say() + answer()]
    repeat = lines[3][30:]
    (root / PATH).parent.mkdir(exist_ok=True)
    (root / PATH).write_bytes(b"\n".join([*lines, repeat]))
    take(root, tmp_path / "whole")
    if workers == 1:
        cut_small(monkeypatch, size)
    else:
        monkeypatch.setattr(plan, "SPLIT_BYTES", size)
    take(root, tmp_path / "cut", workers=workers)
    assert current_rows(tmp_path / "cut") == current_rows(tmp_path / "whole")
    assert bytes_by_path(tmp_path / "cut") == bytes_by_path(tmp_path / "whole")
    assert verify(tmp_path / "cut", roots={"x": root}) == []
    assert not manifest_of(tmp_path / "cut")["segments_trimmed"]


@pytest.mark.parametrize("known", [0, 12, 35])
def test_a_large_file_gives_the_same_parts_to_one_worker_and_to_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: int
) -> None:
    root = write_home(tmp_path / "root")
    path = root / PATH
    path.parent.mkdir(exist_ok=True)
    data = b"".join(say(f"line {i}", uuid=f"u{i}") + b"\n" for i in range(80))
    cut_small(monkeypatch, 3000)
    for name, workers in (("one", 1), ("two", 2)):
        for end in (known * 170, len(data)):
            path.write_bytes(data[:end])
            os.utime(path, ns=(end, end))
            take(root, tmp_path / name, workers=workers)
    found, expected = tree(tmp_path / "one"), tree(tmp_path / "two")
    assert found.keys() == expected.keys()
    own = {"acquisition.parquet", "manifest.json", "SHA256SUMS"}
    assert {name for name in found if found[name] != expected[name]} <= own
    assert manifest_of(tmp_path / "one")["content_sha256"] == manifest_of(tmp_path / "two")["content_sha256"]
    assert len({row["part_stem"] for row in all_rows(tmp_path / "one", "segments")}) > 4


def test_bytes_are_kept_in_chunks_that_begin_at_multiples_of_their_size(tmp_path: Path) -> None:
    root = write_home(tmp_path / "root")
    path = root / PATH
    path.parent.mkdir(exist_ok=True)
    data = b"".join(say("x" * 900, uuid=f"u{i}") + b"\n" for i in range(700))
    for end in (300_000, len(data)):
        path.write_bytes(data[:end])
        take(root, tmp_path / "case")
    file_id = next(row["file_id"] for row in all_rows(tmp_path / "case", "files") if row["path"] == PATH)
    starts = sorted(
        row["byte_start"] for row in all_rows(tmp_path / "case", "raw") if row["file_id"] == file_id
    )
    assert starts == sorted({300_000, *range(0, len(data), 262_144)})
    assert bytes_by_path(tmp_path / "case")[PATH] == [data]


@pytest.mark.parametrize("half", [0, 35])
@pytest.mark.parametrize("size", [700, 3000])
def test_what_is_added_to_a_cut_file_is_cut_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, half: int
) -> None:
    root = write_home(tmp_path / "root")
    path = root / PATH
    path.parent.mkdir(exist_ok=True)
    data = b"".join(say(f"line {i}", uuid=f"u{i}") + b"\n" for i in range(50))
    path.write_bytes(data[: len(data) // 2 - half])
    cut_small(monkeypatch, size)
    take(root, tmp_path / "case")
    path.write_bytes(data)
    take(root, tmp_path / "case")
    take(root, tmp_path / "fresh")
    assert current_rows(tmp_path / "case") == current_rows(tmp_path / "fresh")
    assert bytes_by_path(tmp_path / "case") == bytes_by_path(tmp_path / "fresh")
    assert verify(tmp_path / "case", roots={"x": root}) == []
    before = len(all_rows(tmp_path / "case", "lines"))
    path.write_bytes(b"\n" + data)
    take(root, tmp_path / "case")
    assert [row["generation"] for row in all_rows(tmp_path / "case", "files") if row["path"] == PATH] == [
        1,
        2,
    ]
    assert len(all_rows(tmp_path / "case", "lines")) == before + 51
    assert verify(tmp_path / "case", roots={"x": root}) == []


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30),
    st.integers(1, 120),
    st.booleans(),
    st.integers(0, 400),
)
def test_ranges_partition_a_file_at_its_newlines(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], part: int, ended: bool, known: int
) -> None:
    data = b"\n".join(b"x" * size for size in sizes) + (b"\n" if ended else b"")
    path = tmp_path_factory.getbasetemp() / "ranges.jsonl"
    path.write_bytes(data)
    start = data.rfind(b"\n", 0, min(known, len(data))) + 1
    item = Item(1, 1, os.fsencode(path), "x", start=start, first_line=data.count(b"\n", 0, start) + 1)
    ranges = split_item(item, part_bytes=part)
    found = find_ranges(item, part_bytes=part)
    assert [(one.start, one.end) for one in found] == [(one.start, one.end) for one in ranges]
    assert ranges[0].start == start
    assert ranges[-1].end == len(data)
    for one, two in pairwise(ranges):
        assert one.end == two.start
        assert data[two.start - 1 : two.start] == b"\n"
        assert two.first_line == data.count(b"\n", 0, two.start) + 1
        assert one.end - one.start > part or two.start == len(data)


def test_parts_are_a_function_of_the_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_home(tmp_path / "root")
    monkeypatch.setattr(plan, "PART_BYTES", 600)
    take(root, tmp_path / "case")
    stems = {row["part_stem"] for row in all_rows(tmp_path / "case", "segments")}
    assert stems == {f"x-{i:05d}" for i in range(len(stems))}
    assert len(stems) > 3
    order = [(row["part_stem"], row["file_id"]) for row in all_rows(tmp_path / "case", "segments")]
    paths = {row["file_id"]: row["path"].encode() for row in all_rows(tmp_path / "case", "files")}
    ordered = [paths[file_id] for _, file_id in sorted(order, key=lambda one: (one[0], paths[one[1]]))]
    assert ordered == sorted(ordered)


def test_ids_are_the_first_63_bits_of_a_digest_over_label_and_path() -> None:
    # printf 'x\0a' | sha256sum
    digest = "614968d965a3bf7b6c43797e9e531abca66accecaf14c252cdf653a757310620"
    bits = "".join(f"{int(digit, 16):04b}" for digit in digest)
    assert file_id_of("x", b"a") == int(bits[:63], 2)


def test_two_paths_with_one_id_are_an_error_that_names_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from forensics.errors import ContractError

    root = write_home(tmp_path / "root")

    def same(_: str, __: bytes) -> int:
        return 7

    monkeypatch.setattr(plan, "file_id_of", same)
    with pytest.raises(ContractError, match=r"history\.jsonl.*projects|projects.*"):
        take(root, tmp_path / "case")
    assert not (tmp_path / "case").exists()


@settings(max_examples=max(MANY // 25, 5))
@given(st.data())
def test_taking_in_byte_by_byte_equals_taking_in_at_once(
    tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    """A file that grows at any places, as a live one does, gives the rows of the whole one."""
    lines = [
        say("one", uuid="u1"),
        say()[50:],
        answer(uuid="u2") + b"\r",
        b"",
        say() + answer(),
        b"\0" + say(),
    ]
    whole = b"\n".join(lines) + data.draw(st.sampled_from([b"", b"\n"]))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole)), min_size=1, max_size=5)))
    folder = tmp_path_factory.mktemp("grows")
    root = folder / "root"
    (root / PATH).parent.mkdir(parents=True)
    for cut in (*cuts, len(whole)):
        (root / PATH).write_bytes(whole[:cut])
        take(root, folder / "case")
    take(root, folder / "fresh")
    assert current_rows(folder / "case") == current_rows(folder / "fresh")
    assert {row["generation"] for row in all_rows(folder / "case", "files")} == {1}
    assert verify(folder / "case", roots={"x": root}) == []
