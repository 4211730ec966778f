"""Verbs that read a case: what each says, in every format, with the right exit code."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.evidence import (
    DOTTED,
    N_LINES,
    SHARED_KEY,
    WORKTREE_KEY,
    case_digest,
    tree_state,
)
from tests.cli.words import call, command, environment

FIRST_REF = f"home/projects/{SHARED_KEY}/{DOTTED}.jsonl#L1"

READING_VERBS = [
    ["findings"],
    ["findings", "all"],
    ["findings", "all", "--json"],
    ["explain"],
    ["sql", "select count(*) as n from lines"],
    ["show", FIRST_REF],
    ["sessions"],
    ["key", SHARED_KEY],
    ["locate", SHARED_KEY],
    ["check-keys"],
    ["verify"],
]


def _json(*words: str | Path) -> Any:
    return json.loads(call(*words).stdout)


@pytest.mark.parametrize("words", READING_VERBS, ids=lambda words: " ".join(words[:2]))
def test_reading_changes_neither_the_case_nor_the_evidence(words: list[str], case: Path, home: Path) -> None:
    before = (tree_state(home), case_digest(case))
    ended = call(*words, "-C", case) if words[0] != "explain" else call(*words)
    assert (ended.returncode, bool(ended.stdout)) == (0, True), ended.stderr.decode()
    assert (tree_state(home), case_digest(case)) == before


def test_writing_verbs_do_not_touch_the_evidence(case: Path, home: Path, tmp_path: Path) -> None:
    before = tree_state(home)
    calls: list[list[str | Path]] = [
        ["run", f"home={home}", "-o", tmp_path / "case"],
        ["run", f"home={home}", "-o", tmp_path / "case"],
        ["report", "-C", case, "-o", tmp_path / "report"],
        ["rebuild", "-C", case, "--to", tmp_path / "back"],
        ["export", tmp_path / "case.duckdb", "-C", case],
        ["probe", home, "-o", tmp_path / "probe.json"],
    ]
    for words in calls:
        ended = call(*words)
        assert ended.returncode == 0, (words, ended.stderr.decode())
    assert tree_state(home) == before


def test_the_case_is_the_option_else_the_environment_else_the_folder_here(case: Path, tmp_path: Path) -> None:
    query = ["sql", "select count(*) as n from lines", "--format", "csv"]
    expected = f"n\n{N_LINES}\n".encode()
    assert call(*query, "-C", case).stdout == expected
    assert call(*query, env={"FORENSICS_CASE": str(case)}).stdout == expected
    (tmp_path / "forensics-case").symlink_to(case)
    assert call(*query, cwd=tmp_path).stdout == expected
    assert call(*query, cwd=tmp_path, env={"FORENSICS_CASE": "/there/is/nothing"}).returncode == 5
    assert call(*query, cwd=tmp_path, env={"FORENSICS_CASE": ""}).stdout == expected


@pytest.mark.parametrize("content", [None, "", "{}", '{"schema": "99.0.0", "tables": {}}'])
def test_a_folder_that_is_no_whole_case_ends_with_5(content: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    folder.mkdir()
    if content is not None:
        (folder / "manifest.json").write_text(content)
    for words in (["findings"], ["report"]):
        ended = call(*words, "-C", folder)
        assert (ended.returncode, ended.stdout) == (5, b""), words
        assert ended.stderr.startswith(b"error: ")
    assert call("verify", "-C", folder).returncode == 5


def test_every_format_of_sql_holds_the_same_values(case: Path) -> None:
    query = "select path, n_lines, n_gaps from files where kind = 'file' order by path"
    ended = {
        name: call("sql", query, "-C", case, "--format", name).stdout.decode()
        for name in ("json", "jsonl", "csv", "md", "table")
    }
    records = json.loads(ended["json"])["rows"]
    assert [record["n_lines"] for record in records] == [3, 2, 2]
    assert [json.loads(line) for line in ended["jsonl"].split("\n") if line] == records
    assert list(csv.DictReader(io.StringIO(ended["csv"]))) == [
        {name: str(value) for name, value in record.items()} for record in records
    ]
    cells = [line.strip("| ").split(" | ") for line in ended["md"].split("\n")[2:] if line]
    plain = [[cell.replace("\\", "") for cell in row] for row in cells]
    assert plain == [[str(value) for value in record.values()] for record in records]
    rows = [line.split() for line in ended["table"].split("\n")[2:] if line]
    assert rows == [[str(value) for value in record.values()] for record in records]


def test_sql_reads_a_query_from_stdin(case: Path) -> None:
    ended = call("sql", "-", "-C", case, "--format", "csv", stdin=b"select 6 * 7 as answer")
    assert ended.stdout == b"answer\n42\n"


@pytest.mark.parametrize(
    "query",
    [
        "drop view lines",
        "select 1; select 2",
        "select * from read_csv('/etc/passwd')",
        "copy (select 1) to '/tmp/never.csv'",
        "attach 'never.db'",
        "set threads = 1",
        "select nothing from nowhere",
        "selec",
        "",
    ],
)
def test_sql_refuses_everything_but_one_select_over_the_case(query: str, case: Path) -> None:
    ended = call("sql", query, "-C", case)
    assert (ended.returncode, ended.stdout) == (2, b""), ended.stdout
    assert ended.stderr.startswith(b"error: ")


def test_json_carries_the_versions_of_tool_rules_and_findings(case: Path) -> None:
    manifest = json.loads((case / "manifest.json").read_text())
    for words in (["findings"], ["findings", "all"], ["findings", "encoding_collision"]):
        document = _json(*words, "-C", case, "--json")
        assert document["tool"] == {"name": "forensics", "version": manifest["tool"]["version"]}
        assert document["ruleset"] == manifest["ruleset"]
        assert document["case"]["content_sha256"] == manifest["content_sha256"]
        assert all(len(finding["version"]) == 12 for finding in document["findings"])


def test_a_finding_with_rows_and_one_without_have_the_same_keys_in_json(case: Path) -> None:
    document = _json("findings", "all", "-C", case, "--json")
    assert len({tuple(sorted(finding)) for finding in document["findings"]}) == 1
    by_name = {finding["name"]: finding for finding in document["findings"]}
    assert by_name["encoding_collision"]["n_rows"] == 1
    assert by_name["encoding_collision"]["rows"][0]["project_key"] == SHARED_KEY
    assert sorted(by_name["encoding_collision"]["rows"][0]["directories"]) == [
        "/srv/app/my-web",
        "/srv/app/my.web",
    ]


def test_the_rows_of_a_finding_are_equal_in_every_format(case: Path) -> None:
    (finding,) = _json("findings", "orphaned_worktree_key", "-C", case, "--json")["findings"]
    ended = call("findings", "orphaned_worktree_key", "-C", case, "--format", "jsonl").stdout
    lines = [json.loads(line) for line in ended.decode().split("\n") if line]
    head = {"finding", "finding_id", "finding_version", "status", "reason"}
    assert [{k: v for k, v in line.items() if k not in head} for line in lines] == finding["rows"]
    assert {(line["finding"], line["status"], line["reason"]) for line in lines} == {
        ("orphaned_worktree_key", "assessed", None)
    }
    text = call("findings", "orphaned_worktree_key", "-C", case, "--format", "csv").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["row_id"] for row in rows] == [row["row_id"] for row in finding["rows"]]
    assert [json.loads(row["refs"]) for row in rows] == [row["refs"] for row in finding["rows"]]
    markdown = call("findings", "orphaned_worktree_key", "-C", case, "--format", "md").stdout.decode()
    assert finding["rows"][0]["row_id"] in markdown
    table = call("findings", "orphaned_worktree_key", "-C", case).stdout.decode()
    for shown in (WORKTREE_KEY, "does not show: ", finding["rows"][0]["refs"][0]):
        assert shown in table


def test_explain_says_what_every_finding_claims_and_does_not_show() -> None:
    listed = json.loads(call("explain", "--json").stdout)["findings"]
    assert len({tuple(finding) for finding in listed}) == 1
    text = call("explain").stdout.decode()
    for finding in listed:
        assert f"{finding['id']} {finding['name']}: {finding['title']}" in text
        by_id, by_name = (call("explain", finding[word], "--format", "md") for word in ("id", "name"))
        assert by_id.stdout == by_name.stdout
        assert by_id.stdout.startswith(f"## {finding['id']} ".encode())


def test_csv_holds_one_finding_at_a_time(case: Path) -> None:
    ended = call("findings", "all", "-C", case, "--format", "csv")
    assert (ended.returncode, ended.stdout) == (2, b"")


def test_every_reference_that_a_finding_prints_can_be_shown(case: Path) -> None:
    document = _json("findings", "all", "-C", case, "--json")
    refs = {ref for finding in document["findings"] for row in finding["rows"] for ref in row["refs"]}
    assert refs
    for ref in sorted(refs):
        shown = _json("show", ref, "-C", case, "--json")["evidence"]
        assert (shown["ref"], shown["verified"]) == (ref, True)


def test_show_gives_the_very_bytes_and_says_on_stderr_where_they_lie(case: Path, home: Path) -> None:
    line = (home / "projects" / SHARED_KEY / f"{DOTTED}.jsonl").read_bytes().split(b"\n")[0]
    ended = call("show", FIRST_REF, "-C", case)
    assert (ended.returncode, ended.stdout) == (0, line)
    assert ended.stderr.decode().startswith(f"{FIRST_REF}: {len(line)} bytes from byte 0, sha256 ")
    assert ended.stderr.endswith(b", verified\n")


@pytest.mark.parametrize(
    ("ref", "code"),
    [("home/projects/none.jsonl#L1", 3), (FIRST_REF.replace("#L1", "#L99"), 3), ("not a reference", 2)],
)
def test_show_of_what_is_not_there_says_so(ref: str, code: int, case: Path) -> None:
    ended = call("show", ref, "-C", case)
    assert (ended.returncode, ended.stdout) == (code, b"")


def test_rebuild_gives_every_byte_back(case: Path, home: Path, tmp_path: Path) -> None:
    ended = call("rebuild", "-C", case, "--to", tmp_path / "back")
    assert ended.returncode == 0
    originals = {path.relative_to(home): path.read_bytes() for path in home.rglob("*.jsonl")}
    back = tmp_path / "back" / "home"
    assert {path.relative_to(back): path.read_bytes() for path in back.rglob("*.jsonl")} == originals


def test_rebuild_into_a_folder_that_is_not_empty_is_refused(case: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    ended = call("rebuild", "-C", case, "--to", tmp_path)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_verify_finds_one_flipped_bit_and_ends_with_5(case: Path, tmp_path: Path) -> None:
    copy = tmp_path / "case"
    shutil.copytree(case, copy)
    assert call("verify", "-C", copy).returncode == 0
    part = next((copy / "lines").glob("*.parquet"))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    ended = call("verify", "-C", copy)
    assert ended.returncode == 5
    assert part.name in ended.stdout.decode()
    faults = json.loads(call("verify", "-C", copy, "--json").stdout)
    assert {row["where"].rpartition("/")[2] for row in faults["rows"]} == {part.name}


def test_verify_in_json_of_a_whole_case_has_the_same_keys(case: Path) -> None:
    document = _json("verify", "-C", case, "--json")
    assert (document["columns"], document["rows"]) == (["where", "what"], [])


def test_export_writes_one_file_that_answers_alone(case: Path, tmp_path: Path) -> None:
    import duckdb

    out = tmp_path / "case.duckdb"
    assert call("export", out, "-C", case).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["case.duckdb"]
    with duckdb.connect(str(out), read_only=True) as database:
        (n_lines,) = database.execute("select count(*) from lines").fetchall()[0]
        (n_sessions,) = database.execute("select count(*) from sessions").fetchall()[0]
    assert (n_lines, n_sessions) == (N_LINES, 3)
    again = call("export", out, "-C", case)
    assert (again.returncode, again.stdout) == (2, b"")


def test_findings_fail_only_on_new_rows_where_a_baseline_is_given(case: Path, tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_bytes(call("findings", "all", "-C", case, "--json").stdout)
    words = ["findings", "-C", str(case), "--fail-on"]
    assert call(*words, "encoding_collision").returncode == 10
    assert call(*words, "new:encoding_collision", "--baseline", baseline).returncode == 0
    assert call(*words, "new:encoding_collision").returncode == 2


def test_report_writes_three_files_where_it_is_told(case: Path, tmp_path: Path) -> None:
    ended = call("report", "-C", case, "-o", tmp_path / "out", "--tz", "UTC")
    assert ended.returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "index.html",
        "report.json",
        "report.md",
    ]
    assert ended.stdout.decode().split() == [
        str(tmp_path / "out" / name) for name in ("index.html", "report.md", "report.json")
    ]


def test_a_case_without_raw_bytes_still_answers_and_shows_with_a_root(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "case"
    assert call("run", f"home={home}", "-o", out, "--no-raw").returncode == 0
    assert call("findings", "all", "-C", out).returncode == 0
    assert call("show", FIRST_REF, "-C", out).returncode == 5
    shown = call("show", FIRST_REF, "-C", out, "--root", f"home={home}")
    line = (home / "projects" / SHARED_KEY / f"{DOTTED}.jsonl").read_bytes().split(b"\n")[0]
    assert (shown.returncode, shown.stdout) == (0, line)


def test_a_reader_who_leaves_early_ends_a_verb_quietly(case: Path) -> None:
    query = "select range as n from range(200000)"
    asking = subprocess.Popen(
        command("sql", query, "-C", case, "--format", "csv"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert asking.stdout is not None
    assert asking.stderr is not None
    assert asking.stdout.readline() == b"n\n"
    asking.stdout.close()
    said = asking.stderr.read()
    assert (asking.wait(timeout=60), said) == (0, b"")
    asking.stderr.close()
