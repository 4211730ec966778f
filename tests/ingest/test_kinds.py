"""What is no readable file: a row with its reason, never a hang, never a step out of the root."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensics.ingest import scan
from forensics.ingest.verify import verify
from tests.ingest.cases import all_rows, take
from tests.ingest.evidence import KEY, PATH, SESSION, say

SECRET = b"not part of the evidence"


def write_root(root: Path) -> Path:
    (root / KEY).mkdir(parents=True)
    (root / PATH).write_bytes(say() + b"\n")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_root(tmp_path / "root")


def kinds(case: Path) -> dict[str, tuple[str, str, str | None]]:
    """Kind, state and gap of everything but the one transcript."""
    gaps = {row["file_id"]: row["class"] for row in all_rows(case, "gaps") if row["line_no"] is None}
    return {
        row["path"]: (row["kind"], row["state"], gaps.get(row["file_id"]))
        for row in all_rows(case, "files")
        if row["is_current"] and row["path"] != PATH
    }


def test_links_are_rows_with_their_targets_and_are_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / f"{SESSION}.jsonl").write_bytes(SECRET + b"\n")
    (root / KEY / "file.jsonl").symlink_to(outside / f"{SESSION}.jsonl")
    (root / "projects" / "-srv-linked").symlink_to(outside)
    (root / "loop").symlink_to(".")
    (root / "broken").symlink_to("/nowhere/at all")
    os.symlink(b"caf\xe9", os.fsencode(root / "bytes"))
    case = tmp_path / "case"
    take(root, case)
    assert kinds(case) == {
        f"{KEY}/file.jsonl": ("link", "unread", "link"),
        "projects/-srv-linked": ("link", "unread", "link"),
        "loop": ("link", "unread", "link"),
        "broken": ("link", "unread", "link"),
        "bytes": ("link", "unread", "link"),
    }
    paths = {row["file_id"]: row["path"] for row in all_rows(case, "files")}
    targets = {paths[row["file_id"]]: row["link_target"] for row in all_rows(case, "acquisition")}
    assert targets["broken"] == "/nowhere/at all"
    assert targets["bytes"] == "caf\\xe9"
    assert targets[PATH] is None
    assert all(SECRET not in path.read_bytes() for path in case.rglob("*") if path.is_file())
    assert [row["project_key"] for row in all_rows(case, "keys")] == ["-srv-shop"]


def test_pipes_and_sockets_are_rows_and_never_waited_for(root: Path, tmp_path: Path) -> None:
    os.mkfifo(root / KEY / "pipe.jsonl")
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(root)  # a socket's name is short
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        take(root, tmp_path / "case")
    assert kinds(tmp_path / "case") == {
        f"{KEY}/pipe.jsonl": ("fifo", "unread", "special"),
        "socket": ("socket", "unread", "special"),
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a device")
def test_devices_are_rows_and_never_opened(root: Path, tmp_path: Path) -> None:
    try:
        os.mknod(root / KEY / "zero.jsonl", 0o20600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this machine lets nobody make a device")
    take(root, tmp_path / "case")
    assert kinds(tmp_path / "case") == {f"{KEY}/zero.jsonl": ("device", "unread", "special")}


CONVERT = """
import os, sys, tempfile
from pathlib import Path
from tests.ingest.cases import take
from tests.ingest.evidence import PATH, say
# Once as whoever this is: everything is imported then, also from folders that are closed to others.
with tempfile.TemporaryDirectory() as folder:
    (Path(folder) / "root" / PATH).parent.mkdir(parents=True)
    (Path(folder) / "root" / PATH).write_bytes(say() + bytes([10]))
    take(Path(folder) / "root", Path(folder) / "case")
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
print(take(Path(sys.argv[1]), Path(sys.argv[2])).n_unread)
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user may reach, which those that pytest makes are not."""
    folder = Path(tempfile.mkdtemp(prefix="shared-"))
    folder.chmod(0o777)
    write_root(folder / "root")
    yield folder
    shutil.rmtree(folder)


def take_as_another(root: Path, case: Path) -> int:
    """Take evidence in as a user without special rights; the number of files it was refused."""
    command = [sys.executable, "-c", CONVERT, str(root), str(case)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout)


def test_what_may_not_be_read_is_a_row_and_costs_only_itself(shared: Path) -> None:
    root = shared / "root"
    (root / KEY / "closed.jsonl").write_bytes(say() + b"\n")
    (root / KEY / "closed.jsonl").chmod(0)
    (root / "projects" / "-srv-closed").mkdir(mode=0)
    # A folder that may be listed but not entered: names are seen, nothing about them.
    (root / "projects" / "-srv-names").mkdir()
    (root / "projects" / "-srv-names" / "seen.jsonl").write_bytes(say() + b"\n")
    (root / "projects" / "-srv-names").chmod(0o444)
    try:
        assert take_as_another(root, shared / "case") == 3
        rows = kinds(shared / "case")
    finally:
        (root / "projects" / "-srv-names").chmod(0o755)
        (root / "projects" / "-srv-closed").chmod(0o755)
    assert rows == {
        f"{KEY}/closed.jsonl": ("file", "unread", "unreadable"),
        "projects/-srv-closed": ("folder", "unread", "unreadable"),
        "projects/-srv-names/seen.jsonl": ("file", "unread", "unreadable"),
    }
    assert len(all_rows(shared / "case", "lines")) == 1
    assert verify(shared / "case") == []


def test_what_was_read_before_a_folder_was_closed_stays(shared: Path) -> None:
    root = shared / "root"
    closed = root / "projects" / "-srv-closed"
    closed.mkdir()
    (closed / f"{SESSION}.jsonl").write_bytes(say(uuid="kept") + b"\n")
    take_as_another(root, shared / "case")
    closed.chmod(0)
    try:
        assert take_as_another(root, shared / "case") == 1
    finally:
        closed.chmod(0o755)
    files = {row["path"]: row for row in all_rows(shared / "case", "files")}
    assert files[f"projects/-srv-closed/{SESSION}.jsonl"]["is_current"]
    assert {row["project_key"] for row in all_rows(shared / "case", "keys")} == {"-srv-closed", "-srv-shop"}
    assert verify(shared / "case") == []
    take_as_another(root, shared / "case")
    assert [row["class"] for row in all_rows(shared / "case", "gaps")] in ([], ["unreadable"])
    assert kinds(shared / "case") == {f"projects/-srv-closed/{SESSION}.jsonl": ("file", "present", None)}


def test_a_file_that_becomes_readable_has_no_gap_left(shared: Path) -> None:
    root = shared / "root"
    path = root / KEY / "closed.jsonl"
    path.write_bytes(say() + b"\n")
    path.chmod(0)
    take_as_another(root, shared / "case")
    path.chmod(0o644)
    assert take_as_another(root, shared / "case") == 0
    assert kinds(shared / "case") == {f"{KEY}/closed.jsonl": ("file", "present", None)}
    assert all_rows(shared / "case", "gaps") == []


@pytest.mark.parametrize("becomes", ["nothing", "link", "folder", "fifo"])
def test_a_file_that_is_gone_when_it_is_opened_is_a_row(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, becomes: str
) -> None:
    victim = root / KEY / "victim.jsonl"
    victim.write_bytes(say() + b"\n")
    (tmp_path / "outside.jsonl").write_bytes(SECRET)

    def change_and_open(path: bytes) -> int:
        if path == os.fsencode(victim) and victim.is_file() and not victim.is_symlink():
            victim.unlink()
            if becomes == "link":
                victim.symlink_to(tmp_path / "outside.jsonl")
            elif becomes == "folder":
                victim.mkdir()
            elif becomes == "fifo":
                os.mkfifo(victim)
        return open_evidence(path)

    open_evidence = scan.open_evidence
    monkeypatch.setattr("forensics.ingest.work.open_evidence", change_and_open)
    take(root, tmp_path / "case")
    gap = "vanished" if becomes == "nothing" else "special"
    assert kinds(tmp_path / "case") == {f"{KEY}/victim.jsonl": ("file", "unread", gap)}
    assert all(SECRET not in p.read_bytes() for p in (tmp_path / "case").rglob("*") if p.is_file())
    assert verify(tmp_path / "case") == []


def test_a_file_that_is_gone_when_it_is_looked_at_is_a_row(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = root / KEY / "victim.jsonl"
    victim.write_bytes(say() + b"\n")
    lstat = os.lstat

    def change_and_look(path: bytes) -> os.stat_result:
        if path == os.fsencode(victim):
            victim.unlink()
        return lstat(path)

    monkeypatch.setattr("forensics.ingest.discover.os.lstat", change_and_look)
    take(root, tmp_path / "case")
    assert kinds(tmp_path / "case") == {f"{KEY}/victim.jsonl": ("file", "unread", "vanished")}


def test_a_read_error_keeps_what_was_read_before_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [say(uuid=f"u{i}") + b"\n" for i in range(10)]
    (root / PATH).write_bytes(b"".join(lines))
    pread = os.pread

    def fail_late(fd: int, size: int, at: int) -> bytes:
        if at >= 3 * len(lines[0]):
            raise OSError(5, "Input/output error")
        return pread(fd, min(size, len(lines[0])), at)

    monkeypatch.setattr("forensics.ingest.scan.os.pread", fail_late)
    case = tmp_path / "case"
    take(root, case)
    row = all_rows(case, "files")[0]
    assert (row["n_lines"], row["size_bytes"]) == (3, sum(map(len, lines[:3])))
    assert {gap["class"] for gap in all_rows(case, "gaps")} == {"read_error", "changed"}
    assert verify(case) == []
    monkeypatch.undo()
    take(root, case)
    assert all_rows(case, "files")[0]["n_lines"] == 10
    assert all_rows(case, "gaps") == []
    assert verify(case) == []


def test_a_file_whose_head_cannot_be_read_costs_only_itself(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / KEY / "bad.jsonl").write_bytes(b"x" * 77)
    pread = os.pread

    def fail(fd: int, size: int, at: int) -> bytes:
        if os.fstat(fd).st_size == 77:
            raise OSError(5, "Input/output error")
        return pread(fd, size, at)

    monkeypatch.setattr("forensics.ingest.scan.os.pread", fail)
    found = take(root, tmp_path / "case")
    assert kinds(tmp_path / "case") == {f"{KEY}/bad.jsonl": ("file", "unread", "read_error")}
    assert (found.n_unread, found.n_lines) == (1, 1)


@pytest.mark.parametrize("data", [b"{", b"[]", b"17", b'{"a":1}x', b"\xff", b"\0\0", b"{" * 100_000])
def test_a_side_file_that_is_no_object_is_told_and_kept(root: Path, tmp_path: Path, data: bytes) -> None:
    path = f"{KEY}/{SESSION}/subagents/agent-1.meta.json"
    (root / path).parent.mkdir(parents=True)
    (root / path).write_bytes(data)
    take(root, tmp_path / "case")
    row = next(row for row in all_rows(tmp_path / "case", "files") if row["path"] == path)
    gaps = [g for g in all_rows(tmp_path / "case", "gaps") if g["file_id"] == row["file_id"]]
    assert [(gap["class"], gap["kept"]) for gap in gaps] == [("sidecar", "nothing")]
    assert row["size_bytes"] == len(data)
    assert verify(tmp_path / "case", roots={"x": root}) == []
