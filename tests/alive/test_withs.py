"""Facts from outside, line by line: what is damaged costs itself and is told."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.alive.with_schema import WITH_TABLES
from forensics.alive.withs import WITH_KINDS, read_withs
from forensics.errors import UsageError
from forensics.schema import to_arrow

ONE = "11111111-1111-4111-8111-999999999999"
TWO = "22222222-2222-4222-8222-999999999999"


def rows_of(tmp_path: Path, kind: str, data: bytes) -> list[dict[str, Any]]:
    file = tmp_path / f"{kind}.txt"
    file.write_bytes(data)
    return read_withs({kind: file})[f"with_{kind}"]


def test_a_dismissed_line_is_an_id_a_tab_and_a_directory(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "dismissed", f"{ONE}\t/nowhere\n".encode())
    assert rows == [
        {
            "file": "dismissed.txt",
            "line_no": 1,
            "session_id": ONE,
            "cwd": "/nowhere",
            "parse_ok": True,
            "note": None,
        }
    ]


@pytest.mark.parametrize(
    ("line", "session_id", "cwd", "note"),
    [
        (f"{ONE}", ONE, None, "no tab"),
        (f"{ONE}\t/srv/x\r", ONE, "/srv/x", "ends in a carriage return"),
        ("not-an-id\t/srv/x", None, "/srv/x", "not a session id"),
        (f"{ONE}\t", ONE, None, "no directory"),
        ("", None, None, "no tab; not a session id"),
    ],
)
def test_a_dismissed_line_that_is_not_as_it_should_be_keeps_what_is_certain(
    tmp_path: Path, line: str, session_id: str | None, cwd: str | None, note: str
) -> None:
    (row,) = rows_of(tmp_path, "dismissed", line.encode() + b"\n")
    assert (row["parse_ok"], row["session_id"], row["cwd"], row["note"]) == (False, session_id, cwd, note)


def test_a_session_dismissed_twice_is_told_at_the_second_line(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "dismissed", f"{ONE}\t/a\n{TWO}\t/b\n{ONE.upper()}\t/a".encode())
    assert [row["parse_ok"] for row in rows] == [True, True, False]
    assert rows[2]["session_id"] == ONE
    assert rows[2]["note"] == "named before"


def test_bytes_that_are_not_utf8_are_spelled_out(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "dismissed", ONE.encode() + b"\t/srv/\xff\n")
    assert (row["cwd"], row["note"]) == ("/srv/\\xff", "not UTF-8")


PANE = "cc/x01\t0\t0\t0\t/srv/x01\tzsh\tclaude --resume {id}; exec zsh"


@pytest.mark.parametrize(
    ("line", "is_stopped", "session_id"),
    [
        (PANE.format(id=ONE), True, ONE),
        (f"cc/x01\t0\t0\t0\t/srv/x01\tclaude\tclaude --session-id '{ONE}'", False, ONE),
        (f"cc/x01\t0\t0\t1\t/srv/x01\tclaude\tclaude --resume={ONE}", True, ONE),
        ("cc/x01\t0\t0\t0\t/srv/x01\t-bash\t", True, None),
        ("cc/x01\t0\t0\t0\t/srv/x01\tnode", False, None),
        ("cc/x01\t0\t0\t0\t/srv/x01\tsh\tclaude -n x01\t--with a tab", True, None),
    ],
)
def test_a_pane_is_stopped_when_it_is_dead_or_only_a_shell_is_left(
    tmp_path: Path, line: str, is_stopped: bool, session_id: str | None
) -> None:
    (row,) = rows_of(tmp_path, "tmux", line.encode() + b"\n")
    assert row["parse_ok"], row["note"]
    assert (row["is_stopped"], row["session_id"], row["cwd"]) == (is_stopped, session_id, "/srv/x01")


def test_a_pane_line_with_too_few_fields_is_a_row_without_a_pane(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "tmux", b"cc/x01\t0\t0\n" + PANE.format(id=ONE).encode() + b"\n")
    assert [row["parse_ok"] for row in rows] == [False, True]
    assert rows[0]["tmux_session"] is None
    assert rows[0]["note"] == "3 fields instead of 6 or more"


@pytest.mark.parametrize(
    ("line", "exists", "n_entries", "is_ok"),
    [
        ("/home/kit/.cc-scratch/1\t3", True, 3, True),
        ("/home/kit/.cc-scratch/1/\t       0", True, 0, True),
        ("/home/kit/.cc-scratch/1", True, None, True),
        ("/home/kit/.cc-scratch/1\t-", False, None, True),
        ("/home/kit/.cc-scratch/1\tmany", True, None, False),
    ],
)
def test_a_listed_directory_may_tell_how_much_lies_in_it(
    tmp_path: Path, line: str, exists: bool, n_entries: int | None, is_ok: bool
) -> None:
    (row,) = rows_of(tmp_path, "listing", line.encode() + b"\n")
    assert row["path"] == "/home/kit/.cc-scratch/1"
    assert (row["exists"], row["n_entries"], row["parse_ok"]) == (exists, n_entries, is_ok)


def test_a_relative_directory_is_listed_as_nothing(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, "listing", b"scratch/1\t3\n")
    assert (row["path"], row["parse_ok"]) == (None, False)


ENTRY = {
    "pid": 4711,
    "sessionId": ONE,
    "cwd": "/srv/x01",
    "startedAt": 1_788_000_000_000,
    "status": "idle",
    "name": "x01",
    "bridgeSessionId": None,
}


@pytest.mark.parametrize(
    "data",
    [json.dumps(ENTRY), json.dumps([ENTRY]), json.dumps(ENTRY) + "\n", json.dumps(ENTRY, indent=2)],
)
def test_a_registry_is_an_object_or_a_list_of_them(tmp_path: Path, data: str) -> None:
    (row,) = rows_of(tmp_path, "registry", data.encode())
    assert (row["pid"], row["session_id"], row["cwd"], row["status"]) == (4711, ONE, "/srv/x01", "idle")
    assert row["parse_ok"], row["note"]


def test_a_registry_of_lines_loses_only_the_damaged_one(tmp_path: Path) -> None:
    lines = [json.dumps(ENTRY), '{"pid": 47', json.dumps({**ENTRY, "sessionId": TWO})]
    rows = rows_of(tmp_path, "registry", "\n".join(lines).encode())
    assert [(row["line_no"], row["session_id"], row["parse_ok"]) for row in rows] == [
        (1, ONE, True),
        (2, None, False),
        (3, TWO, True),
    ]


def test_a_registry_is_also_the_folder_of_a_home(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    (folder / "4711.json").write_text(json.dumps(ENTRY))
    (folder / "4712.json").write_text('{"pid": ')
    (folder / "notes.txt").write_text("not looked at")
    tables = read_withs({"registry": folder})
    assert [row["file"] for row in tables["with_files"]] == ["4711.json", "4712.json"]
    assert [(row["file"], row["parse_ok"]) for row in tables["with_registry"]] == [
        ("4711.json", True),
        ("4712.json", False),
    ]


def test_a_field_of_another_type_is_refused_by_itself(tmp_path: Path) -> None:
    data = json.dumps({**ENTRY, "pid": "4711", "startedAt": True, "cwd": 5}).encode()
    (row,) = rows_of(tmp_path, "registry", data)
    assert (row["pid"], row["started_at_ms"], row["cwd"], row["session_id"]) == (None, None, None, ONE)
    assert row["note"] == "pid is of another type; cwd is of another type; startedAt is of another type"


def test_each_file_has_its_hash_and_the_time_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "dismissed"
    file.write_bytes(b"a line\n")
    os.utime(file, ns=(0, 1_788_000_000_123_456_789))
    tables = read_withs({"dismissed": file})
    sha256 = hashlib.sha256(b"a line\n").hexdigest()
    assert tables["with_files"] == [
        {"kind": "dismissed", "file": "dismissed", "sha256": sha256, "size_bytes": 7}
    ]
    assert tables["with_acquisition"] == [
        {"kind": "dismissed", "file": "dismissed", "mtime_ns": 1_788_000_000_123_456_789}
    ]


@pytest.mark.parametrize("kind", WITH_KINDS)
def test_an_empty_file_gives_no_row(tmp_path: Path, kind: str) -> None:
    assert rows_of(tmp_path, kind, b"") == []


def test_a_kind_that_is_not_known_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="weather"):
        read_withs({"weather": tmp_path})


@pytest.mark.parametrize("kind", ["tmux", "dismissed", "listing"])
def test_a_folder_where_a_file_is_meant_is_a_wrong_call(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UsageError, match="folder"):
        read_withs({kind: tmp_path})


def test_a_file_that_is_not_there_or_is_no_file_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_withs({"tmux": tmp_path / "nothing"})
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UsageError, match="no regular file"):
        read_withs({"tmux": tmp_path / "fifo"})


@given(data=st.binary(max_size=200), kind=st.sampled_from(WITH_KINDS))
def test_whatever_a_file_holds_becomes_rows_that_arrow_can_hold(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: str
) -> None:
    rows = rows_of(tmp_path_factory.mktemp("any"), kind, data)
    table = WITH_TABLES[f"with_{kind}"]
    import pyarrow as pa

    assert pa.Table.from_pylist(rows, schema=to_arrow(table)).num_rows == len(rows)
    grains = [tuple(row[name] for name in table.grain) for row in rows]
    assert len(set(grains)) == len(grains)
    if kind != "registry":
        assert len(rows) == data.count(b"\n") + (data != b"" and not data.endswith(b"\n"))
