"""A folder keeps its label: taken in under another one, it would count twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.errors import UsageError
from forensics.ingest.convert import ConvertOptions, convert
from tests.ingest.cases import tree

LINE = '{"type":"user","uuid":"u1","sessionId":"11111111-2222-4333-8444-555555555555","cwd":"/srv/kiln"}\n'


def write_home(folder: Path) -> Path:
    key = folder / "projects" / "-srv-kiln"
    key.mkdir(parents=True)
    (key / "11111111-2222-4333-8444-555555555555.jsonl").write_text(LINE)
    return folder


def take(case: Path, *sources: str) -> int:
    return convert(list(sources), case, options=ConvertOptions(workers=1)).n_lines


def test_a_folder_in_the_case_is_refused_under_another_label(tmp_path: Path) -> None:
    home, case = write_home(tmp_path / "evidence"), tmp_path / "case"
    take(case, f"home={home}")
    before = tree(case)
    with pytest.raises(UsageError, match="is in this case already, as 'home'") as raised:
        take(case, str(home))
    assert raised.value.hint == f"give home={home}, or name another case with -o"
    assert tree(case) == before


def test_the_same_label_again_is_an_update(tmp_path: Path) -> None:
    home, case = write_home(tmp_path / "evidence"), tmp_path / "case"
    assert [take(case, f"home={home}") for _ in range(2)] == [1, 1]


def test_evidence_that_was_moved_keeps_its_label(tmp_path: Path) -> None:
    home, case = write_home(tmp_path / "evidence"), tmp_path / "case"
    take(case, f"home={home}")
    home.rename(tmp_path / "moved")
    assert take(case, f"home={tmp_path / 'moved'}") == 1


def test_another_folder_gets_a_label_of_its_own(tmp_path: Path) -> None:
    home, other, case = write_home(tmp_path / "one"), write_home(tmp_path / "two"), tmp_path / "case"
    take(case, f"one={home}")
    assert take(case, f"two={other}") == 2


def test_two_labels_of_one_folder_in_one_call_are_read_once_also_the_second_time(tmp_path: Path) -> None:
    home, case = write_home(tmp_path / "one"), tmp_path / "case"
    assert [take(case, f"one={home}", f"two={home}") for _ in range(2)] == [1, 1]
