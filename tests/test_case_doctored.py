"""A doctored case does no harm: nothing outside it is read, changed or removed, and it is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.errors import CaseError, UsageError
from forensics.ingest import publish
from forensics.ingest.convert import ConvertOptions, convert
from forensics.ingest.rebuild import rebuild
from forensics.ingest.verify import verify
from tests.case_builder import rows_of_one_file, write_case

LINE = b'{"type":"user","uuid":"u1","cwd":"/srv/kiln","message":{"content":"fire"}}\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    key = tmp_path / "home" / "projects" / "-srv-kiln"
    key.mkdir(parents=True)
    (key / "11111111-2222-4333-8444-555555555555.jsonl").write_bytes(LINE)
    return tmp_path / "home"


@pytest.fixture
def case(root: Path, tmp_path: Path) -> Path:
    return take(root, tmp_path / "case")


def take(root: Path, out: Path) -> Path:
    return convert([f"home={root}"], out, options=ConvertOptions(workers=1)).case


def change(case: Path, edit: Callable[[Any], object]) -> None:
    document = json.loads((case / "manifest.json").read_text())
    edit(document)
    (case / "manifest.json").write_text(json.dumps(document))


def refused_by_every_verb(case: Path, root: Path, match: str) -> None:
    """Each refuses with the exit code of a case that cannot be read."""
    verbs: list[Callable[[], object]] = [
        lambda: open_case(case),
        lambda: take(root, case),
        lambda: rebuild(case, case.parent / "rebuilt"),
    ]
    for verb in verbs:
        with pytest.raises(CaseError, match=match) as caught:
            verb()
        assert caught.value.exit_code == 5


def replace_by_link(path: Path, target: Path) -> None:
    path.rename(target)
    path.symlink_to(target)


@pytest.mark.parametrize(
    "name", ["lines/home-00000.parquet", "raw", "keys.parquet", "manifest.json", "SHA256SUMS", "runs.jsonl"]
)
def test_a_link_in_a_case_is_refused_and_what_it_leads_to_keeps_its_mode(
    case: Path, root: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    replace_by_link(case / name, outside)
    outside.chmod(0o755)
    refused_by_every_verb(case, root, "regular files only")
    assert outside.stat().st_mode & 0o777 == 0o755
    assert (case / name).is_symlink()


def test_a_link_is_neither_carried_over_nor_given_a_mode(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"theirs")
    outside.chmod(0o644)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to(outside)
    with pytest.raises(CaseError, match="regular files only"):
        publish.settle(tmp_path / "folder")
    with pytest.raises(CaseError, match="regular files only"):
        publish.link_or_copy(tmp_path / "folder" / "link", tmp_path / "new" / "link")
    assert outside.stat().st_mode & 0o777 == 0o644
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../other/keys.parquet",
        "keys/../../other/keys.parquet",
        "./keys.parquet",
        "keys/sub/part-0.parquet",
        "files.parquet",
        "keys/.hidden-0.parquet",
        "keys/name.parquet",
        "keys/none.parquet",
        "keys.parquet\0",
        "",
    ],
)
def test_a_path_that_is_not_its_tables_own_is_refused(
    case: Path, root: Path, tmp_path: Path, path: str
) -> None:
    write_case(tmp_path / "other", {})
    change(case, lambda it: it["tables"]["keys"]["files"][0].update(path=path, n_rows=1))
    refused_by_every_verb(case, root, "cannot be its own")


@pytest.mark.parametrize("table", ["..", "/etc", "a/b", "", "Keys"])
def test_a_table_whose_name_would_be_a_path_is_refused(case: Path, root: Path, table: str) -> None:
    change(case, lambda it: it["tables"].update({table: it["tables"].pop("keys")}))
    change(case, lambda it: it["tables"][table]["files"][0].update(path=f"{table}.parquet"))
    refused_by_every_verb(case, root, "cannot be its own")


def test_a_file_named_twice_does_not_count_twice(case: Path, root: Path) -> None:
    change(case, lambda it: it["tables"]["keys"]["files"].append(it["tables"]["keys"]["files"][0]))
    refused_by_every_verb(case, root, "cannot be its own")


@pytest.mark.parametrize("name", ["manifest.json", "SHA256SUMS", "runs.jsonl", "lines/home-00000.parquet"])
def test_a_pipe_in_a_case_is_refused_and_not_waited_for(case: Path, root: Path, name: str) -> None:
    (case / name).unlink()
    os.mkfifo(case / name)
    with pytest.raises(CaseError, match="regular files only"):
        open_case(case)
    with pytest.raises((CaseError, UsageError)):
        take(root, case)
    if name.startswith("lines/"):
        assert [fault.where for fault in verify(case)] == [name]
    else:
        with pytest.raises(CaseError, match="regular files only"):
            verify(case)


SHAPES: list[Callable[[Any], object]] = [
    lambda it: it.pop("as_of"),
    lambda it: it.update(as_of="yesterday"),
    lambda it: it.update(as_of=5),
    lambda it: it.update(as_of="0001-01-01T00:00:00+14:00"),
    lambda it: it["tables"].update(lines=[1]),
    lambda it: it["tables"]["lines"].update(files=None),
    lambda it: it["tables"]["lines"]["files"][0].update(path=7),
    lambda it: it["tables"]["lines"]["files"][0].update(n_rows=-1),
    lambda it: it["tables"]["lines"]["files"][0].pop("sha256"),
    lambda it: it.update(ruleset=None),
    lambda it: it["ruleset"].pop("digest"),
    lambda it: it.update(sources={}),
    lambda it: it["sources"][0].pop("same_as"),
    lambda it: it.update(options={"raw": "yes", "text": True}),
    lambda it: it.update(counts={"lines": "<b>"}),
    lambda it: it.update(derived="yes"),
    lambda it: it.update(tool=None),
]


@pytest.mark.parametrize("edit", SHAPES)
def test_a_manifest_of_another_shape_is_refused(
    case: Path, root: Path, edit: Callable[[Any], object]
) -> None:
    change(case, edit)
    refused_by_every_verb(case, root, "not one of ours")


def test_a_manifest_nested_beyond_reading_is_refused(case: Path, root: Path) -> None:
    (case / "manifest.json").write_text("[" * 200_000)
    refused_by_every_verb(case, root, "cannot be read")


@pytest.mark.parametrize("offset", ["Z", "+23:00", ""])
def test_a_time_in_any_zone_is_the_same_moment(tmp_path: Path, offset: str) -> None:
    path = write_case(tmp_path / "case", {}, as_of=f"2026-03-02T12:00:00{offset}")
    with open_case(path) as opened:
        [told] = opened.sql("select as_of from case_info").column(0).to_pylist()
    expected = "2026-03-01T13:00:00+00:00" if offset == "+23:00" else "2026-03-02T12:00:00+00:00"
    assert told.isoformat() == expected


def test_what_lies_in_the_old_cases_place_and_is_no_case_stays(
    case: Path, root: Path, tmp_path: Path
) -> None:
    notes = tmp_path / ".case.old"
    notes.mkdir()
    (notes / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="was not left by a run") as caught:
        take(root, case)
    assert caught.value.hint is not None
    assert (notes / "notes.txt").read_text() == "mine"


def test_a_folder_that_is_no_case_is_not_brought_back_as_one(root: Path, tmp_path: Path) -> None:
    (tmp_path / ".case.old").mkdir()
    with pytest.raises(UsageError, match="was not left by a run"):
        take(root, tmp_path / "case")
    assert not (tmp_path / "case").exists()


def test_a_copy_that_someone_made_of_a_case_stays(case: Path, root: Path, tmp_path: Path) -> None:
    copy = take(root, tmp_path / ".case.old")
    with pytest.raises(UsageError, match="was not left by a run"):
        take(root, case)
    assert verify(copy) == []


def test_an_old_case_that_our_own_run_put_aside_is_cleared_away(
    case: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def cut_off(self: Path, target: Path) -> Path:
        if self.name == ".case.old":
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(publish, "_exchange", lambda *_: False)
        patch.setattr(Path, "rename", cut_off)
        with pytest.raises(KeyboardInterrupt):
            take(root, case)
    assert (tmp_path / ".case.old").is_dir()
    take(root, case)
    assert not (tmp_path / ".case.old").exists()
    assert verify(case) == []


def test_a_lock_that_is_a_link_is_not_written_through(case: Path, root: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_bytes(b"theirs")
    (tmp_path / ".case.lock").unlink()
    (tmp_path / ".case.lock").symlink_to(theirs)
    with pytest.raises(UsageError, match="lock"):
        take(root, case)
    assert theirs.read_bytes() == b"theirs"


def test_a_link_to_a_case_is_followed_and_stays_a_link(case: Path, root: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(case)
    assert take(root, link) == case
    assert link.is_symlink()
    assert verify(case) == []


def test_a_link_to_a_folder_with_something_else_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "notes.txt").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(UsageError, match="something else than a case"):
        take(root, tmp_path / "link")
    assert (tmp_path / "theirs" / "notes.txt").read_text() == "mine"


def test_a_name_in_the_manifest_is_text_in_a_notebook(tmp_path: Path) -> None:
    path = write_case(tmp_path / "case", rows_of_one_file(), counts={"<script>alert(1)</script>&": 3})
    with open_case(path) as opened:
        shown = opened._repr_html_()
    assert "<td>&lt;script&gt;alert(1)&lt;/script&gt;&amp;</td><td>3</td>" in shown
    assert "<script>" not in shown
