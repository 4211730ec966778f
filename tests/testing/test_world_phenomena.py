"""Each planted phenomenon is really there, seen by a naive reading."""

from __future__ import annotations

import json
from pathlib import Path

from forensics.testing.world import build_world, load_spec
from tests.testing.naive import Laid, physical_lines, text_of

RECIPES = Path(__file__).resolve().parents[2] / "fixtures" / "worlds"
OPENING = "This session is being continued from"


def test_summaries_and_boundaries_stand_at_the_told_lines(laid: Laid) -> None:
    for session, file in laid.transcripts():
        records = {n: record for n, record in laid.sound(file) if record is not None}
        boundaries = [n for n, r in records.items() if r.get("subtype") == "compact_boundary"]
        summaries = [n for n, r in records.items() if r["type"] == "user" and text_of(r).startswith(OPENING)]
        assert (
            sorted(c.boundary_line for c in session.compactions if c.boundary_line is not None) == boundaries
        )
        assert sorted(c.summary_line for c in session.compactions if c.summary_line is not None) == summaries
        for compaction in session.compactions:
            boundary = records.get(compaction.boundary_line or 0)
            summary = records.get(compaction.summary_line or 0)
            assert compaction.is_paired is (boundary is not None and summary is not None)
            if boundary is not None and summary is not None:
                assert summary["parentUuid"] == boundary["uuid"]
            if summary is not None:
                assert (compaction.witness == "flag") is (summary.get("isCompactSummary") is True)
                only_visible = summary.get("isVisibleInTranscriptOnly") is True
                assert (compaction.witness == "transcript_only") is (
                    only_visible and not summary.get("isCompactSummary")
                )


def test_logical_parents_dangle_where_told(laid: Laid) -> None:
    for session, file in laid.transcripts():
        records = {n: record for n, record in laid.sound(file) if record is not None}
        uuids = {record["uuid"] for record in records.values() if "uuid" in record}
        for compaction in session.compactions:
            if compaction.boundary_line is not None:
                boundary = records[compaction.boundary_line]
                expected = "own_file" if boundary["logicalParentUuid"] in uuids else "dangling"
                assert compaction.logical_parent == expected
                assert compaction.boundary_session_id == boundary["sessionId"]


def test_the_tail_after_the_last_compaction_is_counted(laid: Laid) -> None:
    for session, file in laid.transcripts():
        if not session.compactions:
            assert session.n_lines_after_compaction is None
            continue
        last = max(c.summary_line or c.boundary_line or 0 for c in session.compactions)
        assert session.n_lines_after_compaction == file.n_lines - last
        assert session.n_human_after_compaction == len([n for n in session.human_lines if n > last])


def test_stubs_hold_no_conversation(laid: Laid) -> None:
    for session, file in laid.transcripts():
        kinds = {record["type"] for record in laid.whole(file.path)}
        talks = bool(kinds & {"user", "assistant"})
        assert talks is (session.stub_reason is None), session.path
        expected = {
            "empty": set(),
            "corrupt": set(),
            "summary_only": {"summary"},
            "queue_only": {"queue-operation"},
        }
        if session.stub_reason in expected:
            assert kinds == expected[session.stub_reason]
        elif session.stub_reason == "title_only":
            assert kinds <= {"custom-title", "agent-name", "tag"}


def test_copies_relate_as_told(laid: Laid) -> None:
    for duplicate in laid.truth.duplicates:
        one, other = physical_lines(laid.raw(duplicate.path)), physical_lines(laid.raw(duplicate.other_path))
        shared = 0
        while shared < min(len(one), len(other)) and one[shared] == other[shared]:
            shared += 1
        if duplicate.relation in {"equal", "home_copy"}:
            assert one == other
        elif duplicate.relation == "prefix":
            assert shared == len(one) < len(other)
        elif duplicate.relation == "diverged":
            assert 0 < shared < min(len(one), len(other))
        elif duplicate.relation == "fork":
            uuids, others = (
                {record["uuid"] for record in laid.whole(path) if "uuid" in record}
                for path in (duplicate.path, duplicate.other_path)
            )
            assert uuids & others
            assert uuids - others
            assert Path(duplicate.path).name != Path(duplicate.other_path).name
        else:
            assert duplicate.relation == "stub"
            assert Path(duplicate.path).name == Path(duplicate.other_path).name


def test_summary_lines_lead_where_told(laid: Laid) -> None:
    owners = {
        record["uuid"]: session.path
        for session in laid.truth.sessions
        if not session.path.startswith("backup")
        for record in laid.whole(session.path)
        if "uuid" in record
    }
    for line in laid.truth.summary_lines:
        record = json.loads(physical_lines(laid.raw(line.path))[line.line_no - 1])
        assert record["leafUuid"] == line.leaf_uuid
        if line.leaf_in == "nowhere":
            assert line.leaf_uuid not in owners
        else:
            assert (line.leaf_path == line.path) is (line.leaf_in == "own")
            owner = owners[line.leaf_uuid].split("/projects/")[1]
            assert line.leaf_path is not None
            assert line.leaf_path.endswith(owner)


