"""Each session's key explained, or not, by the versions and directories it records."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.assumptions import KeyVerdict, count_by_version, judge_keys, list_empty_keys
from forensics.assumptions.verdicts import RECORD, count_kinds, explain_key
from forensics.keys import load_rules
from tests.assumptions.evidence import open_home, put, said, session_id

NEWEST = "2.1.332"
LONG = "/srv/" + "x" * 250


def judged(root: Path) -> list[KeyVerdict]:
    with open_home(root, root.parent / "case") as case:
        return judge_keys(case)


def only(root: Path) -> KeyVerdict:
    (verdict,) = judged(root)
    return verdict


def test_a_verdict_names_rule_directory_version_and_file(tmp_path: Path) -> None:
    put(tmp_path / "h", "-srv-a-b", 1, said("/srv/a.b", NEWEST))
    verdict = only(tmp_path / "h")
    assert verdict.record() == {
        "label": "home",
        "home": ".",
        "project_key": "-srv-a-b",
        "kind": "exact",
        "version": NEWEST,
        "rule": "cli_e3",
        "basis": "observed",
        "cwd": "/srv/a.b",
        "alias": None,
        "note": None,
        "ancestor": None,
        "ref": f"home/projects/-srv-a-b/{session_id(1)}.jsonl",
    }
    assert tuple(verdict.record()) == RECORD
    assert (verdict.is_explained, verdict.is_violation) == (True, False)


def test_the_version_that_began_a_session_explains_its_key_though_another_took_it_up(tmp_path: Path) -> None:
    whole = "-srv-" + "x" * 250
    put(tmp_path / "h", whole, 1, said(LONG, "2.1.45"), said(LONG, NEWEST, minute=1))
    verdict = only(tmp_path / "h")
    assert (verdict.explanation.kind, verdict.explanation.rule, verdict.version) == (
        "exact",
        "cli_e1_nfc",
        "2.1.45",
    )


def test_a_later_version_may_have_moved_it(tmp_path: Path) -> None:
    nfd = "/srv/cafe\u0301"
    put(tmp_path / "h", "-srv-cafe-", 1, said("/srv/a", "2.1.112"), said(nfd, NEWEST, minute=1))
    verdict = only(tmp_path / "h")
    assert (verdict.explanation.kind, verdict.version) == ("moved", NEWEST)


def test_without_an_explanation_the_first_version_answers_for_it(tmp_path: Path) -> None:
    put(tmp_path / "h", "-srv-z", 1, said("/srv/a", "2.1.112"), said("/srv/a", NEWEST, minute=1))
    verdict = only(tmp_path / "h")
    assert (verdict.explanation.kind, verdict.version, verdict.is_violation) == (
        "unexplained",
        "2.1.112",
        True,
    )


def test_a_relocation_explains_a_key_before_any_line_carries_its_directory(tmp_path: Path) -> None:
    moved = {"type": "relocated", "relocatedCwd": "/srv/new"}
    put(tmp_path / "h", "-srv-new", 1, said("/srv/old", NEWEST), moved)
    verdict = only(tmp_path / "h")
    assert (verdict.explanation.kind, verdict.explanation.cwd) == ("moved", "/srv/new")


def test_a_session_without_a_directory_or_a_version_decides_nothing_or_little(tmp_path: Path) -> None:
    put(tmp_path / "h", "-srv-a", 1, {"type": "custom-title", "customTitle": "Sails"})
    put(tmp_path / "h", "-srv-b", 2, said("/srv/b", None))
    bare, unversioned = judged(tmp_path / "h")
    assert (bare.explanation.kind, bare.explanation.note) == ("undecided", "no cwd is recorded")
    assert (bare.is_explained, bare.is_violation) == (False, False)
    assert (unversioned.explanation.kind, unversioned.explanation.basis) == ("exact", "unversioned")


def test_subagents_and_files_outside_a_key_are_not_judged(tmp_path: Path) -> None:
    root = tmp_path / "h"
    path = put(root, "-srv-a", 1, said("/srv/a", NEWEST))
    inner = path.with_suffix("") / "subagents" / "agent-1234567.jsonl"
    inner.parent.mkdir(parents=True)
    inner.write_bytes(path.read_bytes())
    (root / "loose.jsonl").write_bytes(path.read_bytes())
    assert [verdict.ref for verdict in judged(root)] == [f"home/projects/-srv-a/{session_id(1)}.jsonl"]


def test_keys_without_a_session_are_listed_with_the_reason(tmp_path: Path) -> None:
    root = tmp_path / "h"
    path = put(root, "-srv-a", 1, said("/srv/a", NEWEST))
    (root / "projects" / "-srv-empty").mkdir()
    (root / "projects" / "-srv-notes").mkdir()
    (root / "projects" / "-srv-notes" / "notes.txt").write_text("none", "utf-8")
    with open_home(root, tmp_path / "case") as case:
        empty = list_empty_keys(case)
    assert path.is_file()
    assert [(each.project_key, each.explanation.note, each.ref) for each in empty] == [
        ("-srv-empty", "the folder is empty", "home/projects/-srv-empty/"),
        ("-srv-notes", "no session lies under it", "home/projects/-srv-notes/"),
    ]
    assert not any(each.is_violation or each.is_explained for each in empty)


def test_counts_by_version_stand_in_the_order_of_numbers_and_say_what_they_are_out_of(tmp_path: Path) -> None:
    root = tmp_path / "h"
    put(root, "-srv-a", 1, said("/srv/a", "2.1.9"))
    put(root, "-srv-b", 2, said("/srv/b", "2.1.112"))
    put(root, "-srv-z", 3, said("/srv/c", "2.1.112"))
    put(root, "-srv-d", 4, {"type": "custom-title", "customTitle": "Sails"})
    verdicts = judged(root)
    counts = count_by_version(verdicts)
    assert [(c.version, c.n_sessions, c.n_explained, c.n_contradicted, c.n_undecided) for c in counts] == [
        ("", 1, 0, 0, 1),
        ("2.1.9", 1, 1, 0, 0),
        ("2.1.112", 2, 1, 1, 0),
    ]
    assert [count.violation_rate for count in counts] == [None, 0.0, 0.5]
    assert [count.interval is None for count in counts] == [True, False, False]
    assert count_kinds(verdicts) == {"exact": 2, "unexplained": 1, "undecided": 1}


@pytest.mark.parametrize(
    ("versions", "version"),
    [((), ""), (("2.1.332",), "2.1.332"), (("2.1.112", "2.1.332"), "2.1.332"), (("nine",), "nine")],
)
def test_versions_are_tried_in_their_order(versions: tuple[str, ...], version: str) -> None:
    # Only cli_e3 keeps what is not in NFC.
    told, explanation = explain_key("-srv-cafe-", ["/srv/cafe\u0301"], versions, ruleset=load_rules())
    assert (told, explanation.kind) == (version, "exact")
