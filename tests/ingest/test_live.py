"""Evidence that changes while it is read: a consistent prefix, or a row that says so."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from forensics import engine
from forensics.ingest import plan, scan, split, work
from forensics.ingest.task import Item
from forensics.ingest.verify import verify
from tests.ingest.cases import all_rows, bytes_by_path, current_rows, take
from tests.ingest.evidence import KEY, PATH, SESSION, Row, say

Hook = Callable[[], None]
OTHER = f"{KEY}/11111111-2222-4333-8444-555555555556.jsonl"


def lines(first: int, end: int, *, text: str = "line") -> bytes:
    return b"".join(say(f"{text} {i:05}", uuid=f"u{i}") + b"\n" for i in range(first, end))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / KEY).mkdir(parents=True)
    (root / PATH).write_bytes(lines(0, 100))
    (root / OTHER).write_bytes(lines(0, 3))
    return root


def change_while_reading(
    monkeypatch: pytest.MonkeyPatch, path: Path, change: Hook, *, after: int = 2
) -> None:
    """Call a hook once, when so many blocks of a file were read."""
    monkeypatch.setattr(scan, "BLOCK_BYTES", 4096)
    read_block = scan.read_block
    inode = path.stat().st_ino
    n_read = 0

    def reading(fd: int, start: int, end: int) -> bytes:
        nonlocal n_read
        if os.fstat(fd).st_ino == inode:
            if n_read == after:
                change()
            n_read += 1
        return read_block(fd, start, end)

    monkeypatch.setattr(work, "read_block", reading)


def row_of(case: Path, path: str = PATH) -> Row:
    """The current row of a file."""
    return next(row for row in all_rows(case, "files") if row["path"] == path and row["is_current"])


def gaps_of(case: Path, path: str = PATH) -> list[str]:
    files = {
        row["path"]: (row["file_id"], row["generation"])
        for row in all_rows(case, "files")
        if row["is_current"]
    }
    return [
        row["class"] for row in all_rows(case, "gaps") if (row["file_id"], row["generation"]) == files[path]
    ]


def test_a_file_that_grows_gives_what_it_was_when_it_was_opened(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (root / PATH).read_bytes()

    def grow() -> None:
        with (root / PATH).open("ab") as file:
            file.write(lines(100, 200)[:-30])

    change_while_reading(monkeypatch, root / PATH, grow)
    case = tmp_path / "case"
    take(root, case)
    assert bytes_by_path(case)[PATH] == [before]
    assert gaps_of(case) == []
    assert verify(case, roots={"x": root}) == []
    monkeypatch.undo()
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")


def test_a_file_that_only_seems_changed_has_no_gap(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_while_reading(monkeypatch, root / PATH, lambda: os.utime(root / PATH, ns=(5, 5)))
    take(root, tmp_path / "case")
    assert gaps_of(tmp_path / "case") == []


def _overwrite(path: Path, data: bytes) -> Hook:
    def change() -> None:
        with path.open("r+b") as file:
            file.write(data)

    return change


def _truncate(path: Path, size: int) -> Hook:
    return lambda: os.truncate(path, size)


def _rewrite(path: Path, data: bytes) -> Hook:
    def change() -> None:
        path.write_bytes(data)

    return change


@pytest.mark.parametrize("how", ["shrinks", "is emptied", "is overwritten", "is rewritten longer"])
def test_a_file_that_changes_under_the_reader_has_a_row_that_says_so(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = root / PATH
    change = {
        "shrinks": _truncate(path, 9000),
        "is emptied": _truncate(path, 0),
        "is overwritten": _overwrite(path, lines(0, 100, text="LINE")),
        "is rewritten longer": _rewrite(path, lines(0, 150, text="LINE")),
    }[how]
    change_while_reading(monkeypatch, path, change)
    case = tmp_path / "case"
    take(root, case)
    assert gaps_of(case).count("changed") == 1
    assert verify(case) == []
    # Two blocks were read, the second from the line that the first one left unfinished.
    longest = max(len(lines(i, i + 1)) for i in range(100))
    assert row_of(case)["size_bytes"] > 2 * 4096 - longest
    monkeypatch.undo()
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")
    assert verify(case, roots={"x": root}) == []
    # What a file that shrank has left is the beginning of what was read.
    assert len(bytes_by_path(case)[PATH]) == (1 if how == "shrinks" else 2)


def test_a_file_that_is_replaced_while_it_is_read_is_read_as_it_was(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (root / PATH).read_bytes()

    def replace() -> None:
        (root / "new").write_bytes(lines(0, 5, text="new"))
        (root / "new").rename(root / PATH)

    change_while_reading(monkeypatch, root / PATH, replace)
    case = tmp_path / "case"
    take(root, case)
    assert bytes_by_path(case)[PATH] == [before]
    assert gaps_of(case) == []
    monkeypatch.undo()
    take(root, case)
    assert bytes_by_path(case)[PATH] == [before, lines(0, 5, text="new")]


@pytest.mark.parametrize("how", ["shrinks", "is overwritten", "is rewritten longer"])
def test_a_known_file_that_changes_while_its_tail_is_read_is_no_mixture(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    case = tmp_path / "case"
    take(root, case)
    path = root / PATH
    before = path.read_bytes()
    path.write_bytes(before + lines(100, 300))
    change = {
        "shrinks": _truncate(path, 500),
        "is overwritten": _overwrite(path, lines(0, 100, text="LINE")),
        "is rewritten longer": _rewrite(path, lines(0, 400, text="LINE")),
    }[how]
    change_while_reading(monkeypatch, path, change, after=1)
    take(root, case)
    monkeypatch.undo()
    assert verify(case) == []
    kept = bytes_by_path(case)[PATH]
    assert any(data.startswith(before) for data in kept)
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")
    assert verify(case, roots={"x": root}) == []


CHANGES = ["shrinks", "shrinks to whole lines", "is overwritten", "grows", "is gone", "is rewritten longer"]


def change_of(path: Path, how: str) -> Hook:
    """What happens to a file of a hundred lines."""

    def grow() -> None:
        with path.open("ab") as file:
            file.write(lines(100, 120))

    return {
        "shrinks": _truncate(path, 7000),
        "shrinks to whole lines": _truncate(path, len(lines(0, 30))),
        "is overwritten": _overwrite(path, lines(0, 100, text="LINE")),
        "grows": grow,
        "is gone": path.unlink,
        "is rewritten longer": _rewrite(path, lines(0, 150, text="LINE")),
    }[how]


def change_when_cut(monkeypatch: pytest.MonkeyPatch, name: str, change: Hook) -> None:
    """Cut files into small ranges, and change them between that and their reading."""
    monkeypatch.setattr(plan, "SPLIT_BYTES", 5000)
    monkeypatch.setattr(split, "PART_BYTES", 5000)
    cut = getattr(split, name)

    def cut_and_change(item: object) -> object:
        ranges = cut(item)
        assert len(ranges) > 2
        change()
        return ranges

    monkeypatch.setattr(engine, name, cut_and_change)


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("known", [False, True])
def test_a_file_cut_into_ranges_that_changes_between_them_is_read_again_as_one(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, known: bool
) -> None:
    case = tmp_path / "case"
    path = root / PATH
    if known:
        path.write_bytes(lines(0, 11)[:-30])
        take(root, case)
        path.write_bytes(lines(0, 100))
    before = path.read_bytes()
    change_when_cut(monkeypatch, "split_item", change_of(path, how))
    take(root, case, workers=2)
    monkeypatch.undo()
    assert verify(case) == []
    kept = bytes_by_path(case).get(PATH, [])
    if how == "grows":
        assert kept[-1] == before
    elif how == "is gone":
        assert kept == ([lines(0, 11)[:-30]] if known else [])
        assert gaps_of(case) == ["vanished"]
    else:
        assert kept[-1] == path.read_bytes()
        assert len(kept) == (2 if known and not how.startswith("shrinks") else 1)
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")


@pytest.mark.parametrize("how", CHANGES)
def test_of_a_file_that_one_worker_reads_through_the_bytes_are_those_it_found(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    case = tmp_path / "case"
    path = root / PATH
    size = path.stat().st_size
    change_when_cut(monkeypatch, "find_ranges", change_of(path, how))
    take(root, case)
    monkeypatch.undo()
    assert verify(case) == []
    if how == "is gone":
        assert gaps_of(case) == ["vanished"]
    else:
        assert bytes_by_path(case)[PATH] == [path.read_bytes()[:size]]
        assert "changed" not in gaps_of(case)
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")


def test_cuts_that_are_in_lines_by_the_time_they_are_reached_are_not_used(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case"
    change_when_cut(monkeypatch, "find_ranges", _rewrite(root / PATH, b"{}\n" + lines(0, 100)))
    take(root, case)
    monkeypatch.undo()
    assert bytes_by_path(case)[PATH] == [b"{}\n" + lines(0, 100)]
    assert [row["status"] for row in current_rows(case)["lines"] if row["line_no"] <= 101].count("ok") >= 101
    assert verify(case, roots={"x": root}) == []


@pytest.mark.parametrize("at", ["the first bytes", "a later range"])
def test_a_large_file_that_cannot_be_read_on_is_a_gap_and_no_end(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    case = tmp_path / "case"
    inode = (root / PATH).stat().st_ino
    monkeypatch.setattr(scan, "BLOCK_BYTES", 2048)
    monkeypatch.setattr(plan, "SPLIT_BYTES", 5000)
    monkeypatch.setattr(split, "PART_BYTES", 5000)
    pread = os.pread

    def failing(fd: int, size: int, offset: int) -> bytes:
        if os.fstat(fd).st_ino == inode and (at == "the first bytes" or offset > 9000):
            raise OSError(errno.EIO, "Input/output error")
        return pread(fd, size, offset)

    # Looking for newlines goes well; it is the reading that fails.
    find = split.find_ranges

    def find_and_fail(item: Item) -> list[Item]:
        ranges = find(item)
        assert len(ranges) > 2
        monkeypatch.setattr(os, "pread", failing)
        return ranges

    monkeypatch.setattr(engine, "find_ranges", find_and_fail)
    take(root, case)
    monkeypatch.undo()
    assert "read_error" in gaps_of(case)
    assert verify(case) == []
    take(root, case)
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")


@pytest.mark.parametrize("after", [1, 2])
def test_what_changes_behind_the_reader_of_a_large_file_is_told(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    case = tmp_path / "case"
    path = root / PATH
    monkeypatch.setattr(plan, "SPLIT_BYTES", 9000)
    monkeypatch.setattr(split, "PART_BYTES", 9000)
    change_while_reading(monkeypatch, path, _overwrite(path, lines(0, 5, text="LINE")), after=after)
    take(root, case)
    assert gaps_of(case) == ["changed"]
    assert bytes_by_path(case)[PATH] == [lines(0, 100)]
    assert verify(case) == []


def test_a_session_that_is_written_while_it_is_taken_in_again_and_again_loses_nothing(tmp_path: Path) -> None:
    root, case = tmp_path / "root", tmp_path / "case"
    (root / KEY).mkdir(parents=True)
    whole = lines(0, 40)
    with (root / f"{KEY}/{SESSION}.jsonl").open("wb", buffering=0) as file:
        for at in range(0, len(whole), 1009):
            file.write(whole[at : at + 1009])
            take(root, case)
    assert bytes_by_path(case)[PATH] == [whole]
    assert [row["uuid"] for row in current_rows(case)["lines"]] == [f"u{i}" for i in range(40)]
    assert verify(case, roots={"x": root}) == []
