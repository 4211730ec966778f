"""What is taken for a source, where a case may lie, and names of every kind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from forensics.errors import NothingThereError, SourceError, UsageError
from forensics.ingest.convert import ConvertOptions, convert
from forensics.ingest.plan import file_id_of
from forensics.ingest.rebuild import rebuild
from forensics.ingest.sources import label_of
from forensics.ingest.verify import verify
from tests.cli.evidence import tree_state
from tests.ingest.cases import all_rows, current_rows, manifest_of, take
from tests.ingest.evidence import say
from tests.ingest.test_convert import (
    FILES,
    MAIN,
    ONE,
    A,
    case,
    only,
    root,
    write_home,
)

__all__ = ["case", "root"]


@pytest.mark.parametrize("given", ["projects", A])
def test_a_projects_folder_or_a_key_is_seen_from_its_home(root: Path, tmp_path: Path, given: str) -> None:
    take(root / given, tmp_path / "case")
    files = {row["path"]: row for row in all_rows(tmp_path / "case", "files")}
    assert set(files) == {path for path in FILES if path.startswith(given + "/")}
    assert files[f"{A}/{ONE}.jsonl"]["project_key"] == "-srv-a"
    assert files[f"{A}/{ONE}.jsonl"]["home"] == "."


def test_a_single_transcript_is_a_source(root: Path, tmp_path: Path) -> None:
    take(root / A / f"{ONE}.jsonl", tmp_path / "case")
    rows = all_rows(tmp_path / "case", "files")
    assert only(rows, "path", "role", "project_key", "home") == [(f"{ONE}.jsonl", "main", None, ".")]
    assert all_rows(tmp_path / "case", "keys") == []
    assert manifest_of(tmp_path / "case")["sources"][0]["kind"] == "file"


def test_a_single_transcript_does_not_make_its_neighbours_be_looked_at(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def refuse(folder: Any) -> Any:
        assert not isinstance(folder, bytes), "a folder of the evidence was listed"
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert convert([root / A / f"{ONE}.jsonl"], tmp_path / "case").n_files == 1


def test_one_folder_under_two_labels_is_read_once(root: Path, tmp_path: Path) -> None:
    (tmp_path / "again").symlink_to(root)
    convert([f"one={root}", f"two={tmp_path / 'again'}"], tmp_path / "case")
    assert {row["label"] for row in all_rows(tmp_path / "case", "files")} == {"one"}
    sources = {row["label"]: row for row in manifest_of(tmp_path / "case")["sources"]}
    assert (sources["two"]["same_as"], sources["two"]["n_files"]) == ("one", 0)
    assert sources["one"]["same_as"] is None


def test_a_label_that_becomes_another_ones_folder_has_nothing_of_its_own(root: Path, tmp_path: Path) -> None:
    other = write_home(tmp_path / "other")
    convert([f"one={root}", f"two={other}"], tmp_path / "case")
    convert([f"one={root}", f"two={root}"], tmp_path / "case")
    rows = all_rows(tmp_path / "case", "files")
    assert {row["label"] for row in rows if row["is_current"]} == {"one"}
    assert {row["state"] for row in rows if row["label"] == "two"} == {"vanished"}


def test_what_was_not_looked_at_stays_as_it_was_seen(root: Path, tmp_path: Path) -> None:
    other = write_home(tmp_path / "other")
    case = tmp_path / "case"
    convert([f"x={root}", f"y={other}"], case)
    before = current_rows(case)
    convert([f"y={other}"], case)
    assert current_rows(case) == before
    convert([f"x={root / A}"], case)
    assert current_rows(case) == before
    assert verify(case) == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        (".claude", "claude"),
        ("My Mac", "my-mac"),
        ("2026-backup", "backup"),
        ("日本", "root"),
        ("A_b-C.d", "a_b-c-d"),
        ("---", "root"),
    ],
)
def test_a_source_without_a_label_is_called_after_its_folder(name: str, label: str) -> None:
    assert label_of(name) == label


def test_labels_may_be_given_and_must_differ(root: Path, tmp_path: Path) -> None:
    other = write_home(tmp_path / "b" / ".claude")
    with pytest.raises(UsageError, match="two sources are called 'claude'"):
        convert([root, other], tmp_path / "case")
    convert([f"mac={root}", f"linux-2={other}"], tmp_path / "case")
    assert {row["label"] for row in all_rows(tmp_path / "case", "files")} == {"mac", "linux-2"}


def test_a_folder_whose_name_looks_like_a_label_is_a_folder(tmp_path: Path) -> None:
    root = write_home(tmp_path / "x=y")
    cwd = Path.cwd()
    os.chdir(tmp_path)
    try:
        convert(["x=y"], tmp_path / "case")
    finally:
        os.chdir(cwd)
    assert root.name == "x=y"
    assert {row["label"] for row in all_rows(tmp_path / "case", "files")} == {"x-y"}


@pytest.mark.parametrize("nested", [True, False])
def test_sources_inside_each_other_are_refused(root: Path, tmp_path: Path, nested: bool) -> None:
    pair = [f"a={root}", f"b={root / A}"]
    with pytest.raises(UsageError, match="lie inside each other"):
        convert(pair if nested else pair[::-1], tmp_path / "case")
    assert not (tmp_path / "case").exists()


@pytest.mark.parametrize("given", ["nothing-here", "~no-such-person/x", "home/.claude/fifo"])
def test_a_source_that_is_not_there_is_told_with_a_hint(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    os.mkfifo(root / "fifo")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError) as caught:
        convert([given], tmp_path / "case")
    assert caught.value.exit_code == 6
    assert caught.value.hint
    assert not (tmp_path / "case").exists()


def test_a_root_without_transcripts_makes_no_case(tmp_path: Path) -> None:
    (tmp_path / "root" / "projects" / "-srv-a").mkdir(parents=True)
    (tmp_path / "root" / "projects" / "-srv-a" / "journal.jsonl").write_bytes(b'{"a":1}\n')
    with pytest.raises(NothingThereError):
        take(tmp_path / "root", tmp_path / "case")
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(".lock")] == ["root"]


@pytest.mark.parametrize("where", ["in/case", "", ".", "..", "projects", "projects/-srv-a/case"])
def test_a_case_inside_or_above_the_evidence_is_refused_and_nothing_touched(root: Path, where: str) -> None:
    before = tree_state(root.parent)
    with pytest.raises(UsageError, match="inside or above the evidence"):
        take(root, root / where)
    with pytest.raises(UsageError, match="inside or above the evidence"):
        take(root / A, root / where)
    assert tree_state(root.parent) == before


def test_a_case_beside_a_single_transcript_is_allowed(root: Path) -> None:
    folder = root / A
    take(folder / f"{ONE}.jsonl", folder / "forensics-case")
    assert verify(folder / "forensics-case") == []


def test_a_place_that_holds_something_else_is_refused_and_left_alone(root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("x")
    for place in ("mine", "file"):
        with pytest.raises(UsageError):
            take(root, tmp_path / place)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"
    (tmp_path / "empty").mkdir()
    take(root, tmp_path / "empty")
    assert verify(tmp_path / "empty") == []


@pytest.mark.parametrize(
    "name", ["a=b [c] *", "with\nnewline", "日本語", "-dash", "it's", "x" * 200, "%41", "s3:"]
)
def test_a_case_may_have_any_name(root: Path, tmp_path: Path, name: str) -> None:
    case = tmp_path / name / name[:100]
    take(root, case)
    with (root / A / f"{ONE}.jsonl").open("ab") as file:
        file.write(say(uuid="u9") + b"\n")
    take(root, case)
    assert verify(case) == []


def test_a_case_without_a_name_in_utf8_is_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must be UTF-8"):
        take(root, tmp_path / "caf\udce9" / "case")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_root_may_have_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    root = write_home(tmp_path / "caf\udce9")
    convert([root], tmp_path / "case")
    assert verify(tmp_path / "case") == []
    assert b"caf\\\\xe9" in (tmp_path / "case" / "runs.jsonl").read_bytes()


ODD = [
    "with\nnewline",
    "with \u2028 separator",
    "caf\udce9",
    "\udcff\udcfe",
    "日本語",
    "a" * 240,
    "quote'\"",
    "C:\\x",
    "100%#L1",
    "\x01\x1b[31m",
]


@pytest.mark.parametrize("name", ODD)
def test_a_file_may_have_any_name(root: Path, tmp_path: Path, name: str) -> None:
    raw = os.fsencode(name)
    (root / A / f"{name}.jsonl").write_bytes(MAIN[0] + b"\n")
    (root / "projects" / f"-{name}").mkdir()
    (root / "projects" / f"-{name}" / f"{ONE}.jsonl").write_bytes(MAIN[0] + b"\n")
    take(root, tmp_path / "case")
    rows = {row["file_id"]: row for row in all_rows(tmp_path / "case", "files")}
    row = rows[file_id_of("x", A.encode() + b"/" + raw + b".jsonl")]
    is_text = raw.decode("utf-8", "replace").encode() == raw
    assert row["path_bytes"] == (None if is_text else A.encode() + b"/" + raw + b".jsonl")
    assert row["path"] == f"{A}/{raw.decode('utf-8', 'backslashreplace')}.jsonl"
    assert row["n_lines"] == 1
    assert verify(tmp_path / "case", roots={"x": root}) == []
    rebuild(tmp_path / "case", tmp_path / "to")
    again = os.fsencode(tmp_path / "to" / "x" / A) + b"/" + raw + b".jsonl"
    assert Path(os.fsdecode(again)).read_bytes() == MAIN[0] + b"\n"


def test_a_time_may_be_given(root: Path, tmp_path: Path) -> None:
    convert([f"x={root}"], tmp_path / "case", options=ConvertOptions(as_of="2026-06-01T12:00:00+02:00"))
    manifest = manifest_of(tmp_path / "case")
    assert (manifest["as_of"], manifest["as_of_basis"]) == ("2026-06-01T10:00:00+00:00", "given")
    with pytest.raises(UsageError, match="not a time"):
        convert([f"x={root}"], tmp_path / "case", options=ConvertOptions(as_of="tomorrow"))


def test_progress_adds_up_to_the_work(root: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []

    class Listener:
        def start(self, n_files: int, n_bytes: int) -> None:
            told.append(("start", n_files, n_bytes))

        def advance(self, n_files: int, n_bytes: int, n_gaps: int) -> None:
            told.append(("advance", n_files, n_bytes))

        def finish(self) -> None:
            told.append(("finish", 0, 0))

    convert([f"x={root}"], tmp_path / "case", progress=Listener())
    total = sum(map(len, FILES.values()))
    assert told[0] == ("start", len(FILES), total)
    assert sum(one[2] for one in told if one[0] == "advance") == total
    assert sum(one[1] for one in told if one[0] == "advance") == len(FILES)
    assert told[-1][0] == "finish"
