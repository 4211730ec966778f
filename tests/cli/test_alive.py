"""The verb alive: what it prints for people and for programs, and that it touches nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forensics.display import display_width
from forensics.testing.short_lines import id_of
from tests.alive.evening import GHQ, SCRATCH, STOP, take_in
from tests.cli.evidence import case_digest, tree_state
from tests.cli.words import Ended, call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the evening lies: `root` and, made with a probe and facts, `case`."""
    place = tmp_path_factory.mktemp("evening")
    take_in(place)
    return place


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The case of an evening of which nothing but the transcripts is known."""
    return take_in(tmp_path_factory.mktemp("blind"), with_facts=False)


def ask(folder: Path, *words: str) -> Ended:
    return call("alive", *words, "-C", folder / "case")


def said(ended: Ended) -> list[str]:
    """The lines on stderr."""
    return ended.stderr.decode().split("\n")[:-1]


def document(ended: Ended) -> dict[str, Any]:
    assert ended.returncode == 0, ended.stderr.decode()
    found = json.loads(ended.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("words", [["--last"], ["--last", "--boot", "1"], [], ["x01"], ["--since", "10h"]])
def test_json_has_four_keys_whatever_is_found(folder: Path, words: list[str]) -> None:
    found = document(ask(folder, *words, "--json"))
    assert sorted(found) == ["alive", "applied", "ready", "skipped"]
    assert found["applied"] is False


def test_a_ready_one_has_what_a_program_needs_to_restore_it(folder: Path) -> None:
    first = document(ask(folder, "--last", "--json"))["ready"][0]
    assert {name: first[name] for name in ("slug", "path", "sessionId", "tmux", "updatedAt", "title")} == {
        "slug": "x01",
        "path": f"{GHQ}/x01",
        "sessionId": id_of("x01"),
        "tmux": "cc/x01",
        "updatedAt": int(STOP.timestamp()),
        "title": "x01 の詰まり調査",
    }
    assert first["last_request"] == "ROADMAP の I1 を片付けて"
    assert first["command"] == f"cd {GHQ}/x01 && claude --resume {id_of('x01')}"


def test_a_skipped_one_has_its_reason_in_both_languages(folder: Path) -> None:
    skipped = {record["slug"]: record for record in document(ask(folder, "--last", "--json"))["skipped"]}
    told = {
        name: (skipped[name]["gate"], skipped[name]["reason_ja"])
        for name in ("gone", "tmp-2", "tmp-3", "tmp-4")
    }
    assert told == {
        "gone": ("no_dir", "作業ディレクトリがありません"),
        "tmp-2": ("frame_empty_moved", "会話が別の場所へ移り、枠は空です"),
        "tmp-3": ("cwd_mismatch", "会話ログの cwd が違います"),
        "tmp-4": ("no_log", "会話ログがありません"),
    }
    assert skipped["tmp-3"]["detail"] == "/somewhere/else"
    assert skipped["bglab"]["detail"] == "its first line names it bglab webサイト"
    assert (skipped["bglab"]["first_line_type"], skipped["bglab"]["ccs_trace"]) == (
        "custom-title",
        "titled_other",
    )
    assert (skipped["app"]["first_line_type"], skipped["app"]["ccs_trace"]) == ("user", "none")


def test_people_see_slug_time_id_title_request_and_command(folder: Path) -> None:
    ended = ask(folder, "--last")
    lines = ended.stdout.decode().split("\n")
    assert lines[0] == "could be restored (times in UTC):"
    assert lines[1].split(maxsplit=4) == [
        "1)",
        "x01",
        "2026-08-27",
        "20:50",
        f"{id_of('x01')}  x01 の詰まり調査",
    ]
    assert lines[2].strip() == "ROADMAP の I1 を片付けて"
    assert lines[3].strip() == f"cd {GHQ}/x01 && claude --resume {id_of('x01')}"
    assert "running, and left alone:" in lines
    way_back = "by name it comes back: forensics alive closed"
    assert f"  closed  it was archived in the app (by sidecar, 2026-08-27T10:30:00Z); {way_back}" in lines


def test_a_long_request_is_cut_at_seventy_columns(folder: Path) -> None:
    lines = ask(folder, "x01--topic").stdout.decode().split("\n")
    request = lines[2].strip()
    assert request.startswith("全角の依頼は七十桁で切る")
    assert request.endswith("…")
    assert 69 <= display_width(request) <= 70


def test_times_are_told_in_the_zone_that_is_asked_for(folder: Path) -> None:
    lines = ask(folder, "x01", "--tz", "Asia/Tokyo").stdout.decode().split("\n")
    assert lines[0] == "could be restored (times in JST):"
    assert "2026-08-28 05:50" in lines[1]


def test_the_count_of_the_last_group_is_told_beside_the_answer(folder: Path) -> None:
    assert "alive at the last shutdown only: 8 (forensics alive --last)" in said(ask(folder))
    assert not [line for line in said(ask(folder, "--last")) if "only:" in line]


def test_an_unknown_boot_is_warned_of_in_one_line(blind: Path) -> None:
    for words in (["--last"], ["--last", "--json"]):
        ended = call("alive", *words, "-C", blind)
        assert len([line for line in said(ended) if line.startswith("warning:")]) == 1
    given = call("alive", "--last", "--boot", "2026-08-27T23:22:44Z", "-C", blind)
    assert not [line for line in said(given) if line.startswith("warning:")]


def test_a_probed_boot_needs_no_warning(folder: Path) -> None:
    lines = said(ask(folder, "--last"))
    assert not [line for line in lines if line.startswith("warning:")]
    group = "home: 16 alive at the last shutdown, written within 45 s from 2026-08-27 20:50"
    assert f"{group}; boot probed; burst; 19% of them silent for over an hour" in lines
    assert "note: of 1 dismissed sessions no transcript is here any more" in lines


def test_what_nobody_looked_at_is_said(blind: Path) -> None:
    lines = said(call("alive", "-C", blind))
    assert [line.split(":")[0] for line in lines if "nobody looked" in line] == ["note", "note", "note"]


def test_a_pick_gives_the_commands_and_what_to_remember(folder: Path) -> None:
    ended = ask(folder, "--last", "--pick", "1 7")
    lines = ended.stdout.decode().split("\n")
    frame = f"{SCRATCH}/3f9a2c1b"
    assert lines[0] == f"cd {GHQ}/x01 && claude --resume {id_of('x01')}"
    assert lines[1] == f"mkdir -p {frame} && cd {frame} && claude --resume {id_of('issued')}"
    assert lines[2].startswith("# not chosen")
    assert f"# {id_of('topic')}\t{GHQ}/x01/.worktrees/topic" in lines
    assert len(lines) == 3 + 6 + 1


@pytest.mark.parametrize(
    ("selection", "code", "first"),
    [
        ("", 0, "nothing was decided"),
        ("none", 0, "# not chosen"),
        ("all", 0, "cd "),
        ("nope", 2, ""),
        ("99", 2, ""),
    ],
)
def test_a_pick_decides_nothing_all_or_is_refused(
    folder: Path, selection: str, code: int, first: str
) -> None:
    ended = ask(folder, "--last", "--pick", selection)
    assert ended.returncode == code
    assert ended.stdout.decode().startswith(first)
    assert (ended.stdout == b"") is (code == 2)


@pytest.mark.parametrize(
    "words",
    [
        ["--pick", "1", "--json"],
        ["--pick", "1", "--list", "x01"],
        ["--last", "--since", "6h"],
        ["--last", "x01"],
        ["--since", "6h", "x01"],
        ["--since", "6x"],
        ["--since", "0h"],
        ["--boot", "yesterday"],
        ["--list"],
        ["--session-id", "5e55"],
        ["--shell", "fish"],
    ],
)
def test_a_call_that_contradicts_itself_ends_with_two(folder: Path, words: list[str]) -> None:
    ended = ask(folder, *words)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert said(ended)[0].startswith("error:")


@pytest.mark.parametrize("name", ["nobody", "/srv/new/place", "tmp-4"])
def test_a_name_without_a_conversation_ends_with_three(folder: Path, name: str) -> None:
    assert ask(folder, name).returncode == 3


def test_nothing_to_restore_is_an_answer(folder: Path) -> None:
    ended = ask(folder, "--last", "--boot", "1")
    assert ended.returncode == 0
    assert ended.stdout.decode().startswith("nothing to restore")


def test_the_conversations_of_a_place_are_listed_the_latest_first(folder: Path) -> None:
    lines = ask(folder, "x01", "--list").stdout.decode().split("\n")
    assert lines[0] == f"x01  {GHQ}/x01"
    assert [line.split()[0] for line in lines[1:3]] == [id_of("x01"), id_of("x01older")]
    found = document(ask(folder, "x01", "--list", "--json"))
    assert sorted(found) == ["alive", "applied", "conversations", "ready", "skipped"]
    assert [record["sessionId"] for record in found["conversations"]] == [id_of("x01"), id_of("x01older")]


def test_an_older_conversation_is_taken_by_its_id(folder: Path) -> None:
    found = document(ask(folder, "x01", "--session-id", id_of("x01older"), "--json"))
    assert [record["sessionId"] for record in found["ready"]] == [id_of("x01older")]


def test_commands_are_written_for_the_shell_that_is_asked_for(folder: Path) -> None:
    found = document(ask(folder, "x01", "--shell", "powershell", "--json"))
    assert found["ready"][0]["command"] == (
        f"Set-Location -ErrorAction Stop -LiteralPath {GHQ}/x01; claude --resume {id_of('x01')}"
    )


def test_patterns_of_ones_own_say_what_is_archived(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("")
    found = document(ask(folder, "--last", "--archived-patterns", str(file), "--json"))
    assert "left" in [record["slug"] for record in found["ready"]]
    assert "closed" not in [record["slug"] for record in found["ready"]]


def test_asking_changes_neither_evidence_nor_case(folder: Path) -> None:
    before, digest = tree_state(folder / "root"), case_digest(folder / "case")
    for words in (["--last"], ["--last", "--json"], ["--pick", "all"], ["x01", "--list"], ["--all"]):
        assert ask(folder, *words).returncode == 0
    assert tree_state(folder / "root") == before
    assert case_digest(folder / "case") == digest


def test_a_look_at_this_machine_is_taken_only_when_asked_for(blind: Path) -> None:
    words: list[str | Path] = ["alive", "--last", "--boot", "2026-08-27T23:22:44Z", "--json", "-C", blind]
    assert len(document(call(*words))["ready"]) == 12
    found = document(call(*words, "--look"))
    assert [record["slug"] for record in found["ready"]] == ["tmp-5", "tmp-2", "tmp-3f9a2c1b"]
    assert {record["unknown"] == [] for record in found["ready"]} == {True}
    assert "no_dir" in {record["gate"] for record in found["skipped"] if record["slug"] == "x01"}


def test_a_case_without_prose_says_what_it_cannot_tell(folder: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    assert call("convert", f"home={folder / 'root'}", "-o", case, "--no-text").returncode == 0
    ended = call("alive", "--json", "-C", case)
    found = document(ended)
    gates = {record["sessionId"]: record["gate"] for record in found["skipped"]}
    assert gates[id_of("closed")] == "archived"
    assert id_of("left") not in gates
    assert [line for line in said(ended) if "keeps no prose" in line]


def test_facts_are_given_at_convert_and_kept_when_it_is_converted_again(folder: Path, tmp_path: Path) -> None:
    facts = tmp_path / "dismissed"
    facts.write_text(f"{id_of('x01')}\t{GHQ}/x01\n")
    case = tmp_path / "case"
    for words in (["--with", f"dismissed={facts}"], []):
        ended = call("convert", f"home={folder / 'root'}", "-o", case, *words)
        assert ended.returncode == 0, ended.stderr.decode()
        skipped = {
            r["sessionId"]: r["gate"] for r in document(call("alive", "-C", case, "--json"))["skipped"]
        }
        assert skipped[id_of("x01")] == "dismissed"


def test_a_kind_of_facts_that_nobody_knows_ends_with_two(folder: Path, tmp_path: Path) -> None:
    ended = call("convert", f"home={folder / 'root'}", "-o", tmp_path / "case", "--with", "weather=/dev/null")
    assert ended.returncode == 2
    assert not (tmp_path / "case").exists()
