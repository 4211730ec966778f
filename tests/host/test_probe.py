"""A probe says what this machine knows, is the same file for the same facts, and refuses to be altered."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from forensics.errors import NothingThereError, SourceError, UsageError
from forensics.host.bounded import run_bounded
from forensics.host.probe import Probe, probe, read_probe, write_probe
from forensics.host.probe_rows import probe_tables
from forensics.host.probe_schema import PROBE_TABLES
from forensics.keys import encode

NOW = datetime(2026, 9, 1, 12, 30, tzinfo=UTC)
needs_git = pytest.mark.skipif(
    shutil.which("git") is None and not os.environ.get("CI"), reason="git is absent"
)


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=kit", "-c", "user.email=kit@example.org", "-c", "init.defaultBranch=trunk")
    outcome = run_bounded(["git", *identity, "-C", str(folder), *words], seconds=30)
    assert outcome.is_success, outcome.stderr


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of a machine: work beside a home whose sessions record it."""
    return Path(os.path.realpath(tmp_path))


def record(root: Path, *cwds: str) -> Path:
    home = root / "home" / ".claude"
    for number, cwd in enumerate(cwds):
        folder = home / "projects" / str(encode(cwd, "cli_e3"))[:200]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"s-{number}.jsonl").write_text(json.dumps({"type": "user", "cwd": cwd}) + "\n")
    return home


def by(rows: list[dict[str, object]], name: str) -> dict[object, dict[str, object]]:
    return {row[name]: row for row in rows}


def test_directories_that_exist_are_told_from_those_that_are_gone(root: Path) -> None:
    (root / "work").mkdir()
    home = record(root, f"{root}/work", f"{root}/gone", "C:\\Users\\kit\\work")
    rows = by(probe_tables("desk", probe([home], now=NOW))["probe_paths"], "path")
    assert {path: row["exists"] for path, row in rows.items()} == {
        f"{root}/work": True,
        f"{root}/gone": False,
        "C:\\Users\\kit\\work": None,
    }
    assert rows["C:\\Users\\kit\\work"]["note"] == "not an absolute path of this machine"
    assert {row["label"] for row in rows.values()} == {"desk"}


def test_a_link_gives_its_real_path_and_the_keys_of_that(root: Path) -> None:
    (root / "real.place").mkdir()
    (root / "link").symlink_to(root / "real.place")
    home = record(root, f"{root}/link")
    real_key = encode(f"{root}/real.place", "cli_e3")
    (home / "projects" / str(real_key)).mkdir()
    tables = probe_tables("desk", probe([home], now=NOW))
    (row,) = tables["probe_paths"]
    assert (row["path"], row["real_path"]) == (f"{root}/link", f"{root}/real.place")
    keys = by(tables["probe_keys"], "rule")
    assert keys["cli_e3"]["key"] == real_key
    assert keys["cli_e3"]["is_folder"] is True
    assert keys["pi_0_73"]["is_folder"] is False


@needs_git
def test_worktrees_are_listed_with_those_that_no_transcript_names(root: Path) -> None:
    repository = root / "my repo"
    repository.mkdir()
    git(repository, "init", "-q")
    git(repository, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "worktree", "add", "-q", "-b", "kit/one", str(repository / ".wt/one"))
    git(repository, "worktree", "add", "-q", "--detach", str(root / "side/two"))
    git(repository, "worktree", "lock", str(root / "side/two"))
    git(repository, "worktree", "add", "-q", "-b", "three", str(root / "side/three"))
    shutil.rmtree(root / "side/three")
    home = record(root, str(repository / ".wt/one"), f"{repository}/.wt/removed", f"{root}/elsewhere")
    tables = probe_tables("desk", probe([home], now=NOW))
    trees = by(tables["probe_worktrees"], "worktree_path")
    assert {str(path).removeprefix(f"{root}/") for path in trees} == {
        "my repo",
        "my repo/.wt/one",
        "side/two",
        "side/three",
    }
    assert {row["repo_root"] for row in trees.values()} == {str(repository)}
    assert trees[f"{repository}/.wt/one"]["branch"] == "kit/one"
    two, three = trees[f"{root}/side/two"], trees[f"{root}/side/three"]
    assert (two["is_locked"], two["is_detached"], two["branch"]) == (True, True, None)
    assert (three["is_prunable"], two["is_prunable"]) == (True, False)
    paths = by(tables["probe_paths"], "path")
    one = paths[f"{repository}/.wt/one"]
    assert (one["is_worktree"], one["git_common_dir"]) == (True, f"{repository}/.git")
    removed = paths[f"{repository}/.wt/removed"]
    assert (removed["exists"], removed["is_worktree"], removed["git_common_dir"]) == (False, None, None)
    assert removed["nearest_git_common_dir"] == f"{repository}/.git"
    # Listed by git and looked at, though no transcript names them.
    assert paths[f"{root}/side/two"]["exists"] is True
    assert paths[f"{root}/side/three"]["exists"] is False
    assert paths[str(repository)]["is_worktree"] is False


