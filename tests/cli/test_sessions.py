"""sessions, key, locate and check-keys on a case, and on a live source without one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.cli.evidence import DASHED, DOTTED, EMPTY_KEY, SHARED_KEY, WORKTREE, tree_state
from tests.cli.words import call


def _json(*words: str | Path) -> Any:
    return json.loads(call(*words).stdout)


def test_sessions_are_listed_latest_first(case: Path) -> None:
    rows = _json("sessions", "-C", case, "--json")["rows"]
    assert [row["session_id"] for row in rows] == [WORKTREE, DASHED, DOTTED]
    assert [row["title"] for row in rows] == ["Mend the dates", "Count the oars", "Draw the sails"]
    assert rows[0]["last_cwd"] == "/srv/app/.worktrees/fix-dates"


def test_sessions_of_a_repository_include_those_of_its_worktrees(case: Path) -> None:
    found = _json("sessions", "-C", case, "--repo", "/srv/app", "--json")["rows"]
    assert [row["session_id"] for row in found] == [WORKTREE, DASHED, DOTTED]
    found = _json("sessions", "-C", case, "--repo", "/srv/app/my-web", "--json")["rows"]
    assert [row["session_id"] for row in found] == [DASHED]


def test_sessions_since_a_time_and_under_a_key(case: Path) -> None:
    rows = _json("sessions", "-C", case, "--since", "2026-03-01T10:00", "--json")["rows"]
    assert [row["session_id"] for row in rows] == [WORKTREE]
    rows = _json("sessions", "-C", case, "--key", SHARED_KEY, "--limit", "1", "--json")["rows"]
    assert [row["session_id"] for row in rows] == [DASHED]
    none = call("sessions", "-C", case, "--since", "2027-01-01", "--json")
    assert (none.returncode, json.loads(none.stdout)["rows"]) == (3, [])


def test_a_key_tells_who_shares_it_and_what_would_be_lost(case: Path) -> None:
    (dossier,) = _json("key", SHARED_KEY, "-C", case, "--json")["keys"]
    assert {row["cwd"] for row in dossier["directories"] if row["encodes"]} == {
        "/srv/app/my.web",
        "/srv/app/my-web",
    }
    assert {row["session_id"] for row in dossier["sessions"]} == {DOTTED, DASHED}
    assert dossier["n_sessions_only_here"] == 2
    text = call("key", SHARED_KEY, "-C", case).stdout.decode()
    assert "2 directories share it: " in text
    assert "if it were deleted: 2 of 2 sessions" in text


def test_an_empty_key_and_an_unknown_one_are_told_apart(case: Path) -> None:
    assert b"nothing would be lost" in call("key", EMPTY_KEY, "-C", case).stdout
    unknown = call("key", "-srv-unknown", "-C", case)
    assert (unknown.returncode, unknown.stdout) == (3, b"")


def test_locate_names_each_recorded_directory_of_a_key(case: Path) -> None:
    rows = _json("locate", SHARED_KEY, "-C", case, "--json")["rows"]
    assert [(row["directory"], row["found"], row["n_lines"]) for row in rows if row["alias"] is None] == [
        ("/srv/app/my-web", "recorded", 2),
        ("/srv/app/my.web", "recorded", 2),
    ]
    assert all("cli_e3" in row["rules"].split(", ") for row in rows if row["alias"] is None)


def test_check_keys_explains_every_key_of_a_sound_home(case: Path) -> None:
    ended = call("check-keys", "-C", case, "--json")
    document = json.loads(ended.stdout)
    assert ended.returncode == 0
    assert (document["kinds"], document["violations"], document["n_new"]) == ({"exact": 3}, [], 0)
    (count,) = document["by_version"]
    assert (count["version"], count["n_sessions"], count["n_explained"]) == ("2.1.332", 3, 3)
    assert count["violation_rate"] == 0.0
    assert [tally["id"] for tally in document["hypotheses"]] == [f"V-{n:02}" for n in range(1, 15)]
    assert [(row["project_key"], row["note"]) for row in document["undecided"]] == [
        (EMPTY_KEY, "the folder is empty")
    ]


def test_check_keys_fails_on_a_contradiction_unless_it_is_known(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(home, root, symlinks=True)
    (root / "projects" / SHARED_KEY).rename(root / "projects" / "-srv-app-my.web")
    out = tmp_path / "case"
    assert call("convert", root, "-o", out).returncode == 0
    ended = call("check-keys", "-C", out, "--json")
    assert ended.returncode == 4
    document = json.loads(ended.stdout)
    assert {row["project_key"] for row in document["violations"]} == {"-srv-app-my.web"}
    assert document["n_new"] == 2
    known = tmp_path / "known.json"
    known.write_bytes(ended.stdout)
    assert call("check-keys", "-C", out, "--baseline", known).returncode == 0


def test_a_live_source_is_read_through_the_cache(home: Path, tmp_path: Path) -> None:
    words = ["sessions", "--source", str(home), "--format", "jsonl"]
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    before = tree_state(home)
    first, second = call(*words, env=env), call(*words, env=env)
    assert (first.returncode, first.stdout.count(b"\n")) == (0, 3), first.stderr.decode()
    assert second.stdout == first.stdout
    assert b"as it is now" in first.stderr
    assert tree_state(home) == before


def test_without_any_case_the_claude_home_is_the_source(home: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CLAUDE_CONFIG_DIR": str(home)}
    ended = call("key", SHARED_KEY, "--json", cwd=tmp_path, env=env)
    assert ended.returncode == 0, ended.stderr.decode()
    assert len(json.loads(ended.stdout)["keys"]) == 1
