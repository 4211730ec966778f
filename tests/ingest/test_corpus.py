"""Real transcripts, where they are on this machine: taken in, checked, and had back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.errors import NothingThereError
from forensics.ingest.rebuild import rebuild
from forensics.ingest.verify import verify
from tests.cli.evidence import tree_state
from tests.conftest import SHARED
from tests.ingest.cases import all_rows, take

CORPORA = SHARED / "corpora"
FOLDERS = [
    *sorted(folder.relative_to(CORPORA).as_posix() for folder in CORPORA.glob("public/*") if folder.is_dir()),
    "cli",
    "pi",
]
FOREIGN = {"public/badlogic__pi-mono", "pi"}
"""Folders that hold sessions of another agent alone."""


@pytest.mark.corpus
@pytest.mark.parametrize("name", FOLDERS)
def test_a_corpus_is_taken_in_and_comes_back(shared_corpora: Path, tmp_path: Path, name: str) -> None:
    root, case = shared_corpora / name, tmp_path / "case"
    before = tree_state(root)
    if name in FOREIGN:
        with pytest.raises(NothingThereError):
            take(root, case)
        assert not case.exists()
        return
    take(root, case)
    assert tree_state(root) == before
    assert verify(case, roots={"x": root}) == []
    rebuild(case, tmp_path / "to")
    found = {
        path.relative_to(tmp_path / "to" / "x") for path in (tmp_path / "to").rglob("*") if path.is_file()
    }
    assert found == {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
    for path in found:
        assert (tmp_path / "to" / "x" / path).read_bytes() == (root / path).read_bytes()
    sizes = {
        row["file_id"]: row["size_bytes"] for row in all_rows(case, "files") if row["n_lines"] is not None
    }
    unended = {row["file_id"] for row in all_rows(case, "files") if row["ends_with_newline"] is False}
    for row in all_rows(case, "lines"):
        if row["part"] == 0:
            sizes[row["file_id"]] -= row["n_bytes"] + 1
    assert {file_id: left for file_id, left in sizes.items() if left} == dict.fromkeys(unended, -1)
    assert take(root, case).n_read_bytes == 0
    assert verify(case) == []
