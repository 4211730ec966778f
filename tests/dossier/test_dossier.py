"""A dossier put together from a case: where the session was, what to run, what stands in the way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forensics.case import open_case
from forensics.dossier.dossier import Question, SessionDossier, newest_version, read_dossiers
from forensics.dossier.find import find_sessions
from forensics.dossier.record import record_of
from forensics.dossier.text import write_dossier
from forensics.host.probe import Home, write_probe
from forensics.host.registry import RegistryEntry
from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import build_probe
from forensics.testing.short_lines import id_of
from tests.dossier.stories import ONE, TWO, Lines, lay_out, take_in

SHOP, MILL = "projects/-srv-shop/{one}.jsonl", "projects/-srv-mill/{one}.jsonl"
SAY: Mapping[str, Any] = {"say": "Count the jars."}
REPLY: Mapping[str, Any] = {"reply": "Forty."}
SAID: Lines = [SAY, REPLY]
HERE = Question(asked_in="/srv/elsewhere", default_home=Path("/home/kit/.claude"))
Files = Mapping[str, tuple[str | None, Lines]]


def dossiers_of(
    folder: Path, files: Files, word: str = ONE, question: Question = HERE, **options: Any
) -> tuple[SessionDossier, ...]:
    """The dossiers of what a word means in a home with these files."""
    case_path = take_in(lay_out(folder / "home", files), folder, **options)
    with open_case(case_path) as case:
        return read_dossiers(case, find_sessions(case, word).matches, question)


def codes(dossier: SessionDossier, *weights: str) -> set[str]:
    return {each.code for each in dossier.plan.reasons if each.weight in (weights or ("blocks", "warns"))}


def test_the_directory_is_the_last_one_that_gives_the_key_with_its_line(tmp_path: Path) -> None:
    lines: Lines = [*SAID, {"tool": "Bash", "cwd": "/srv/mill"}, {"result": "ok"}]
    (dossier,) = dossiers_of(tmp_path, {SHOP: ("/srv/shop", lines)})
    ref = f"home/projects/-srv-shop/{ONE}.jsonl"
    assert (dossier.resume_cwd, dossier.resume_basis) == ("/srv/shop", "folder_matching_cwd")
    assert dossier.resume_ref == f"{ref}#L2"
    assert (dossier.last_recorded_cwd, dossier.last_recorded_ref) == ("/srv/mill", f"{ref}#L4")
    assert dossier.plan.command == f"cd /srv/shop && claude --resume {ONE}"


def test_a_session_that_was_moved_goes_where_the_record_says(tmp_path: Path) -> None:
    worktree = "/srv/shop/.claude/worktrees/till"
    files: Files = {
        "projects/-srv-shop--claude-worktrees-till/{one}.jsonl": (
            "/srv/shop",
            [*SAID, {"entered": worktree}],
        ),
        "projects/-srv-mill/{two}.jsonl": ("/srv/shop", [*SAID, {"relocated": "/srv/mill"}, *SAID]),
    }
    (entered,) = dossiers_of(tmp_path / "a", files)
    assert (entered.resume_cwd, entered.resume_basis) == (worktree, "worktree-state")
    assert entered.resume_ref is not None
    assert entered.resume_ref.endswith("#L3")
    (relocated,) = dossiers_of(tmp_path / "b", files, TWO)
    assert (relocated.resume_cwd, relocated.resume_basis) == ("/srv/mill", "relocated")


def test_the_version_counted_for_is_the_newest_in_the_evidence_or_the_one_given(
    tmp_path: Path,
) -> None:
    lines: Lines = [{**SAY, "version": "2.1.99"}, {**REPLY, "version": "2.1.112"}]
    files: Files = {SHOP: ("/srv/shop", lines)}
    (dossier,) = dossiers_of(tmp_path / "a", files)
    assert (dossier.plan.version, dossier.version_basis) == ("2.1.112", "newest_in_evidence")
    assert "out_of_scope_from_here" in codes(dossier)
    newer = Question(asked_in="/srv/elsewhere", version="2.1.332")
    (dossier,) = dossiers_of(tmp_path / "b", files, question=newer)
    assert (dossier.plan.version, dossier.version_basis) == ("2.1.332", "given")
    assert dossier.plan.command_here == f"claude --resume {ONE}"


def test_versions_are_compared_as_numbers(tmp_path: Path) -> None:
    lines: Lines = [{**SAY, "version": "2.1.99"}, {**REPLY, "version": "2.1.112"}, "torn"]
    with open_case(take_in(lay_out(tmp_path / "home", {SHOP: ("/srv/shop", lines)}), tmp_path)) as case:
        assert newest_version(case) == "2.1.112"


def test_without_a_version_in_the_evidence_nothing_is_promised_from_elsewhere(tmp_path: Path) -> None:
    lines: Lines = [{**SAY, "unset": ["version"]}, {**REPLY, "unset": ["version"]}]
    (dossier,) = dossiers_of(tmp_path, {SHOP: ("/srv/shop", lines)})
    assert (dossier.plan.version, dossier.version_basis) == (None, "unknown")
    assert "unknown_from_here" in codes(dossier)
    assert dossier.plan.command == f"cd /srv/shop && claude --resume {ONE}"


def test_a_probe_says_that_the_directory_is_gone(tmp_path: Path) -> None:
    files: Files = {SHOP: ("/srv/shop", SAID)}
    (dossier,) = dossiers_of(tmp_path, files, probe={"gone": ["/srv/shop"]})
    assert dossier.cwd_state == "gone"
    assert dossier.plan.command == f"mkdir -p /srv/shop && cd /srv/shop && claude --resume {ONE}"
    assert "the edited files do not" in write_dossier(dossier)


def test_a_look_at_this_machine_counts_before_a_probe(tmp_path: Path) -> None:
    files: Files = {SHOP: ("/srv/shop", SAID)}
    looking = Question(asked_in="/srv/elsewhere", look=lambda cwd: cwd == "/srv/shop")
    (dossier,) = dossiers_of(tmp_path, files, question=looking, probe={"gone": ["/srv/shop"]})
    assert dossier.cwd_state == "there"


@pytest.mark.parametrize(("running", "is_running"), [(ONE, True), (TWO, False), (None, False)])
def test_a_probe_says_what_was_running(tmp_path: Path, running: str | None, is_running: bool) -> None:
    entries = () if running is None else (RegistryEntry("7.json", 7, running, "/srv/shop", is_alive=True),)
    seen = build_probe({"there": ["/srv/shop"]})
    write_probe(replace(seen, homes=(Home("/home/kit/.claude", entries),)), tmp_path / "probe.json")
    root = lay_out(tmp_path / "home", {SHOP: ("/srv/shop", SAID)})
    options = ConvertOptions(workers=1, probe_files={"home": tmp_path / "probe.json"})
    convert([f"home={root}"], tmp_path / "case", options=options)
    with open_case(tmp_path / "case") as case:
        (dossier,) = read_dossiers(case, find_sessions(case, ONE).matches, HERE)
    assert dossier.is_running is is_running
    assert ("in_background" in codes(dossier)) is is_running
    assert (dossier.plan.command is None) is is_running


def test_two_files_of_an_id_have_a_dossier_each_and_name_each_other(tmp_path: Path) -> None:
    shop, mill = sorted(
        dossiers_of(tmp_path, {SHOP: ("/srv/shop", SAID), MILL: ("/srv/mill", SAID)}),
        key=lambda dossier: dossier.path,
        reverse=True,
    )
    assert (shop.copies, mill.copies) == ((mill.ref,), (shop.ref,))
    assert {"ambiguous_from_here", "several_files"} <= codes(shop)
    assert shop.plan.command == f"cd /srv/shop && claude --resume {ONE}"
    assert mill.plan.command == f"cd /srv/mill && claude --resume {ONE}"


def test_what_a_continue_takes_is_told_with_whose_it_is(tmp_path: Path) -> None:
    files: Files = {
        "projects/-srv-a-b/{one}.jsonl": ("/srv/a-b", SAID),
        "projects/-srv-a-b/{two}.jsonl": ("/srv/a.b", [{"title": "Jam"}, *SAID]),
    }
    mtimes = {"projects/-srv-a-b/{one}.jsonl": 1_700_000_000, "projects/-srv-a-b/{two}.jsonl": 1_700_000_100}
    old = Question(asked_in="/srv/elsewhere", version="2.1.170")
    (dossier,) = dossiers_of(tmp_path / "a", files, question=old, mtimes=mtimes)
    pick = dossier.continue_pick
    assert pick is not None
    assert (pick.session_id, pick.title, pick.head_cwd, pick.is_this) == (TWO, "Jam", "/srv/a.b", False)
    assert "takes another session" in write_dossier(dossier)
    new = Question(asked_in="/srv/elsewhere", version="2.1.332", look=lambda _: True)
    (dossier,) = dossiers_of(tmp_path / "b", files, question=new, mtimes=mtimes)
    assert dossier.continue_pick is not None
    assert dossier.continue_pick.is_this


_NOON = 1_777_896_000  # 2026-05-04T12:00:00Z
_FIRST, _SECOND = "projects/-srv-shop/{one}.jsonl", "projects/-srv-shop/{two}.jsonl"
_FOREIGN = "projects/-srv-mill/{three}.jsonl"
_EARLY: Lines = [{**SAY, "at": datetime(2026, 5, 4, 9, tzinfo=UTC)}, REPLY]
_LATE: Lines = [{**SAY, "at": datetime(2026, 5, 6, 9, tzinfo=UTC)}, REPLY]


@pytest.mark.parametrize(
    ("mtimes", "newest_by"),
    [
        ({_FIRST: _NOON, _SECOND: _NOON + 2 * 86_400}, "mtime"),
        ({_FIRST: _NOON + 90 * 86_400, _SECOND: _NOON + 90 * 86_400 + 1}, "suspect_mtime"),
        ({_FIRST: _NOON - 86_400, _SECOND: _NOON + 2 * 86_400}, "suspect_mtime"),
    ],
    ids=["as written", "both within a second, months later", "one older than its content"],
)
def test_a_continue_that_rests_on_the_times_of_a_copy_is_told_as_such(
    tmp_path: Path, mtimes: dict[str, int], newest_by: str
) -> None:
    files: Files = {_FIRST: ("/srv/shop", _EARLY), _SECOND: ("/srv/shop", _LATE)}
    (dossier,) = dossiers_of(tmp_path, files, mtimes=mtimes)
    assert dossier.continue_pick is not None
    assert (dossier.continue_pick.session_id, dossier.continue_pick.newest_by) == (TWO, newest_by)
    told = "by the files' times, which are those of a copy" in write_dossier(dossier)
    assert told is (newest_by == "suspect_mtime")


def test_a_session_alone_under_its_key_is_the_newest_whatever_its_time(tmp_path: Path) -> None:
    files: Files = {_FIRST: ("/srv/shop", _EARLY), _FOREIGN: ("/srv/mill", _LATE)}
    (dossier,) = dossiers_of(tmp_path, files, mtimes={_FIRST: _NOON - 86_400, _FOREIGN: _NOON})
    assert dossier.continue_pick is not None
    assert dossier.continue_pick.newest_by == "mtime"


@pytest.mark.parametrize(("home", "config_dir"), [(".claude", None), ("work", "/home/kit/work")])
def test_another_home_than_the_default_stands_in_the_command(
    tmp_path: Path, home: str, config_dir: str | None
) -> None:
    files: Files = {f"{home}/{SHOP}": ("/srv/shop", SAID)}
    question = Question(
        asked_in="/srv/elsewhere", roots={"home": Path("/home/kit")}, default_home=Path("/home/kit/.claude")
    )
    (dossier,) = dossiers_of(tmp_path, files, question=question)
    expected = f"CLAUDE_CONFIG_DIR={config_dir} " if config_dir else ""
    assert dossier.plan.command == f"cd /srv/shop && {expected}claude --resume {ONE}"


def test_a_home_that_is_not_known_is_asked_for(tmp_path: Path) -> None:
    (dossier,) = dossiers_of(tmp_path, {f"work/{SHOP}": ("/srv/shop", SAID)})
    assert "home_unknown" in codes(dossier)


def test_a_file_outside_projects_is_reached_by_its_path(tmp_path: Path) -> None:
    question = Question(asked_in="/srv/elsewhere", roots={"home": Path("/srv/kept")})
    (dossier,) = dossiers_of(tmp_path, {"kept/{one}.jsonl": ("/srv/shop", SAID)}, question=question)
    assert {reason.code for reason in dossier.plan.reasons if reason.weight == "blocks"} == {
        "outside_projects"
    }
    assert dossier.plan.command_by_path == f"cd /srv/shop && claude --resume /srv/kept/kept/{ONE}.jsonl"


def test_a_title_without_a_message_is_listed_and_cannot_be_taken_up(tmp_path: Path) -> None:
    (dossier,) = dossiers_of(tmp_path, {SHOP: (None, [{"title": "Jars"}])})
    assert (dossier.is_listed_by_sdk, dossier.has_messages, dossier.is_title_only) == (True, False, True)
    assert not dossier.plan.is_possible
    assert [reason.code for reason in dossier.plan.reasons] == ["title_only"]


@pytest.mark.parametrize(
    ("lines", "is_listed"),
    [
        (SAID, True),
        ([{"title": "Jars"}], True),
        ([{**SAY, "sidechain": True}, *SAID], False),
        ([{"compact": "This session is being continued from a previous conversation"}], False),
        ([{"say": "[Request interrupted by user]"}], False),
        ([{"record": {"type": "queue-operation", "operation": "enqueue", "sessionId": ONE}}], False),
        ([], False),
        ([{"record": {"type": "last-prompt", "lastPrompt": "Jars?", "leafUuid": "u"}}], True),
    ],
    ids=["plain", "title", "sidechain first", "summary", "interrupt", "queue", "empty", "last prompt"],
)
def test_what_the_listing_of_the_sdk_shows(tmp_path: Path, lines: Lines, is_listed: bool) -> None:
    (dossier,) = dossiers_of(tmp_path, {SHOP: ("/srv/shop", lines)})
    assert dossier.is_listed_by_sdk is is_listed


def test_a_file_with_another_name_than_its_id_is_neither_listed_nor_found(tmp_path: Path) -> None:
    path = "projects/-srv-shop/full.jsonl"
    lines: Lines = [{**SAY, "session": ONE}, REPLY]
    for word in (ONE, path):
        (dossier,) = dossiers_of(tmp_path / word[:3], {path: ("/srv/shop", lines)}, word)
        assert dossier.session_id == ONE
        assert not dossier.is_listed_by_sdk
        assert codes(dossier, "blocks") == {"other_name"}


REFUSED = {"type": "tool_result", "tool_use_id": "t", "is_error": True}
WORDS = "Exit code 1\nNo conversation found with session ID: {id}"


def _result(text: str, *, is_error: bool) -> dict[str, Any]:
    block = {**REFUSED, "is_error": is_error, "content": [{"type": "text", "text": text}]}
    return {"type": "user", "set": {"message": {"role": "user", "content": [block]}}}


def test_refusals_met_by_tools_are_told_with_their_place(tmp_path: Path) -> None:
    words = WORDS.replace("{id}", ONE)
    running = f"Error: session {ONE} is currently running as a background agent (pid 7)."
    files: Files = {
        SHOP: ("/srv/shop", SAID),
        "projects/-srv-mill/{two}.jsonl": (
            "/srv/mill",
            [*SAID, _result(words, is_error=True), _result(running, is_error=True)],
        ),
    }
    (dossier,) = dossiers_of(tmp_path, files)
    ref = f"home/projects/-srv-mill/{TWO}.jsonl"
    assert [(met.refusal, met.asked_id, met.cwd, met.ref) for met in dossier.refusals] == [
        ("not_found", ONE, "/srv/mill", f"{ref}#L3"),
        ("in_background", ONE, "/srv/mill", f"{ref}#L4"),
    ]
    assert "was not found in a session at /srv/mill" in write_dossier(dossier)


CHUNK = 262_144


@pytest.mark.parametrize("n_before_the_edge", [None, 5, 20, 36])
def test_a_refusal_in_a_result_that_is_no_error_is_found_by_looking_deeper(
    tmp_path: Path, n_before_the_edge: int | None
) -> None:
    """Also where the words stand across the edge of two chunks of bytes."""

    def files(padding: int) -> Files:
        filler: Lines = [{"say": "x" * padding}] if padding else []
        met = _result(WORDS.replace("{id}", ONE), is_error=False)
        return {SHOP: ("/srv/shop", SAID), "projects/-srv-mill/{two}.jsonl": ("/srv/mill", [*filler, met])}

    padding = 0
    if n_before_the_edge is not None:
        root = lay_out(tmp_path / "measured", files(1000))
        at = (root / f"projects/-srv-mill/{TWO}.jsonl").read_bytes().index(b"No conversation")
        padding = 1000 + CHUNK - n_before_the_edge - at
    (dossier,) = dossiers_of(tmp_path / "a", files(padding))
    assert dossier.refusals == ()
    deep = Question(asked_in="/srv/elsewhere", deep=True)
    (dossier,) = dossiers_of(tmp_path / "b", files(padding), question=deep)
    assert [(met.refusal, met.asked_id) for met in dossier.refusals] == [("not_found", ONE)]


def test_a_refusal_that_deeper_looking_meets_again_is_told_once(tmp_path: Path) -> None:
    lines: Lines = [*SAID, _result(WORDS.replace("{id}", ONE), is_error=True)]
    deep = Question(asked_in="/srv/elsewhere", deep=True)
    files: Files = {SHOP: ("/srv/shop", SAID), "projects/-srv-mill/{two}.jsonl": ("/srv/mill", lines)}
    (dossier,) = dossiers_of(tmp_path, files, question=deep)
    assert len(dossier.refusals) == 1


@pytest.mark.parametrize(
    ("word", "how", "found"),
    [
        (ONE, "id", [ONE]),
        (ONE.upper(), "id", [ONE]),
        (ONE[:9], "prefix", [ONE]),
        ("5e55", "prefix", [TWO, ONE]),
        ("jars", "title", [ONE]),
        ("JAR", "title_prefix", [ONE]),
        ("old name", "title_prefix", [ONE]),
        (f"home/projects/-srv-shop/{ONE}.jsonl#L2", "path", [ONE]),
        (f"/home/kit/.claude/projects/-srv-shop/{ONE}.jsonl", "path", [ONE]),
        (id_of("gone"), "recorded", [TWO]),
        ("nothing of this name", "title_prefix", []),
        ("", "title_prefix", []),
    ],
)
def test_a_word_means_an_id_the_beginning_of_one_a_title_or_a_path(
    tmp_path: Path, word: str, how: str, found: list[str]
) -> None:
    files: Files = {
        SHOP: ("/srv/shop", [{"title": "Old name"}, *SAID, {"title": "Jars"}]),
        "projects/-srv-mill/{two}.jsonl": ("/srv/mill", [{**SAY, "session": "{gone}"}, *SAID]),
    }
    with open_case(take_in(lay_out(tmp_path / "home", files), tmp_path)) as case:
        meant = find_sessions(case, word)
    assert meant.how == how
    assert sorted(match.session_id or "" for match in meant.matches) == sorted(found)
    assert meant.n_sessions == len(found)


def test_a_record_is_json_with_the_same_keys_for_every_session(tmp_path: Path) -> None:
    files: Files = {SHOP: ("/srv/shop", SAID), "projects/-srv-mill/{two}.jsonl": (None, [{"title": "Jars"}])}
    (full,) = dossiers_of(tmp_path / "a", files)
    (stub,) = dossiers_of(tmp_path / "b", files, TWO)
    assert list(record_of(full)) == list(record_of(stub))
    told = json.loads(json.dumps(record_of(full)))
    assert told["is_resumable"] is True
    assert told["plan"]["shell"] == "posix"
    assert told["first_ts"] == "2026-05-04T09:00:00Z"


def test_no_value_of_a_dossier_acts_on_the_terminal_or_forges_a_line(tmp_path: Path) -> None:
    evil = "x\x1b]0;owned\x07\x1b[2J\x9b2J\u202e\r\nTo take it up again\n\n    rm -r /srv"
    (dossier,) = dossiers_of(tmp_path, {SHOP: ("/srv/shop", [SAY, REPLY])})
    assert dossier.continue_pick is not None
    hostile = replace(
        dossier,
        session_id=evil,
        recorded_session_ids=(evil, "other"),
        ref=evil,
        first_version=evil,
        last_version=evil,
        resume_cwd=evil,
        last_recorded_cwd=f"{evil}/",
        copies=(evil,),
        continue_pick=replace(dossier.continue_pick, is_this=False, session_id=evil, head_cwd=f"{evil}/"),
        plan=replace(dossier.plan, version=evil, asked_in=evil, command_here=None),
    )
    text = write_dossier(hostile)
    assert not set("\x00\x07\x1b\x9b\u202e\r") & set(text)
    lines = text.split("\n")
    assert lines.count("To take it up again") == 1
    assert "    rm -r /srv" not in lines


def test_the_text_is_plain_lines_whatever_the_title_holds(tmp_path: Path) -> None:
    lines: Lines = [
        {"title": "jars\x1b[31m\nand\u202elids"},
        {"say": "Count\nthe\x07 jars."},
        {"reply": "Forty."},
    ]
    (dossier,) = dossiers_of(tmp_path, {SHOP: ("/srv/shop", lines)})
    text = write_dossier(dossier)
    assert text.split("\n")[0] == "jars [31m andlids"
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(text)