@needs_git
def test_without_git_the_same_worktrees_are_read_from_files(root: Path) -> None:
    repository = root / "repo"
    repository.mkdir()
    git(repository, "init", "-q")
    git(repository, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "worktree", "add", "-q", "-b", "one", str(root / "one"))
    home = record(root, str(root / "one"))
    told = probe_tables("desk", probe([home], now=NOW))["probe_worktrees"]
    read = probe_tables("desk", probe([home], now=NOW, git=None))["probe_worktrees"]
    absent = probe_tables("desk", probe([home], now=NOW, git="/nowhere/git"))["probe_worktrees"]
    assert {row["told_by"] for row in told} == {"git"}
    assert {row["told_by"] for row in read} == {"files"}
    assert [{**row, "told_by": None} for row in told] == [{**row, "told_by": None} for row in read]
    assert absent == read


def test_running_sessions_and_active_worktrees_are_looked_at_too(root: Path) -> None:
    home = record(root, f"{root}/work")
    (home / "sessions").mkdir()
    entry = {"pid": os.getpid(), "sessionId": "0f0f", "cwd": f"{root}/of-a-session", "tmux": "m:0.1"}
    (home / "sessions/1.json").write_text(json.dumps(entry))
    active = {"originalCwd": f"{root}/work", "worktreePath": f"{root}/active", "worktreeName": "a"}
    settings = {"projects": {f"{root}/work": {"activeWorktreeSession": active}}}
    (root / "home/.claude.json").write_text(json.dumps(settings))
    tables = probe_tables("desk", probe([home], now=NOW))
    assert [row["path"] for row in tables["probe_paths"]] == [
        f"{root}/active",
        f"{root}/of-a-session",
        f"{root}/work",
    ]
    (session,) = tables["probe_registry"]
    assert (session["session_id"], session["is_alive"], session["tmux"]) == ("0f0f", True, "m:0.1")
    (worktree,) = tables["probe_active_worktrees"]
    assert worktree["worktree_path"] == f"{root}/active"


def test_the_facts_of_the_host_are_named(root: Path) -> None:
    home = record(root, f"{root}/work")
    facts = {
        (row["name"], row["value"]) for row in probe_tables("desk", probe([home], now=NOW))["probe_host"]
    }
    assert ("taken_at", "2026-09-01T12:30:00Z") in facts
    assert ("home", str(home)) in facts
    assert ("projects_real_path", f"{home}/projects") in facts
    assert ("n_not_looked", "0") in facts
    names = {name for name, _ in facts}
    assert {"platform", "machine", "system_release", "projects_ignore_case"} <= names


def test_projects_shared_through_a_link_show_one_real_path(root: Path) -> None:
    home = record(root, f"{root}/work")
    second = root / "home" / ".claude-second"
    second.mkdir()
    (second / "projects").symlink_to(home / "projects")
    found = probe([root / "home"], now=NOW)
    shared = {value for name, value in found.facts if name == "projects_real_path"}
    assert shared == {f"{home}/projects"}
    assert [each.path for each in found.homes] == [str(home), str(second)]


def test_out_of_time_nothing_is_denied(root: Path) -> None:
    (root / "work").mkdir()
    home = record(root, f"{root}/work")
    found = probe([home], now=NOW, seconds=0)
    (row,) = probe_tables("desk", found)["probe_paths"]
    assert (row["exists"], row["note"]) == (None, "no answer in time")
    assert ("n_not_looked", "1") in found.facts


def test_a_probe_is_read_back_as_it_was_written(root: Path) -> None:
    home = record(root, f"{root}/work", "/srv/\ud83d", "/srv/日本")
    taken = probe([home], now=NOW)
    write_probe(taken, root / "probe.json")
    assert read_probe(root / "probe.json") == taken
    assert (root / "probe.json").stat().st_mode & 0o777 == 0o600