def test_what_is_told_as_missing_is_missing(laid: Laid) -> None:
    names = {Path(file.path).name for file in laid.truth.files}
    for absence in laid.truth.absences:
        assert absence.missing.encode() in laid.raw(absence.path)
        assert f"{absence.missing}.jsonl" not in names
        if absence.line_no is not None:
            line = physical_lines(laid.raw(absence.path))[absence.line_no - 1]
            assert absence.missing.encode() in line


def test_the_shutdown_group_is_what_the_window_selects(laid: Laid) -> None:
    for shutdown in laid.truth.shutdowns:
        times = {
            session.path: session.mtime_ns // 1_000_000_000
            for session in laid.truth.sessions
            if session.home == shutdown.home and session.role == "main"
        }
        before = {path: at for path, at in times.items() if at < shutdown.t_boot_s}
        assert max(before.values()) == shutdown.t_last_s
        chosen = [path for path, at in before.items() if at >= shutdown.t_last_s - shutdown.window_s]
        assert sorted(chosen) == list(shutdown.paths)
        assert all(times[path] >= shutdown.t_boot_s for path in shutdown.after_boot_paths)
        for path in shutdown.paths:
            assert "timestamp" not in laid.whole(path)[-1]


def test_pending_sessions_end_with_a_request_or_a_result(laid: Laid) -> None:
    noted = {path for note in laid.truth.notes if note.kind == "pending_turn" for path in note.paths}
    for session, file in laid.transcripts():
        talk = [
            r
            for _, r in laid.sound(file)
            if r and r["type"] in {"user", "assistant"} and not r["isSidechain"]
        ]
        spoken = [r for r in talk if not r.get("isMeta")]
        if session.path in noted:
            assert session.is_pending
        if session.is_pending:
            assert spoken[-1]["type"] == "user"
        elif spoken and spoken[-1]["type"] == "user":
            assert text_of(spoken[-1]).startswith(("<", "[Request", OPENING))


def test_moves_and_titles_stand_at_the_told_lines(laid: Laid) -> None:
    fields = {"custom-title": "customTitle", "ai-title": "aiTitle", "agent-name": "agentName"}
    for session, file in laid.transcripts():
        records = [(n, record) for n, record in laid.sound(file) if record is not None]
        titles = [(n, r[fields[r["type"]]]) for n, r in records if r["type"] in fields]
        assert titles == [(title.line_no, title.title) for title in session.titles]
        moved = [
            (n, r.get("relocatedCwd") or (r.get("worktreeSession") or {}).get("worktreePath"))
            for n, r in records
            if r["type"] in {"relocated", "worktree-state"}
        ]
        assert moved == [(move.line_no, move.cwd) for move in session.moves]


def test_aliases_are_one_directory_under_several_keys(laid: Laid) -> None:
    for alias in laid.truth.aliases:
        assert len(set(alias.cwds)) == len(set(alias.project_keys)) == 2
        for key in alias.project_keys:
            assert any((laid.root / alias.home / "projects" / key).glob("*.jsonl"))


def test_odd_keys_are_matched_by_no_directory_in_them(laid: Laid) -> None:
    told = {(odd.home, odd.project_key): odd.kind for odd in laid.truth.odd_keys}
    for session in laid.truth.sessions:
        kind = told.get((session.home, session.project_key))
        if session.key_state in {"named", "foreign", "misfiled"}:
            assert session.key_state == kind
            assert not session.match_any
        elif session.cwd_runs and session.role == "main":
            assert session.match_any or session.match_relocated


def test_torn_lines_repeat_an_earlier_tail_only_where_told(laid: Laid) -> None:
    for _, file in laid.transcripts():
        lines = physical_lines(laid.raw(file.path))
        for damage in file.damage:
            if damage.kind == "torn":
                line = lines[damage.line_no - 1]
                repeated = [
                    n for n, other in enumerate(lines, 1) if n < damage.line_no and other.endswith(line)
                ]
                assert (damage.repeats_line in repeated) is (damage.variant == "repeats")


def test_links_fifos_and_empty_folders_are_there(laid: Laid) -> None:
    for link in laid.truth.links:
        path = laid.root / link.path
        if link.kind == "symlink":
            assert str(path.readlink()) == link.target
        elif link.kind == "fifo":
            assert path.is_fifo()
        else:
            assert list(path.iterdir()) == []


def test_a_clean_world_has_nothing_planted() -> None:
    truth = build_world(load_spec(RECIPES / "clean.toml")).truth
    planted = (
        *truth.collisions,
        *truth.worktree_keys,
        *truth.aliases,
        *truth.odd_keys,
        *truth.duplicates,
        *truth.absences,
        *truth.notes,
        *truth.shutdowns,
    )
    assert planted == ()
    assert not any(file.damage for file in truth.files)
    assert {session.key_state for session in truth.sessions} == {"first_cwd", "subagent"}
    assert all(directory.exists for directory in truth.directories)
    assert not any(session.is_pending or session.stub_reason for session in truth.sessions)
