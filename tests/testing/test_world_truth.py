"""The planted truth against a naive reading of the files."""

from __future__ import annotations

import json
from collections import Counter

from forensics.testing.world import dump_truth
from forensics.testing.world.naive_keys import key_of
from tests.testing.naive import Laid, physical_lines, records_at, runs_of

WHOLE = {"lone_surrogate", "type_clash", "out_of_range", "duplicate_key", "crlf", "no_final_newline"}
BROKEN = {"torn", "truncated", "glued", "nul", "bad_utf8", "bom", "control", "text", "not_object"}


def test_every_file_and_no_other_is_in_the_truth(laid: Laid) -> None:
    on_disk = {str(path.relative_to(laid.root)) for path in laid.root.rglob("*") if path.is_file()}
    through_links = {
        path for path in on_disk if any((laid.root / parent).is_symlink() for parent in _parents(path))
    }
    assert on_disk - through_links == {file.path for file in laid.truth.files}


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]


def test_sizes_lines_blanks_and_times_are_as_told(laid: Laid) -> None:
    for file in laid.truth.files:
        path = laid.root / file.path
        data = path.read_bytes()
        lines = physical_lines(data)
        assert len(data) == file.n_bytes, file.path
        assert len(lines) == file.n_lines, file.path
        assert data.endswith(b"\n") is file.ends_with_newline, file.path
        assert path.stat().st_mtime_ns == file.mtime_ns, file.path
        if file.role in {"main", "subagent"}:
            assert sum(line.strip() == b"" for line in lines) == file.n_blank, file.path


def test_damaged_lines_fail_as_told_and_all_others_are_records(laid: Laid) -> None:
    for _, file in laid.transcripts():
        damaged = {damage.line_no: damage for damage in file.damage}
        blank = 0
        for number, record in records_at(laid.root / file.path):
            damage = damaged.get(number)
            if damage is None:
                blank += record is None
                continue
            if damage.kind in WHOLE:
                assert record is not None, (file.path, damage)
            elif damage.kind in BROKEN:
                assert record is None, (file.path, damage)
        assert blank == file.n_blank, file.path


def test_cwd_runs_are_those_of_the_sound_lines(laid: Laid) -> None:
    for session, file in laid.transcripts():
        told = [(run.cwd, run.n_lines, run.first_line, run.last_line) for run in session.cwd_runs]
        assert told == runs_of(laid.sound(file)), file.path
        assert session.first_cwd == (told[0][0] if told else None)
        assert session.last_cwd == (told[-1][0] if told else None)


def test_ids_versions_and_types_are_those_of_the_sound_lines(laid: Laid) -> None:
    for session, file in laid.transcripts():
        records = [record for _, record in laid.sound(file) if record is not None]
        assert Counter(r["type"] for r in records) == dict(session.types), file.path
        assert Counter(r["sessionId"] for r in records if "sessionId" in r) == dict(session.session_id_lines)
        assert list(dict.fromkeys(r["version"] for r in records if "version" in r)) == list(
            session.agent_versions
        )
        assert file.path.startswith(f"{session.home}/projects/{session.project_key}/")


def test_tokens_count_a_message_once_with_its_last_record(laid: Laid) -> None:
    for session, file in laid.transcripts():
        usage = {
            record["message"]["id"]: record["message"]["usage"]
            for _, record in laid.sound(file)
            if record is not None and record["type"] == "assistant"
        }
        assert len(usage) == session.n_message_ids
        assert sum(u["input_tokens"] for u in usage.values()) == session.tokens.input_tokens
        assert sum(u["output_tokens"] for u in usage.values()) == session.tokens.output_tokens
        assert sum(u["cache_read_input_tokens"] for u in usage.values()) == session.tokens.cache_read_tokens


NEVER_HUMAN = (
    "[Request interrupted by user",
    "<command-",
    "<local-command-",
    "<system-reminder>",
    "[Image:",
    "Caveat: The messages below",
    "Base directory for this skill:",
    "This session is being continued from",
    "Continue from where you left off",
    "Please continue",
)


def test_human_prompts_are_user_text_of_the_main_chain_that_no_machine_wrote(laid: Laid) -> None:
    for session, file in laid.transcripts():
        human = []
        for number, record in laid.sound(file):
            if record is None or record["type"] != "user" or record["isSidechain"]:
                continue
            if record.get("isMeta") or record.get("isCompactSummary"):
                continue
            content = record["message"]["content"]
            if isinstance(content, list) and content[0]["type"] != "text":
                continue
            text = content if isinstance(content, str) else content[0]["text"]
            if not text.startswith(NEVER_HUMAN):
                human.append(number)
        assert human == list(session.human_lines), file.path


def test_colliding_directories_are_recorded_under_their_key(laid: Laid) -> None:
    for collision in laid.truth.collisions:
        found = {
            run.cwd
            for session in laid.truth.sessions
            if (session.home, session.project_key) == (collision.home, collision.project_key)
            for run in session.cwd_runs
        }
        assert found == set(collision.cwds), collision
        assert len(collision.cwds) > 1


def test_worktree_keys_hold_the_sessions_that_are_told(laid: Laid) -> None:
    for key in laid.truth.worktree_keys:
        folder = laid.root / key.home / "projects" / key.project_key
        assert len(list(folder.glob("*.jsonl"))) == key.n_sessions, key
        assert key.is_one_session is (key.n_sessions == 1)


def test_every_folder_named_after_a_worktree_is_told(laid: Laid) -> None:
    told = {(key.home, key.project_key) for key in laid.truth.worktree_keys}
    worktrees = [directory.cwd for directory in laid.truth.directories if directory.is_worktree]
    names = {key_of(cwd, version="2.1.332") for cwd in worktrees}
    for session in laid.truth.sessions:
        if session.project_key in names:
            assert (session.home, session.project_key) in told, session.path


def test_the_truth_is_plain_json(laid: Laid) -> None:
    told = json.loads(dump_truth(laid.truth))
    assert told["seed"] == laid.truth.seed
    assert len(told["sessions"]) == len(laid.truth.sessions)
    assert all(isinstance(session["cwd_runs"], list) for session in told["sessions"])