def test_the_same_facts_give_the_same_bytes(root: Path) -> None:
    home = record(root, *(f"{root}/{name}" for name in ("b", "a", "c")))
    write_probe(probe([home], now=NOW), root / "one.json")
    write_probe(probe([home], now=NOW), root / "two.json")
    assert (root / "one.json").read_bytes() == (root / "two.json").read_bytes()
    document = json.loads((root / "one.json").read_text())
    assert list(document) == sorted(document)
    assert [each["place"]["path"] for each in document["paths"]] == [f"{root}/{name}" for name in "abc"]


def written(root: Path) -> tuple[Path, dict[str, object]]:
    target = root / "probe.json"
    write_probe(probe([record(root, f"{root}/work")], now=NOW), target)
    document: dict[str, object] = json.loads(target.read_text())
    return target, document


def test_an_altered_probe_is_refused(root: Path) -> None:
    target, document = written(root)
    document["sources"] = ["/srv/other"]
    target.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="altered"):
        read_probe(target)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a probe"),
        ('{"format":"other"}', "not a probe"),
        ('{"format":"forensics-probe","schema":"2.0.0"}', "another schema"),
        ('{"format":"forensics-probe"}', "another schema"),
        ('{"format":"forensics-probe","schema":"1.0.0","paths":[]}', "altered"),
    ],
)
def test_what_is_no_probe_is_refused_with_its_name(root: Path, text: str, reason: str) -> None:
    (root / "x.json").write_text(text)
    with pytest.raises(UsageError, match=reason) as refusal:
        read_probe(root / "x.json")
    assert refusal.value.where == str(root / "x.json")


def test_a_probe_that_holds_other_types_is_refused(root: Path) -> None:
    from forensics.host.probe import digest_of

    target, document = written(root)
    del document["sha256"]
    document["facts"] = [["platform", 7]]
    target.write_text(json.dumps({**document, "sha256": digest_of(document)}))
    with pytest.raises(UsageError, match="does not hold"):
        read_probe(target)


def test_a_probe_that_is_absent_cannot_be_reached(root: Path) -> None:
    with pytest.raises(SourceError):
        read_probe(root / "absent.json")


def test_a_probe_is_never_written_into_the_evidence(root: Path) -> None:
    home = record(root, f"{root}/work")
    taken = probe([home], now=NOW)
    (root / "way-in").symlink_to(home)
    for target in (home / "probe.json", home / "projects/probe.json", root / "way-in/probe.json"):
        with pytest.raises(UsageError, match="into the evidence"):
            write_probe(taken, target)
        assert not target.exists()


def test_a_place_that_cannot_be_written_is_an_error(root: Path) -> None:
    taken = probe([record(root, f"{root}/work")], now=NOW)
    (root / "folder").mkdir()
    for target in (root / "absent/probe.json", root / "folder"):
        with pytest.raises(UsageError, match="cannot be written"):
            write_probe(taken, target)
    assert sorted(path.name for path in root.iterdir()) == ["folder", "home"]


def test_a_source_without_a_transcript_is_an_error(root: Path) -> None:
    with pytest.raises(NothingThereError):
        probe([root], now=NOW)
    with pytest.raises(SourceError):
        probe([root / "absent"], now=NOW)


def rich_probe(root: Path) -> Probe:
    (root / "real").mkdir()
    (root / "link").symlink_to(root / "real")
    home = record(root, f"{root}/link", "/srv/\ud83d", "D:\\x")
    (home / "sessions").mkdir()
    for number in (2, 1):
        (home / f"sessions/{number}.json").write_text('{"pid":1,"cwd":"/srv/\\ud83d"}')
    return probe([home], now=NOW)


def test_every_row_fits_its_table_and_every_grain_is_unique_and_in_order(root: Path) -> None:
    tables = probe_tables("desk", rich_probe(root))
    assert list(tables) == list(PROBE_TABLES)
    for name, rows in tables.items():
        spec = PROBE_TABLES[name]
        schema = pa.schema([pa.field(column.name, column.type) for column in spec.columns])
        assert pa.Table.from_pylist(rows, schema=schema).num_rows == len(rows)
        assert all(tuple(row) == spec.names for row in rows)
        grains = [tuple(str(row[column]) for column in spec.grain) for row in rows]
        assert grains == sorted(set(grains)), name
    assert len(tables["probe_registry"]) == 2
    assert "/srv/\\ud83d" in {row["path"] for row in tables["probe_paths"]}


def test_every_column_is_explained_and_named_once() -> None:
    for table in PROBE_TABLES.values():
        assert len(set(table.names)) == len(table.names)
        assert set(table.grain) <= set(table.names)
        assert all(column.doc.endswith(".") for column in table.columns)
