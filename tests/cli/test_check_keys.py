"""check-keys: what is printed in which format, and what a baseline lets pass."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.assumptions.evidence import put, said, session_id
from tests.cli.words import call

NEWEST = "2.1.332"
FOREIGN = f"home/projects/-srv-c.d/{session_id(2)}.jsonl"


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with one key that is explained, one by a wrong rule, one undecided, one empty."""
    root = tmp_path_factory.mktemp("home")
    put(root, "-srv-a-b", 1, said("/srv/a.b", NEWEST), said("/srv", NEWEST, minute=1))
    put(root, "-srv-c.d", 2, said("/srv/c.d", "2.1.112"))
    put(root, "-srv-e", 3, {"type": "custom-title", "customTitle": "Sails"})
    (root / "projects" / "-srv-f").mkdir()
    out = tmp_path_factory.mktemp("out") / "case"
    assert call("convert", f"home={root}", "-o", out).returncode == 0
    return out


def test_a_person_reads_counts_rates_hypotheses_and_reasons(case: Path) -> None:
    ended = call("check-keys", "-C", case)
    text = ended.stdout.decode()
    assert ended.returncode == 4
    assert text.startswith("3 sessions under 3 keys: 1 exact, 1 wrong_rule, 1 undecided\n")
    assert "1 of 1, 20.7% to 100.0%" in text
    assert "0 of 1, 0.0% to 79.3%" in text
    assert "V-01" in text
    assert "V-07: nothing here speaks for or against" in text
    for reason in (
        "Only slashes become dashes.",
        "no cwd is recorded",
        "the folder is empty",
        FOREIGN,
        "home/projects/-srv-f/",
    ):
        assert reason in text
    assert ended.stderr.decode().startswith("error: 1 session lies under a key that no rule")


def test_json_holds_everything_with_denominators(case: Path) -> None:
    document = json.loads(call("check-keys", "-C", case, "--json").stdout)
    assert (document["n_sessions"], document["n_keys"], document["n_new"]) == (3, 4, 1)
    assert document["kinds"] == {"exact": 1, "wrong_rule": 1, "undecided": 1}
    assert document["by_version"][1] == {
        "version": "2.1.112",
        "n_sessions": 1,
        "n_explained": 0,
        "n_contradicted": 1,
        "n_undecided": 0,
        "violation_rate": 1.0,
        "interval": [0.206549, 1.0],
    }
    (violation,) = document["violations"]
    assert (violation["standing"], violation["kind"], violation["ref"]) == ("new", "wrong_rule", FOREIGN)
    assert [row["note"] for row in document["undecided"]] == ["no cwd is recorded", "the folder is empty"]
    first = document["hypotheses"][0]
    assert (first["id"], first["n_applicable"], first["n_support"], first["n_against"]) == ("V-01", 1, 0, 1)
    assert first["by_version"] == [{"version": NEWEST, "n_support": 0, "n_against": 1, "n_undecided": 0}]
    assert first["examples"]["against"] == [f"home/projects/-srv-a-b/{session_id(1)}.jsonl"]
    assert document["ruleset"]["version"]


@pytest.mark.parametrize("fmt", ["csv", "jsonl", "md"])
def test_other_formats_list_what_is_not_explained(case: Path, fmt: str) -> None:
    ended = call("check-keys", "-C", case, "--format", fmt)
    text = ended.stdout.decode()
    assert ended.returncode == 4
    if fmt == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row["standing"] for row in rows] == ["new", "undecided", "undecided"]
    elif fmt == "jsonl":
        assert [json.loads(line)["kind"] for line in text.strip().split("\n")] == [
            "wrong_rule",
            "undecided",
            "undecided",
        ]
    else:
        assert text.startswith("| standing | label |")


def test_a_baseline_lets_what_is_known_pass_and_says_what_is_gone(case: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    written = call("check-keys", "-C", case, "--write-baseline", known)
    assert written.returncode == 0
    assert written.stderr.decode() == f"known from now on: {known}\n"
    ended = call("check-keys", "-C", case, "--baseline", known, "--json")
    assert ended.returncode == 0
    document = json.loads(ended.stdout)
    assert (document["n_new"], document["gone_from_baseline"]) == (0, [])
    assert [row["standing"] for row in document["violations"]] == ["known"]
    rows = json.loads(known.read_text("utf-8"))["violations"]
    known.write_text(json.dumps({"violations": [{**rows[0], "project_key": "-srv-gone"}]}), "utf-8")
    ended = call("check-keys", "-C", case, "--baseline", known)
    assert ended.returncode == 4
    assert "no longer seen, of the baseline: -srv-gone" in ended.stdout.decode()


def test_an_earlier_result_is_a_baseline_too(case: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.json"
    earlier.write_bytes(call("check-keys", "-C", case, "--json").stdout)
    assert call("check-keys", "-C", case, "--baseline", earlier).returncode == 0


def test_a_baseline_stays_outside_the_case(case: Path) -> None:
    before = sorted(path.name for path in case.iterdir())
    ended = call("check-keys", "-C", case, "--write-baseline", case / "known.json")
    assert ended.returncode == 2
    assert sorted(path.name for path in case.iterdir()) == before


def test_another_file_is_no_baseline(case: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("[]", "utf-8")
    ended = call("check-keys", "-C", case, "--baseline", other)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"hint: write one with: forensics check-keys --write-baseline FILE" in ended.stderr


def test_a_case_without_a_key_has_nothing_to_check(tmp_path: Path) -> None:
    loose = put(tmp_path / "home", "-srv-a", 1, said("/srv/a", NEWEST))
    loose.rename(tmp_path / "loose.jsonl")
    (tmp_path / "evidence").mkdir()
    (tmp_path / "loose.jsonl").rename(tmp_path / "evidence" / "loose.jsonl")
    assert call("convert", tmp_path / "evidence", "-o", tmp_path / "case").returncode == 0
    ended = call("check-keys", "-C", tmp_path / "case", "--json")
    assert ended.returncode == 3
    document = json.loads(ended.stdout)
    assert (document["n_sessions"], document["violations"], document["kinds"]) == (0, [], {})
