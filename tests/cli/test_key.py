"""The verb key: what would be lost with a folder, session by session, and what a directory is offered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.words import Ended, call
from tests.dossier.stories import ONE, TWO, lay_out, take_in

MILL, BARN = "-srv-mill", "-srv-barn"
BEGINNING = [{"say": "Grind the rye."}, {"reply": "Ground."}]
WENT_ON = [{"say": "And the oats?"}, {"reply": "Those too."}, {"say": "Sweep the floor."}]
OTHERWISE = [{"say": "And the barley?"}]
Lines = Sequence[Mapping[str, Any]]


def _case(folder: Path, files: Mapping[str, Lines], *, beside: Mapping[str, str] | None = None) -> Path:
    """The case of a home whose sessions all began in /srv/mill, with some files beside them."""
    root = lay_out(folder / "home", {f"projects/{name}": ("/srv/mill", [*files[name]]) for name in files})
    for name, content in (beside or {}).items():
        (root / "projects" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "projects" / name).write_text(content, "utf-8")
    return take_in(root, folder)


def _told(case: Path, key: str = MILL) -> list[str]:
    """The sentences on what would be lost."""
    ended = call("key", key, "-C", case)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout.decode().rstrip("\n").split("\n\n")[-1].split("\n")


def _loss(case: Path, key: str = MILL) -> dict[str, Any]:
    (found,) = json.loads(call("key", key, "-C", case, "--json").stdout)["keys"]
    loss: dict[str, Any] = found["if_deleted"]
    return loss


def test_a_session_without_a_copy_would_be_lost(tmp_path: Path) -> None:
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": BEGINNING})
    assert _told(case) == ["if it were deleted: 1 of 1 sessions would be lost"]
    assert _loss(case)["n_sessions_lost"] == 1


def test_a_session_with_an_equal_copy_would_lose_nothing(tmp_path: Path) -> None:
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": BEGINNING, f"{BARN}/{{one}}.jsonl": BEGINNING})
    assert _told(case) == [
        "if it were deleted: nothing of its 1 session would be lost",
        f"{ONE}: its copy under {BARN} is equal: nothing would be lost",
    ]


def test_records_that_a_diverged_copy_lacks_are_counted_as_lost(tmp_path: Path) -> None:
    case = _case(
        tmp_path,
        {
            f"{MILL}/{{one}}.jsonl": [*BEGINNING, *WENT_ON],
            f"{BARN}/{{one}}.jsonl": [*BEGINNING, *OTHERWISE],
        },
    )
    assert _told(case) == [
        "if it were deleted: of 1 of 1 sessions 3 records would be lost",
        f"{ONE}: its copy under {BARN} diverged: 3 records stand only here",
    ]
    assert _told(case, BARN)[1] == f"{ONE}: its copy under {MILL} diverged: 1 record stands only here"
    assert _loss(case) == {
        "n_sessions_lost": 0,
        "n_sessions_losing_records": 1,
        "n_sessions_losing_nothing": 0,
        "sessions": [
            {
                "session_id": ONE,
                "path": f"projects/{MILL}/{ONE}.jsonl",
                "loss": "records",
                "n_records": 5,
                "n_records_only_here": 3,
                "copies": [
                    {
                        "label": "home",
                        "home": ".",
                        "project_key": BARN,
                        "path": f"projects/{BARN}/{ONE}.jsonl",
                        "relation": "diverged",
                        "n_records_only_here": 3,
                    }
                ],
            }
        ],
        "beside": [],
    }


def test_the_longer_of_two_loses_what_the_shorter_lacks_and_the_shorter_loses_nothing(
    tmp_path: Path,
) -> None:
    case = _case(
        tmp_path, {f"{MILL}/{{one}}.jsonl": [*BEGINNING, *WENT_ON], f"{BARN}/{{one}}.jsonl": BEGINNING}
    )
    longer = f"{ONE}: its copy under {BARN} is only its beginning: 3 records stand only here"
    shorter = f"{ONE}: its copy under {MILL} holds all of its records: nothing would be lost"
    assert _told(case)[1] == longer
    assert _told(case, BARN)[1] == shorter


def test_a_file_of_the_same_id_without_a_common_record_saves_nothing(tmp_path: Path) -> None:
    other = [{"say": "Milk the goats.", "uuid": "goats"}]
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": BEGINNING, f"{BARN}/{{one}}.jsonl": other})
    assert _told(case) == [
        "if it were deleted: 1 of 1 sessions would be lost",
        f"{ONE}: its copy under {BARN} has no record in common with it: 2 records stand only here",
    ]


def test_a_file_without_a_message_is_told_from_the_copy_that_has_them(tmp_path: Path) -> None:
    title = [{"title": "Rye"}]
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": title, f"{BARN}/{{one}}.jsonl": BEGINNING})
    here = f"{ONE}: its copy under {BARN} has the messages, this file none: 1 record stands only here"
    there = f"{ONE}: its copy under {MILL} holds no message: 2 records stand only here"
    assert (_told(case)[1], _told(case, BARN)[1]) == (here, there)


def test_a_session_of_another_id_under_the_key_is_counted_apart(tmp_path: Path) -> None:
    case = _case(
        tmp_path,
        {
            f"{MILL}/{{one}}.jsonl": BEGINNING,
            f"{MILL}/{{two}}.jsonl": BEGINNING,
            f"{BARN}/{{one}}.jsonl": BEGINNING,
        },
    )
    assert _told(case)[0] == "if it were deleted: 1 of 2 sessions would be lost"
    assert [(each["session_id"], each["loss"]) for each in _loss(case)["sessions"]] == [
        (ONE, "none"),
        (TWO, "whole"),
    ]


def test_the_files_beside_the_sessions_are_counted_by_role(tmp_path: Path) -> None:
    case = _case(
        tmp_path,
        {f"{MILL}/{{one}}.jsonl": BEGINNING},
        beside={
            f"{MILL}/memory/MEMORY.md": "rye first",
            f"{MILL}/memory/floor.md": "sweep",
            f"{BARN}/memory/floor.md": "sweep",
            f"{MILL}/notes.txt": "a note",
        },
    )
    assert _told(case) == [
        "if it were deleted: 1 of 1 sessions would be lost; lost with it: 1 other file, 1 side file"
    ]
    assert _loss(case)["beside"] == [
        {"role": "other", "n_files": 1, "n_files_only_here": 1},
        {"role": "sidecar", "n_files": 2, "n_files_only_here": 1},
    ]


def _refused(*words: str | Path, cwd: Path | None = None) -> str:
    ended: Ended = call(*words, cwd=cwd)
    assert (ended.returncode, ended.stdout) == (3, b"")
    return ended.stderr.decode()


@pytest.mark.parametrize("word", ["/srv/mill", "/srv/mill/", "/srv/barn/../mill"])
def test_a_directory_is_offered_its_keys(tmp_path: Path, word: str) -> None:
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": BEGINNING, f"{BARN}/{{two}}.jsonl": BEGINNING})
    told = _refused("key", word, "-C", case)
    assert told.startswith(f"error: {word!r} is a directory, not a key\n")
    assert f"its keys here are {MILL}, {BARN}: forensics key {MILL}" in told


def test_a_directory_that_is_not_recorded_is_offered_no_key(tmp_path: Path) -> None:
    case = _case(tmp_path, {f"{MILL}/{{one}}.jsonl": BEGINNING})
    assert "no folder '/srv/weir' is in this case" in _refused("key", "/srv/weir", "-C", case)
