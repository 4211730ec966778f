"""The option --repo of sessions: a path, or the name of a repository that the evidence knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.words import call
from tests.dossier.stories import Lines, lay_out, take_in

SAID: Lines = [{"say": "hello"}, {"reply": "hi"}]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with a repository that is known by its worktree alone, one by a session, and two namesakes."""
    folder = tmp_path_factory.mktemp("named")
    cwds = {
        "one": "/srv/kit/tidepool/.claude/worktrees/eel",
        "two": "/srv/kit/mill",
        "three": "/srv/kit/mill/tools/mill",
        "four": "/srv/kit/barn",
        "five": "/srv/ada/barn",
    }
    files = {f"projects/-k-{name}/{{{name}}}.jsonl": (cwd, SAID) for name, cwd in cwds.items()}
    return take_in(lay_out(folder / "home", files), folder)


@pytest.mark.parametrize(
    ("word", "workspaces"),
    [
        ("tidepool", ["/srv/kit/tidepool/.claude/worktrees/eel"]),
        ("mill", ["/srv/kit/mill", "/srv/kit/mill/tools/mill"]),
        ("/srv/kit/barn", ["/srv/kit/barn"]),
    ],
)
def test_a_repository_is_known_by_its_last_folder(case: Path, word: str, workspaces: list[str]) -> None:
    ended = call("sessions", "--repo", word, "-C", case, "--json")
    assert ended.returncode == 0, ended.stderr.decode()
    assert sorted(row["workspace"] for row in json.loads(ended.stdout)["rows"]) == workspaces


def test_a_path_below_the_current_directory_counts_before_a_name(tmp_path: Path) -> None:
    cwds = {"one": str(tmp_path / "mill"), "two": "/srv/kit/mill"}
    files = {f"projects/-k-{name}/{{{name}}}.jsonl": (cwd, SAID) for name, cwd in cwds.items()}
    case = take_in(lay_out(tmp_path / "home", files), tmp_path)
    ended = call("sessions", "--repo", "mill", "-C", case, "--json", cwd=tmp_path)
    assert [row["workspace"] for row in json.loads(ended.stdout)["rows"]] == [cwds["one"]]


def test_a_name_of_several_repositories_asks_for_a_path(case: Path) -> None:
    ended = call("sessions", "--repo", "barn", "-C", case)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode() == (
        "error: 'barn' may mean 2 repositories\nhint: give a path: /srv/ada/barn, /srv/kit/barn\n"
    )


def test_a_name_that_nothing_has_says_what_may_be_given(case: Path) -> None:
    ended = call("sessions", "--repo", "weir", "-C", case, "--json")
    assert (ended.returncode, json.loads(ended.stdout)["rows"]) == (3, [])
    assert ended.stderr.decode() == (
        "error: no session is there\n"
        "hint: --repo takes a path, or the last folder of a repository that has sessions; "
        "'weir' may be neither\n"
    )
