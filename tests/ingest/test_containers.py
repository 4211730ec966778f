"""Archives as sources: the same rows as the folder they hold, and nothing in them does harm."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forensics.errors import NothingThereError
from forensics.ingest import unpack
from forensics.ingest.convert import ConvertOptions, convert
from forensics.ingest.rebuild import rebuild
from forensics.ingest.verify import verify
from forensics.sources import container

SID = "11111111-2222-4333-8444-555555555555"
TRANSCRIPT = f"projects/-srv-kiln/{SID}.jsonl"


def line(text: str, n: int = 1) -> bytes:
    record = {
        "type": "user",
        "uuid": f"u{n}",
        "sessionId": SID,
        "cwd": "/srv/kiln",
        "version": "2.1.332",
        "timestamp": f"2026-05-04T09:00:{n:02d}.000Z",
        "message": {"role": "user", "content": text},
    }
    return json.dumps(record).encode() + b"\n"


FILES = {
    TRANSCRIPT: line("fire the kiln") + line("cool it", 2),
    f"projects/-srv-kiln/{SID}/subagents/agent-a1.jsonl": line("look at the glaze"),
    f"projects/-srv-kiln/{SID}/subagents/agent-a1.meta.json": b'{"agentType":"Explore"}',
    "projects/-srv-kiln/notes.txt": b"not ours\n",
}


def make_tar(path: Path, files: dict[str, bytes]) -> Path:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1_700_000_000
            archive.addfile(info, io.BytesIO(data))
    path.write_bytes(plain.getvalue())
    return path


def make_gz(path: Path, files: dict[str, bytes]) -> Path:
    import gzip

    path.write_bytes(gzip.compress(make_tar(path, files).read_bytes(), mtime=0))
    return path


def make_zst(path: Path, files: dict[str, bytes]) -> Path:
    data = make_tar(path, files).read_bytes()
    with pa.OSFile(str(path), "wb") as file, pa.CompressedOutputStream(file, "zstd") as packed:
        packed.write(data)
    return path


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


MAKERS: dict[str, Callable[[Path, dict[str, bytes]], Path]] = {
    "home.tar": make_tar,
    "home.tar.gz": make_gz,
    "home.tgz": make_gz,
    "home.tar.zst": make_zst,
    "home.zip": make_zip,
}


def rows(case: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    parts = [case / f"{table}.parquet"] if (case / f"{table}.parquet").exists() else []
    for part in parts or sorted((case / table).glob("*.parquet")):
        found += pq.ParquetFile(part).read().to_pylist()
    return found


def gaps(case: Path) -> dict[str, str]:
    """Class of the gap by path, for files that were not read."""
    paths = {row["file_id"]: row["path"] for row in rows(case, "files")}
    return {paths[row["file_id"]]: row["class"] for row in rows(case, "gaps") if row["line_no"] is None}


def take(source: Path, case: Path) -> Path:
    convert([f"home={source}"], case, options=ConvertOptions(workers=1))
    assert verify(case) == []
    return case


@pytest.mark.parametrize("name", list(MAKERS))
def test_an_archive_gives_the_rows_of_the_folder_it_holds(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "folder"
    for path, data in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    packed = take(MAKERS[name](tmp_path / name, FILES), tmp_path / "packed")
    plain = take(folder, tmp_path / "plain")
    for table in ("files", "lines", "marks", "text", "tool_calls", "keys", "cwds", "cwd_keys", "raw", "gaps"):
        assert rows(packed, table) == rows(plain, table), table
    rebuild(packed, tmp_path / "back")
    assert {path: (tmp_path / "back" / "home" / path).read_bytes() for path in FILES} == FILES


def test_an_unchanged_archive_is_not_unpacked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = make_gz(tmp_path / "home.tar.gz", FILES)
    case = take(source, tmp_path / "case")
    before = rows(case, "lines")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("unpacked")

    monkeypatch.setattr(unpack, "members", refuse)
    take(source, case)
    assert rows(case, "lines") == before


def test_what_an_archive_gained_is_added_and_what_it_lost_stays_in_the_case(tmp_path: Path) -> None:
    source = make_zip(tmp_path / "home.zip", FILES)
    case = take(source, tmp_path / "case")
    source.unlink()
    longer = FILES | {TRANSCRIPT: FILES[TRANSCRIPT] + line("unload it", 3)}
    del longer["projects/-srv-kiln/notes.txt"]
    take(make_zip(source, longer), case)
    by_path = {row["path"]: row for row in rows(case, "files")}
    assert (by_path[TRANSCRIPT]["generation"], by_path[TRANSCRIPT]["n_lines"]) == (1, 3)
    notes = by_path["projects/-srv-kiln/notes.txt"]
    assert (notes["state"], notes["is_current"]) == ("vanished", False)


@pytest.mark.parametrize(
    "name", ["../outside.jsonl", "/etc/outside.jsonl", "projects/../../x.jsonl", "C:\\x.jsonl"]
)
def test_a_member_that_would_leave_the_archive_is_a_row_and_nothing_else(tmp_path: Path, name: str) -> None:
    source = make_tar(tmp_path / "home.tar", FILES | {name: line("escaped")})
    case = take(source, tmp_path / "deep" / "case")
    assert gaps(case) == {name: "unsafe_path"}
    assert {path.name for path in tmp_path.rglob("*.jsonl")} == {"runs.jsonl"}


def test_links_and_devices_in_an_archive_are_rows(tmp_path: Path) -> None:
    source = make_tar(tmp_path / "home.tar", FILES)
    with tarfile.open(source, "a") as archive:
        for name, kind in (("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("pipe", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd" if kind == tarfile.SYMTYPE else TRANSCRIPT
            archive.addfile(info)
    case = take(source, tmp_path / "case")
    assert gaps(case) == {"soft": "link", "hard": "link", "pipe": "special"}
    targets = {row["file_id"]: row["link_target"] for row in rows(case, "acquisition")}
    soft = next(row["file_id"] for row in rows(case, "files") if row["path"] == "soft")
    assert targets[soft] == "/etc/passwd"


def test_a_name_that_stands_twice_is_kept_twice(tmp_path: Path) -> None:
    source = make_tar(tmp_path / "home.tar", FILES)
    with tarfile.open(source, "a") as archive:
        info = tarfile.TarInfo(TRANSCRIPT)
        info.size = len(line("second"))
        archive.addfile(info, io.BytesIO(line("second")))
    case = take(source, tmp_path / "case")
    sizes = {row["path"]: row["size_bytes"] for row in rows(case, "files")}
    assert sizes[TRANSCRIPT] == len(FILES[TRANSCRIPT])
    assert sizes[f"{TRANSCRIPT}~2"] == len(line("second"))


@pytest.mark.parametrize("name", ["home.tar.gz", "home.zip"])
def test_an_archive_that_swells_beyond_belief_stops_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(container, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(container, "MAX_RATIO", 20)
    source = MAKERS[name](tmp_path / name, FILES | {"zeros.bin": bytes(16 << 20)})
    case = take(source, tmp_path / "case")
    assert gaps(case) == {"": "bomb"}
    assert len(rows(case, "lines")) == 3
    assert not list(tmp_path.glob("**/spool"))


@pytest.mark.parametrize("name", ["home.tar", "home.tar.gz", "home.tar.zst"])
def test_a_cut_archive_keeps_what_came_before_the_cut(tmp_path: Path, name: str) -> None:
    import random

    noise = random.Random(7).randbytes(1_000_000)
    source = MAKERS[name](tmp_path / name, FILES | {"noise.bin": noise})
    source.write_bytes(source.read_bytes()[:-100_000])
    case = take(source, tmp_path / "case")
    assert gaps(case)[""] == "damaged_container"
    assert len(rows(case, "lines")) == 3


def test_a_cut_archive_does_not_make_the_rest_vanish(tmp_path: Path) -> None:
    source = make_tar(tmp_path / "home.tar", FILES | {"zz.bin": bytes(40_000)})
    case = take(source, tmp_path / "case")
    source.write_bytes(source.read_bytes()[:20_000])
    take(source, case)
    assert {row["path"] for row in rows(case, "files") if row["is_current"]} >= set(FILES) | {"zz.bin"}


def test_a_member_with_a_password_is_a_row(tmp_path: Path) -> None:
    source = make_zip(tmp_path / "home.zip", FILES)
    data = bytearray(source.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.rfind(signature) + at] |= 1
    source.write_bytes(data)
    case = take(source, tmp_path / "case")
    assert gaps(case) == {"projects/-srv-kiln/notes.txt": "unreadable"}


def test_a_damaged_member_costs_itself(tmp_path: Path) -> None:
    source = make_zip(tmp_path / "home.zip", FILES)
    data = bytearray(source.read_bytes())
    with zipfile.ZipFile(source) as archive:
        info = archive.getinfo(TRANSCRIPT)
        at = info.header_offset + 30 + len(info.filename) + 5
    data[at] ^= 0xFF
    source.write_bytes(data)
    case = take(source, tmp_path / "case")
    assert gaps(case) == {TRANSCRIPT: "read_error"}
    assert len(rows(case, "lines")) == 1


def add(path: Path, info: tarfile.TarInfo, data: bytes = b"") -> None:
    with tarfile.open(path, "a", format=tarfile.PAX_FORMAT) as archive:
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))


def test_a_renamed_member_takes_no_other_members_name(tmp_path: Path) -> None:
    source = make_tar(tmp_path / "home.tar", {TRANSCRIPT: line("one")})
    add(source, tarfile.TarInfo(TRANSCRIPT), line("two") + line("three"))
    add(source, tarfile.TarInfo(f"{TRANSCRIPT}~2"), b"four")
    case = take(source, tmp_path / "case")
    sizes = {row["path"]: row["size_bytes"] for row in rows(case, "files")}
    assert sizes == {
        TRANSCRIPT: len(line("one")),
        f"{TRANSCRIPT}~2": len(line("two") + line("three")),
        f"{TRANSCRIPT}~2~2": 4,
    }


@pytest.mark.parametrize("size", ["-5", "-9223372036854775808"])
def test_a_member_of_negative_size_hides_nothing_in_silence(tmp_path: Path, size: str) -> None:
    source = make_tar(tmp_path / "home.tar", {TRANSCRIPT: line("one")})
    info = tarfile.TarInfo("projects/-srv-kiln/odd.txt")
    info.pax_headers = {"size": size}
    add(source, info)
    assert gaps(take(source, tmp_path / "case")) == {"": "damaged_container"}


@pytest.mark.parametrize("mtime", ["inf", "-inf", "nan", "1e300", "-1e300"])
def test_a_time_that_no_clock_shows_is_none(tmp_path: Path, mtime: str) -> None:
    source = make_tar(tmp_path / "home.tar", {TRANSCRIPT: line("one")})
    info = tarfile.TarInfo("projects/-srv-kiln/odd.txt")
    info.pax_headers = {"mtime": mtime}
    add(source, info, b"odd")
    case = take(source, tmp_path / "case")
    assert {row["mtime_ns"] for row in rows(case, "acquisition")} == {0, 1_700_000_000_000_000_000}


@pytest.mark.parametrize("header", [{"GNU.sparse.map": "a,b"}, {"GNU.sparse.size": "abc"}])
def test_a_header_that_cannot_be_read_is_a_damaged_archive(tmp_path: Path, header: dict[str, str]) -> None:
    source = make_tar(tmp_path / "home.tar", {TRANSCRIPT: line("one")})
    info = tarfile.TarInfo("projects/-srv-kiln/odd.txt")
    info.pax_headers = header
    add(source, info, b"odd")
    assert gaps(take(source, tmp_path / "case"))[""] == "damaged_container"


def test_an_extended_header_of_any_size_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "MAX_HEADER_BYTES", 1000)
    source = make_tar(tmp_path / "home.tar", {TRANSCRIPT: line("one")})
    info = tarfile.TarInfo("odd.txt")
    info.pax_headers = {"comment": "x" * 5000}
    add(source, info)
    assert gaps(take(source, tmp_path / "case")) == {"": "damaged_container"}


def test_members_that_are_passed_over_count_against_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(container, "MAX_RATIO", 20)
    files = {TRANSCRIPT: line("one"), "../zeros.bin": bytes(16 << 20), "projects/-srv-kiln/late.txt": b"late"}
    case = take(make_gz(tmp_path / "home.tar.gz", files), tmp_path / "case")
    assert gaps(case) == {"../zeros.bin": "unsafe_path", "": "bomb"}


def test_a_name_that_is_no_text_is_a_damaged_archive(tmp_path: Path) -> None:
    source = make_zip(tmp_path / "home.zip", {TRANSCRIPT: line("one"), "äöü.txt": b"odd"})
    source.write_bytes(source.read_bytes().replace("äöü".encode(), b"\xff\xfe\xff\xfe\xff\xfe"))
    with pytest.raises(NothingThereError):
        take(source, tmp_path / "case")
