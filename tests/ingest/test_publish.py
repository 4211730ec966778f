"""How a case takes its place: swaps, locks, leftovers, and a case that is not whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.errors import CaseError, LockedError, NothingThereError, SourceError
from forensics.ingest import publish
from forensics.ingest.verify import verify
from tests.ingest.cases import bytes_by_path, current_rows, take, tree
from tests.ingest.evidence import KEY
from tests.ingest.test_crash import add_lines, beside, end, root, start

__all__ = ["root"]


@pytest.mark.parametrize("failing", ["fsync", "rename", "hardlink_to", "mkdir"])
def test_a_failing_system_call_is_told_and_leaves_the_old_case_whole(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    case = tmp_path / "case"
    take(root, case)
    before = tree(case)
    add_lines(root)

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    elif failing == "rename":
        monkeypatch.setattr(publish, "_exchange", lambda *_: False)
        monkeypatch.setattr(Path, "rename", fail)
    else:
        monkeypatch.setattr(Path, failing, fail)
    with pytest.raises(SourceError, match="No space left on device"):
        take(root, case)
    monkeypatch.undo()
    assert tree(case) == before
    take(root, case)
    assert verify(case, roots={"x": root}) == []


def test_where_folders_cannot_be_exchanged_two_renames_do(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    case = tmp_path / "case"
    take(root, case)
    add_lines(root)
    take(root, case)
    assert verify(case, roots={"x": root}) == []
    assert beside(case) == [".case.lock"]


def test_the_old_case_comes_back_when_the_second_rename_fails(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case"
    take(root, case)
    before = tree(case)
    add_lines(root)
    monkeypatch.setattr(publish, "_exchange", lambda *_: False)
    rename = Path.rename

    def fail_on_new(self: Path, target: Path) -> Path:
        if self.name.endswith(".next"):
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail_on_new)
    with pytest.raises(SourceError):
        take(root, case)
    assert tree(case) == before


def test_a_case_that_a_crash_left_between_two_renames_comes_back(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case)
    case.rename(tmp_path / ".case.old")
    (tmp_path / ".case.77.next").mkdir()
    (tmp_path / ".case.77.next" / "files.parquet").write_bytes(b"half")
    assert take(root, case).n_read_bytes == 0
    assert verify(case, roots={"x": root}) == []
    assert beside(case) == [".case.lock"]


def test_what_lies_beside_a_case_and_is_not_of_a_run_stays(root: Path, tmp_path: Path) -> None:
    mine = [".case.next.txt", ".case.12.next.bak", ".casex.12.next", ".case.notes"]
    for name in mine:
        (tmp_path / name).mkdir()
    take(root, tmp_path / "case")
    assert [name for name in mine if not (tmp_path / name).is_dir()] == []


def test_a_half_made_case_is_never_opened(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case"
    seen: list[Path] = []

    def look(folder: Path, _: Path) -> None:
        seen.append(folder)
        with pytest.raises(CaseError, match="half made"):
            open_case(folder)

    monkeypatch.setattr(publish, "publish", look)
    take(root, case)
    assert len(seen) == 1
    assert not case.exists()
    with pytest.raises(CaseError):
        open_case(case)


def test_a_second_writer_is_told_and_waits_for_nothing(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    with publish.locked(case), pytest.raises(LockedError) as caught:
        take(root, case)
    assert caught.value.exit_code == 7
    assert not case.exists()
    take(root, case)
    assert verify(case) == []


def test_two_writers_at_once_do_not_mix(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    processes = [start(root, case) for _ in range(3)]
    told = [end(process) for process in processes]
    won = [out for out, _ in told if b"done" in out]
    assert won
    assert all(b"LockedError" in error for out, error in told if b"done" not in out)
    assert verify(case, roots={"x": root}) == []
    take(root, tmp_path / "fresh")
    assert current_rows(case) == current_rows(tmp_path / "fresh")


def test_a_reader_keeps_the_case_it_opened(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case)
    folder = os.open(case, os.O_RDONLY | os.O_DIRECTORY)
    try:
        before = os.stat("manifest.json", dir_fd=folder).st_ino
        add_lines(root)
        take(root, case)
        assert (case / "manifest.json").stat().st_ino != before
    finally:
        os.close(folder)


def test_a_missing_part_is_told_and_nothing_is_written(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case)
    (case / "raw" / "x-00000.parquet").unlink()
    add_lines(root)
    before = tree(case)
    with pytest.raises(CaseError, match="is missing"):
        take(root, case)
    assert tree(case) == before


@pytest.mark.parametrize("name", ["files", "segments", "gaps", "acquisition", "keys"])
def test_an_altered_table_is_not_carried_on_as_if_it_were_whole(
    root: Path, tmp_path: Path, name: str
) -> None:
    case = tmp_path / "case"
    take(root, case)
    path = case / f"{name}.parquet"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 4]) + data[len(data) // 2 + 1 :])
    with pytest.raises(CaseError, match="altered"):
        take(root, case)


def test_evidence_that_is_gone_altogether_keeps_its_case(root: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    take(root, case)
    kept = bytes_by_path(case)
    for path in (root / KEY).iterdir():
        path.unlink()
    take(root, case)
    assert bytes_by_path(case) == kept
    assert current_rows(case)["files"] == []
    assert verify(case) == []
    with pytest.raises(NothingThereError):
        take(root, tmp_path / "other")
