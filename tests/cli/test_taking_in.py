"""run and convert: what they print, and that bad input leaves everything as it was."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from forensics.cli import app, progress
from forensics.cli.edge import run_command
from tests.cli.evidence import N_LINES, SHARED_KEY, case_digest, tree_state, write_home
from tests.cli.words import call, command, environment, spawn

pytestmark = pytest.mark.slow


def test_run_says_what_was_examined_what_was_found_and_where_the_report_is(
    home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "case"
    ended = call("run", f"home={home}", "-o", out)
    said = ended.stdout.decode()
    assert ended.returncode == 0
    assert f"examined 3 transcripts among 4 files: {N_LINES} lines" in said
    assert "encoding_collision" in said
    assert "orphaned_worktree_key" in said
    assert f"report: {out}/report/index.html\n" in said
    assert (out / "report" / "index.html").read_bytes().startswith(b"<!")
    assert ended.stderr.startswith(b"gaps: ")
    assert ended.stderr.count(b"\n") == 1


def test_run_in_json_has_the_same_keys_whatever_it_found(home: Path, tmp_path: Path) -> None:
    clean = tmp_path / "clean"
    write_home(clean)
    for key in (SHARED_KEY, "-srv-app--worktrees-fix-dates"):
        shutil.rmtree(clean / "projects" / key)
    lines = (home / "projects" / SHARED_KEY).iterdir()
    (clean / "projects" / SHARED_KEY).mkdir()
    shutil.copy(min(lines), clean / "projects" / SHARED_KEY)
    full = json.loads(call("run", f"home={home}", "-o", tmp_path / "a", "--json").stdout)
    few = json.loads(call("run", f"home={clean}", "-o", tmp_path / "b", "--json").stdout)
    assert full.keys() == few.keys() == {"tool", "ruleset", "case", "conversion", "findings", "report"}
    assert [f.keys() for f in full["findings"]] == [f.keys() for f in few["findings"]]
    assert full["tool"]["name"] == "forensics"
    assert len(full["ruleset"]["digest"]) == 64
    assert all(finding["version"] for finding in full["findings"])
    assert full["conversion"]["n_lines"] == N_LINES
    assert few["conversion"]["n_lines"] == 2


def test_convert_takes_in_without_a_report(home: Path, tmp_path: Path) -> None:
    ended = call("convert", home, cwd=tmp_path)
    assert (ended.returncode, ended.stdout.decode().split("\n")[1]) == (0, "case: forensics-case")
    assert (tmp_path / "forensics-case" / "manifest.json").is_file()
    assert not (tmp_path / "forensics-case" / "report").exists()


def test_the_case_to_write_may_be_named_by_the_environment(home: Path, tmp_path: Path) -> None:
    ended = call("convert", home, cwd=tmp_path, env={"FORENSICS_CASE": str(tmp_path / "named")})
    assert ended.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".named.lock", "named"]


def test_a_root_that_is_not_there_ends_with_6_and_a_hint(tmp_path: Path) -> None:
    ended = call("run", tmp_path / "none", "-o", tmp_path / "case")
    assert (ended.returncode, ended.stdout) == (6, b"")
    assert ended.stderr.startswith(b"error: ")
    assert b"\nhint: " in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_root_without_transcripts_ends_with_3(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "notes.txt").write_text("nothing of an agent\n")
    ended = call("run", root, "-o", tmp_path / "case")
    assert (ended.returncode, ended.stdout) == (3, b"")
    assert not (tmp_path / "case").exists()


@pytest.mark.parametrize("where", ["inside", "above", "same"])
def test_a_case_inside_or_above_the_evidence_is_refused_and_nothing_is_touched(
    where: str, tmp_path: Path
) -> None:
    root = write_home(tmp_path / "top" / "root")
    out = {"inside": root / "projects" / "case", "above": tmp_path / "top", "same": root}[where]
    before = tree_state(tmp_path)
    ended = call("run", root, "-o", out)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert tree_state(tmp_path) == before


def test_a_case_inside_the_evidence_by_a_link_is_refused(tmp_path: Path) -> None:
    root = write_home(tmp_path / "root")
    (tmp_path / "way").symlink_to(root / "projects")
    before = tree_state(tmp_path)
    assert call("convert", root, "-o", tmp_path / "way" / "case").returncode == 2
    assert tree_state(tmp_path) == before


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_an_output_place_that_is_something_else_is_refused_and_stays(
    kind: str, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine\n")
    else:
        out.mkdir()
        (out / "letter.txt").write_text("mine\n")
    before = tree_state(tmp_path)
    ended = call("run", home, "-o", out)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert tree_state(tmp_path) == before


def test_two_sources_of_one_label_ask_for_labels(home: Path, tmp_path: Path) -> None:
    other = write_home(tmp_path / "home")
    ended = call("run", home, other, "-o", tmp_path / "case")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert b"label" in ended.stderr
    assert not (tmp_path / "case").exists()


def test_a_disk_that_takes_no_more_ends_with_6_and_the_old_case_stays(tmp_path: Path) -> None:
    root = write_home(tmp_path / "root")
    out = tmp_path / "case"
    assert call("convert", root, "-o", out).returncode == 0
    before = case_digest(out)
    grown = root / "projects" / SHARED_KEY / "5f0c1b1e-0000-4000-8000-000000000009.jsonl"
    # Bytes that compress badly, so that the part cannot be written within the limit.
    noise = os.urandom(300_000).hex()
    template = next((root / "projects" / SHARED_KEY).glob("*.jsonl")).read_bytes().split(b"\n")[0]
    grown.write_bytes(template.replace(b'"content":"', f'"content":"{noise}'.encode()) + b"\n")
    ended = subprocess.run(
        command("convert", root, "-o", out, "--workers", "1"),
        env=environment(),
        capture_output=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )
    assert ended.returncode == 6, ended.stderr.decode()
    assert ended.stderr.startswith(b"error: ")
    assert case_digest(out) == before
    assert call("convert", root, "-o", out).returncode == 0


class Meddler:
    """A progress that does something in the middle of a conversion."""

    def __init__(self, action: Callable[[], None]) -> None:
        self.action = action

    def start(self, n_files: int, n_bytes: int) -> None:
        """Nothing."""

    def advance(self, n_files: int, n_bytes: int, n_gaps: int) -> None:
        """Does it."""
        self.action()

    def finish(self) -> None:
        """Nothing."""


def _run_with(action: Callable[[], None], words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(progress, "terminal_progress", lambda: Meddler(action))
        return run_command(typer.main.get_command(app), args=words)


def test_an_interrupt_ends_with_130_and_the_old_case_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_home(tmp_path / "root")
    out = tmp_path / "case"
    assert call("convert", root, "-o", out).returncode == 0
    before = case_digest(out)
    with (root / "projects" / SHARED_KEY / "5f0c1b1e-0000-4000-8000-000000000009.jsonl").open("wb") as stream:
        stream.write(next((root / "projects" / SHARED_KEY).glob("*1.jsonl")).read_bytes())

    def interrupt() -> None:
        raise KeyboardInterrupt

    assert _run_with(interrupt, ["convert", str(root), "-o", str(out), "--workers", "1"], monkeypatch) == 130
    assert capsys.readouterr() == ("", "interrupted\n")
    assert case_digest(out) == before
    assert call("convert", root, "-o", out).returncode == 0
    assert case_digest(out) != before


def test_a_second_writer_ends_with_7(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "case"
    codes: list[int] = []
    words = ["convert", str(home), "-o", str(out), "--workers", "1"]
    assert _run_with(lambda: codes.append(spawn(*words).returncode), words, monkeypatch) == 0
    assert codes
    assert set(codes) == {7}


def test_a_file_that_cannot_be_read_ends_with_6_and_the_case_names_it(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root can read everything")
    root = write_home(tmp_path / "root")
    closed = next((root / "projects" / SHARED_KEY).glob("*1.jsonl"))
    closed.chmod(0)
    ended = call("run", root, "-o", tmp_path / "case")
    assert ended.returncode == 6
    assert b"a file under a root could not be read" in ended.stderr
    assert (tmp_path / "case" / "report" / "index.html").is_file()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--fail-on", "encoding_collision"], 10),
        (["--fail-on", "fault"], 10),
        (["--fail-on", "new:encoding_collision"], 10),
        (["--fail-on", "gaps"], 10),
        ([], 0),
    ],
)
def test_fail_on_turns_a_result_into_10_after_everything_was_written(
    words: list[str], code: int, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "case"
    ended = call("run", home, "-o", out, *words)
    assert ended.returncode == code
    assert (out / "report" / "report.json").is_file()
    assert (b"fail-on: " in ended.stderr) == bool(words)


def test_nothing_is_new_in_a_second_run_over_the_same_evidence(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "case"
    assert call("run", home, "-o", out).returncode == 0
    assert call("run", home, "-o", out, "--fail-on", "new:encoding_collision").returncode == 0
    assert call("run", home, "-o", out, "--fail-on", "encoding_collision").returncode == 10


def test_two_labels_of_one_folder_are_read_once_and_that_is_said(home: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home)
    ended = call("convert", f"one={home}", f"two={link}", "-o", tmp_path / "case")
    assert ended.returncode == 0
    assert b"note: two is the same folder as one; it was read once\n" in ended.stderr
    assert f"examined 3 transcripts among 4 files: {N_LINES} lines" in ended.stdout.decode()
