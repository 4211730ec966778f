"""What stands at a path is told, and what nobody could look at is left open."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from forensics.host.places import Place, ask_each, look_at


def test_a_directory_and_a_file_exist(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    Path(root, "file").write_text("x")
    assert look_at(root).is_dir is True
    place = look_at(f"{root}/file")
    assert (place.exists, place.is_dir, place.real_path) == (True, False, f"{root}/file")


def test_a_directory_that_is_gone_does_not_exist(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    place = look_at(f"{root}/gone/deeper")
    assert (place.exists, place.is_dir, place.note) == (False, False, None)


def test_a_path_below_a_file_does_not_exist(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    Path(root, "file").write_text("x")
    assert look_at(f"{root}/file/below").exists is False


def test_links_are_resolved_also_above_what_is_gone(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    Path(root, "real").mkdir()
    Path(root, "link").symlink_to(f"{root}/real")
    assert look_at(f"{root}/link").real_path == f"{root}/real"
    assert look_at(f"{root}/link/gone").real_path == f"{root}/real/gone"


def test_a_link_that_leads_nowhere_does_not_exist(tmp_path: Path) -> None:
    Path(tmp_path, "dangling").symlink_to(tmp_path / "gone")
    Path(tmp_path, "ring").symlink_to(tmp_path / "ring")
    assert look_at(f"{tmp_path}/dangling").exists is False
    assert look_at(f"{tmp_path}/ring").exists is False


@pytest.mark.parametrize(
    "path", ["C:\\Users\\kit", "\\\\server\\share", "relative/path", "", "/srv/a\0b", "/\ud83d"]
)
def test_a_path_that_is_not_of_this_machine_is_left_open(path: str) -> None:
    place = look_at(path)
    assert (place.exists, place.is_dir, place.real_path) == (None, None, None)
    assert place.note


def test_a_directory_that_may_not_be_seen_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> os.stat_result:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "stat", refuse)
    assert look_at("/srv/closed") == Place("/srv/closed", note=os.strerror(13))


def test_answers_come_in_the_order_of_the_questions() -> None:
    asked = ask_each(lambda n: n * n, range(1, 50), seconds_each=30, seconds=60)
    assert list(asked) == [(n, n * n) for n in range(1, 50)]


def test_a_question_without_an_answer_costs_only_itself() -> None:
    never = threading.Event()

    def ask(name: str) -> str:
        if name == "hung":
            never.wait()
        return name.upper()

    asked = list(ask_each(ask, ["a", "hung", "b", "c"], seconds_each=0.3, seconds=60))
    never.set()
    assert asked == [("a", "A"), ("hung", None), ("b", "B"), ("c", "C")]


def test_after_the_whole_time_nothing_more_is_asked() -> None:
    asked: list[int] = []
    answers = list(ask_each(asked.append, range(1, 4), seconds_each=1, seconds=0))
    assert answers == [(1, None), (2, None), (3, None)]
    assert asked == []
