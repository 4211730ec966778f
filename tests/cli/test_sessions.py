"""The verbs session and sessions: what they print, in which order, and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.evidence import DASHED, DOTTED, SHARED_KEY, WORKTREE, case_digest, tree_state
from tests.cli.words import Ended, call
from tests.dossier.stories import lay_out

DASHED_REF = f"home/projects/{SHARED_KEY}/{DASHED}.jsonl"


def _json(ended: Ended) -> Any:
    return json.loads(ended.stdout)


def _session(case: Path, *words: str) -> Any:
    ended = call("session", *words, "-C", case, "--json")
    assert ended.returncode == 0, ended.stderr.decode()
    (found,) = _json(ended)["sessions"]
    return found


def test_a_session_is_told_in_sentences_with_the_command_and_its_evidence(case: Path) -> None:
    ended = call("session", DASHED, "-C", case, "--from", "/srv/elsewhere", "--cli-version", "2.1.112")
    assert ended.returncode == 0
    text = ended.stdout.decode()
    lines = [line.strip() for line in text.split("\n")]
    assert lines[0] == "Count the oars"
    assert f"cd /srv/app/my-web && claude --resume {DASHED}" in lines
    assert "Counted for version 2.1.112: seen in this version." in lines
    assert "title from  its first request (#L1)" in lines
    assert f"file        {DASHED_REF}" in lines
    assert (
        "From /srv/elsewhere the id alone would not be found: this version looks in one folder only." in lines
    )


def test_the_newest_version_in_the_evidence_counts_and_looks_everywhere(case: Path) -> None:
    found = _session(case, DASHED, "--from", "/srv/elsewhere")
    assert (found["plan"]["version"], found["version_basis"]) == ("2.1.332", "newest_in_evidence")
    assert found["plan"]["from_here"]["why"] == "elsewhere_in_home"
    assert found["plan"]["command_here"] == f"claude --resume {DASHED}"
    assert found["resume_ref"] == f"{DASHED_REF}#L2"


def test_the_current_directory_is_where_it_is_asked_from(case: Path, tmp_path: Path) -> None:
    ended = call("session", DASHED, "-C", case, "--json", cwd=tmp_path)
    assert _json(ended)["sessions"][0]["plan"]["asked_in"] == str(tmp_path)


@pytest.mark.parametrize(
    ("shell", "command"),
    [
        ("posix", f"cd /srv/app/my-web && claude --resume {DASHED}"),
        (
            "powershell",
            f"Set-Location -ErrorAction Stop -LiteralPath /srv/app/my-web; claude --resume {DASHED}",
        ),
        ("cmd", f'cd /d "/srv/app/my-web" && claude --resume {DASHED}'),
    ],
)
def test_the_command_is_written_for_the_shell_that_is_named(case: Path, shell: str, command: str) -> None:
    assert _session(case, DASHED, "--shell", shell)["plan"]["command"] == command


@pytest.mark.parametrize(
    ("word", "session"), [(DOTTED, DOTTED), ("Mend the dates", WORKTREE), ("draw", DOTTED)]
)
def test_an_id_or_a_title_means_a_session(case: Path, word: str, session: str) -> None:
    assert _session(case, word)["session_id"] == session


def test_the_beginning_of_several_ids_lists_them_and_is_a_wrong_call(case: Path) -> None:
    ended = call("session", "5f0c1b1e", "-C", case)
    assert ended.returncode == 2
    assert all(each in ended.stdout.decode() for each in (DOTTED, DASHED, WORKTREE))
    assert ended.stderr.decode().startswith("error: '5f0c1b1e' may mean 3 sessions\n")
    record = _json(call("session", "5f0c1b1e", "-C", case, "--json"))
    assert len(record["matches"]) == 3
    assert record["sessions"] == []


def test_a_word_that_means_nothing_ends_with_3_and_the_same_keys(case: Path) -> None:
    ended = call("session", "no such thing", "-C", case, "--json")
    assert ended.returncode == 3
    record = _json(ended)
    assert (record["found_by"], record["matches"], record["sessions"]) == (None, [], [])
    assert list(record) == list(_json(call("session", DASHED, "-C", case, "--json")))
    silent = call("session", "no such thing", "-C", case)
    assert (silent.returncode, silent.stdout) == (3, b"")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--shell", "fish"], "error: --shell takes one of posix, powershell, cmd, not 'fish'"),
        (["--cli-version", "newest"], "error: 'newest' is not a version"),
        (["--root", "nolabel"], "error: --root takes LABEL=PATH, not 'nolabel'"),
    ],
)
def test_a_wrong_option_ends_with_2(case: Path, words: list[str], message: str) -> None:
    ended = call("session", DASHED, "-C", case, *words)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode().startswith(message)


def test_looking_at_this_machine_is_only_done_when_asked(case: Path) -> None:
    assert _session(case, DASHED)["cwd_state"] == "not_looked"
    looked = _session(case, DASHED, "--look")
    assert looked["cwd_state"] == "gone"
    assert looked["plan"]["command"].startswith("mkdir -p /srv/app/my-web && cd ")


def test_a_root_says_which_home_the_command_names(case: Path, tmp_path: Path) -> None:
    found = _session(case, DASHED, "--root", f"home={tmp_path}")
    assert found["plan"]["command"] == (
        f"cd /srv/app/my-web && CLAUDE_CONFIG_DIR={tmp_path} claude --resume {DASHED}"
    )
    default = _session(case, DASHED, "--root", f"home={Path.home() / '.claude'}")
    assert "CLAUDE_CONFIG_DIR" not in default["plan"]["command"]


def test_the_verbs_change_neither_case_nor_evidence(case: Path, home: Path) -> None:
    before = (tree_state(home), case_digest(case))
    for words in (["session", DASHED, "--deep", "--look"], ["sessions", "--repo", "/srv/app"]):
        assert call(*words, "-C", case).returncode == 0
    assert (tree_state(home), case_digest(case)) == before


def test_a_live_source_names_its_own_home(home: Path) -> None:
    ended = call("session", DASHED, "--source", f"home={home}", "--json")
    assert ended.returncode == 0, ended.stderr.decode()
    assert f"CLAUDE_CONFIG_DIR={home} " in _json(ended)["sessions"][0]["plan"]["command"]


def _ids(*words: str | Path) -> list[str]:
    return [row["session_id"] for row in _json(call("sessions", *words, "--json"))["rows"]]


def test_sessions_have_the_columns_a_person_knows_them_by(case: Path) -> None:
    rows = _json(call("sessions", "-C", case, "--json"))["rows"]
    assert [(row["row_label"], row["workspace"]) for row in rows] == [
        ("Mend the dates", "/srv/app/.worktrees/fix-dates"),
        ("Count the oars", "/srv/app/my-web"),
        ("Draw the sails", "/srv/app/my.web"),
    ]
    head = call("sessions", "-C", case).stdout.decode().split("\n")[0].split()
    assert head == ["last_ts", "n_requests", "title", "last_request", "workspace", "session_id"]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("when", [WORKTREE, DASHED, DOTTED]),
        ("title", [DASHED, DOTTED, WORKTREE]),
        ("workspace", [WORKTREE, DASHED, DOTTED]),
        ("turns", [WORKTREE, DASHED, DOTTED]),
        ("size", [WORKTREE, DASHED, DOTTED]),
    ],
)
def test_sessions_are_sorted_and_equals_stand_latest_first(case: Path, sort: str, order: list[str]) -> None:
    assert _ids("-C", case, "--sort", sort) == order


@pytest.mark.parametrize(
    ("words", "order"),
    [
        (["--repo", "/srv/app"], [WORKTREE, DASHED, DOTTED]),
        (["--repo", "/srv/app/my.web"], [DOTTED]),
        (["--worktree", "/srv/app/.worktrees/fix-dates"], [WORKTREE]),
        (["--worktree", "/srv/app/.worktrees"], [WORKTREE]),
        (["--since", "2h"], [WORKTREE, DASHED]),
        (["--since", "5m"], [WORKTREE]),
        (["--since", "2026-03-01T09:30"], [WORKTREE]),
        (["--everywhere"], [WORKTREE, DASHED, DOTTED]),
        (["--everywhere", "--limit", "1"], [WORKTREE]),
    ],
)
def test_a_scope_says_which_are_listed(case: Path, words: list[str], order: list[str]) -> None:
    assert _ids("-C", case, *words) == order


@pytest.mark.parametrize("text", ["6x", "0h", "-1h", "6hh", "h", "6 h", "", "abc"])
def test_a_since_that_is_no_time_and_no_duration_ends_with_2(case: Path, text: str) -> None:
    ended = call("sessions", "-C", case, f"--since={text}")
    assert (ended.returncode, ended.stdout) == (2, b"")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--everywhere", "--repo", "/srv"], "error: --everywhere contradicts --repo and --worktree"),
        (
            ["--sort", "colour"],
            "error: --sort takes one of when, title, workspace, turns, size, not 'colour'",
        ),
        (["--since", "900000d"], "error: this reaches back before all dates"),
    ],
)
def test_what_contradicts_itself_ends_with_2(case: Path, words: list[str], message: str) -> None:
    ended = call("sessions", "-C", case, *words)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode().startswith(message)


def test_an_empty_list_has_the_same_keys_and_ends_with_3(case: Path) -> None:
    none = call("sessions", "-C", case, "--since", "2027-01-01", "--json")
    assert none.returncode == 3
    full = _json(call("sessions", "-C", case, "--json"))
    assert list(_json(none)) == list(full)
    assert (_json(none)["columns"], _json(none)["rows"]) == (full["columns"], [])


def _live(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to ask in: the live home has a session there, one in a worktree of it and one elsewhere."""
    here = folder / "shop"
    here.mkdir()
    files = {
        "projects/-shop/{one}.jsonl": (str(here), [{"say": "Count the jars."}]),
        "projects/-till/{two}.jsonl": (f"{here}/.claude/worktrees/till", [{"say": "Count the coins."}]),
        "projects/-srv-mill/{three}.jsonl": ("/srv/mill", [{"say": "Grind."}]),
    }
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(lay_out(folder / "home", files)))
    return here


def test_the_list_of_the_live_home_begins_with_the_current_directory_and_its_worktrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = call("sessions", "--json", cwd=_live(tmp_path, monkeypatch))
    assert {row["title"] for row in _json(here)["rows"]} == {"Count the jars.", "Count the coins."}
    assert f"2 of 3 sessions, those of {tmp_path / 'shop'}; --everywhere lists all" in here.stderr.decode()
    all_of_them = call("sessions", "--everywhere", "--json", cwd=tmp_path / "shop")
    assert len(_json(all_of_them)["rows"]) == 3


def test_where_no_session_worked_here_all_of_the_live_home_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _live(tmp_path, monkeypatch)
    elsewhere = call("sessions", "--json", cwd=tmp_path / "home")
    assert len(_json(elsewhere)["rows"]) == 3
    assert b"--everywhere" not in elsewhere.stderr
