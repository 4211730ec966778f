"""Views of a case that took in evidence several times equal those of a fresh conversion."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from forensics.case import open_case
from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.short_lines import Story

LINE_TABLES = ("lines", "marks", "tool_calls", "tool_results", "text")
OTHERS = ("keys", "cwds", "cwd_keys", "version_rules", "gaps")
MODELS = ("sessions", "cwd_runs", "session_cwds", "key_dirs", "session_keys")


def story(*said: str, cwd: str = "/srv/shop") -> bytes:
    return Story("s1", cwd=cwd).write([{"say": text} for text in said])


def take_in(root: Path, case: Path) -> Path:
    convert([f"home={root}"], case, options=ConvertOptions(workers=1))
    return case


@pytest.fixture
def root(tmp_path: Path) -> Path:
    key = tmp_path / "root" / "projects" / "-srv-shop"
    key.mkdir(parents=True)
    for name in ("grown", "replaced", "gone", "still"):
        (key / f"{name}.jsonl").write_bytes(story("one", "two", "three"))
    (key / "unended.jsonl").write_bytes(story("one", "two")[:-1])
    (key / "halved.jsonl").write_bytes(story("one", "two")[:-20])
    return key.parents[1]


def test_views_show_the_evidence_as_it_was_seen_last(root: Path, tmp_path: Path) -> None:
    case = take_in(root, tmp_path / "case")
    key = root / "projects" / "-srv-shop"
    (key / "grown.jsonl").write_bytes(story("one", "two", "three", "four", "five"))
    (key / "unended.jsonl").write_bytes(story("one", "two", "three"))
    (key / "halved.jsonl").write_bytes(story("one", "two", "three"))
    (key / "replaced.jsonl").write_bytes(story("other", cwd="/srv/mill"))
    (key / "gone.jsonl").unlink()
    take_in(root, case)
    fresh = take_in(root, tmp_path / "fresh")
    with open_case(case) as again, open_case(fresh) as once:
        assert again.manifest["segments_trimmed"]
        assert not once.manifest["segments_trimmed"]
        for name in LINE_TABLES + OTHERS + MODELS:
            drop = [c for c in ("generation", "first_ref") if c in again.arrow(name).column_names]
            new = again.arrow(name).drop_columns(drop).to_pylist()
            assert new == once.arrow(name).drop_columns(drop).to_pylist(), name
        for name in ("path", "sha256", "n_lines", "size_bytes"):
            assert again.arrow("files").column(name) == once.arrow("files").column(name)
        # Nothing that was ever taken in is lost.
        gone = again.sql("select count(*) as n from files_all where path like '%gone%'").to_pylist()
        assert gone == [{"n": 1}]
        assert again.arrow("lines_all").num_rows > again.arrow("lines").num_rows


def test_every_generation_reads_back(root: Path, tmp_path: Path) -> None:
    case = take_in(root, tmp_path / "case")
    path = "projects/-srv-shop/replaced.jsonl"
    old = (root / path).read_bytes()
    (root / path).write_bytes(story("other"))
    take_in(root, case)
    shutil.rmtree(root)
    with open_case(case) as opened:
        assert opened.show(f"home/{path}").data == story("other")
        assert opened.show(f"home/{path}~g1").data == old
        assert opened.show(f"home/{path}#L3~g1").data == old.split(b"\n")[2]
        assert opened.show("home/projects/-srv-shop/grown.jsonl").verified


def test_a_line_that_grew_reads_back_whole(root: Path, tmp_path: Path) -> None:
    case = take_in(root, tmp_path / "case")
    path = "projects/-srv-shop/halved.jsonl"
    (root / path).write_bytes(story("one", "two", "three"))
    take_in(root, case)
    with open_case(case) as opened:
        for number, data in enumerate(story("one", "two", "three").split(b"\n")[:3], 1):
            evidence = opened.show(f"home/{path}#L{number}")
            assert evidence.data == data
            assert evidence.verified
