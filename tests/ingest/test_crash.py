"""Kills, full disks, interrupts, second writers: the old case is whole, the next run goes on unaided."""

from __future__ import annotations

import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from forensics.errors import SourceError
from forensics.ingest.verify import verify
from tests.ingest.cases import bytes_by_path, current_rows, take, tree
from tests.ingest.evidence import KEY, PATH, answer, say

MANY = settings.default.max_examples if settings.default else 100
KILLS = 60 if MANY >= 10_000 else 6


def write_root(root: Path, *, n_files: int = 12, n_lines: int = 40) -> Path:
    (root / KEY).mkdir(parents=True, exist_ok=True)
    for i in range(n_files):
        path = root / KEY / f"00000000-0000-4000-8000-0000000000{i:02}.jsonl"
        path.write_bytes(
            b"".join(say(f"{i}-{n}", uuid=f"{i}-{n}") + b"\n" + answer() + b"\n" for n in range(n_lines))
        )
    return root


def add_lines(root: Path) -> None:
    for path in sorted((root / KEY).iterdir()):
        with path.open("ab") as file:
            file.write(say("added", uuid="added") * 2 + b"\n")
    (root / PATH).write_bytes(say("new", uuid="new") + b"\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_root(tmp_path / "root")


RUN = """
import sys
from forensics import engine
engine._POOL_BYTES = 0
engine.cores = lambda: 2
from forensics.ingest import plan
plan.PART_BYTES = 20_000
from tests.ingest.cases import take
from pathlib import Path
print("ready", flush=True)
take(Path(sys.argv[1]), Path(sys.argv[2]), workers=int(sys.argv[3]))
print("done", flush=True)
"""


def start(root: Path, case: Path, *, workers: int = 1) -> subprocess.Popen[bytes]:
    """A process that is about to take evidence in, with everything imported."""
    command = [sys.executable, "-c", RUN, str(root), str(case), str(workers)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def end(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Wait for a process; what it wrote."""
    return process.communicate(timeout=120)


def beside(case: Path) -> list[str]:
    """What lies beside a case that a run made there."""
    return sorted(path.name for path in case.parent.iterdir() if path.name.startswith(f".{case.name}."))


def seconds_of_a_run(root: Path, folder: Path, workers: int) -> float:
    process = start(root, folder / "measured", workers=workers)
    began = time.perf_counter()
    end(process)
    return time.perf_counter() - began


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("known", [False, True])
def test_a_kill_at_any_moment_loses_nothing(root: Path, tmp_path: Path, workers: int, known: bool) -> None:
    """The moments are drawn over the time that a run takes; what is asserted does not depend on them."""
    case, old = tmp_path / "case", tmp_path / "old"
    if known:
        take(root, case)
        take(root, old)
        add_lines(root)
    before = current_rows(case) if known else None
    take(root, tmp_path / "fresh")
    after = current_rows(tmp_path / "fresh")
    rng = random.Random(workers * 2 + known)
    lasts = seconds_of_a_run(root, tmp_path, workers)
    for _ in range(KILLS // 4 + 1):
        process = start(root, case, workers=workers)
        time.sleep(rng.uniform(0, lasts * 1.1))
        process.send_signal(signal.SIGKILL)
        end(process)
        if case.exists():
            assert verify(case) == []
            assert current_rows(case) in (before, after)
        else:
            assert not known
    take(root, case)
    assert current_rows(case) == after
    assert verify(case, roots={"x": root}) == []
    assert beside(case) == [".case.lock"]
    if known:
        kept = bytes_by_path(case)
        for path, contents in bytes_by_path(old).items():
            assert kept[path][0].startswith(contents[0])


@pytest.mark.slow
def test_a_run_after_a_kill_makes_the_case_that_an_undisturbed_one_makes(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forensics.ingest.plan.PART_BYTES", 20_000)
    lasts = seconds_of_a_run(root, tmp_path, 1)
    take(root, tmp_path / "case" / "undisturbed")
    for share in (0.2, 0.5, 0.8):
        case = tmp_path / f"{share}" / "undisturbed"
        case.parent.mkdir()
        process = start(root, case)
        time.sleep(lasts * share)
        process.kill()
        end(process)
        take(root, case)
        assert tree(case) == tree(tmp_path / "case" / "undisturbed")


def kill_a_worker(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """End one of the workers with a kill as soon as it has been started."""
    popen = subprocess.Popen
    started: list[Any] = []

    def start_and_kill(*args: Any, **kwargs: Any) -> Any:
        process = popen(*args, **kwargs)
        started.append(process)
        if len(started) == number:
            process.kill()
        return process

    monkeypatch.setattr(subprocess, "Popen", start_and_kill)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_of_several_workers_one_is_the_process_itself(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr("forensics.ingest.plan.PART_BYTES", 1000)
    started: list[Any] = []
    popen = subprocess.Popen

    def start(*args: Any, **kwargs: Any) -> Any:
        started.append(popen(*args, **kwargs))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    take(root, tmp_path / "case", workers=workers)
    assert [process.poll() for process in started] == [0] * (workers - 1)


@pytest.mark.parametrize("number", [1, 2])
def test_a_killed_worker_ends_the_run_and_leaves_the_old_case(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    case = tmp_path / "case"
    take(root, case)
    before = tree(case)
    add_lines(root)
    monkeypatch.setattr("forensics.ingest.plan.PART_BYTES", 1000)
    kill_a_worker(monkeypatch, number)
    with pytest.raises(SourceError, match="a worker process ended") as caught:
        take(root, case, workers=3)
    assert caught.value.exit_code == 6
    assert tree(case) == before
    assert beside(case) == [".case.lock"]
    monkeypatch.undo()
    take(root, case, workers=2)
    assert verify(case, roots={"x": root}) == []


def test_no_worker_outlives_the_process_that_started_it(root: Path, tmp_path: Path) -> None:
    write_root(root, n_files=40, n_lines=400)
    process = start(root, tmp_path / "case", workers=2)
    children: list[int] = []
    deadline = time.monotonic() + 60
    while not children and process.poll() is None and time.monotonic() < deadline:
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        children = [int(pid) for pid in listed]
    process.kill()
    end(process)
    while any(_is_running(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [pid for pid in children if _is_running(pid)] == []


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("moment", ["reading", "deriving", "publishing"])
@pytest.mark.parametrize("known", [False, True])
def test_an_interrupt_leaves_the_old_case_whole(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, known: bool
) -> None:
    case = tmp_path / "case"
    if known:
        take(root, case)
        add_lines(root)
    before = tree(case)

    def interrupt(*_: Any, **__: Any) -> Any:
        # Who starts tests in the background may have told them to take no notice of interrupts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    where = {
        "reading": "forensics.ingest.work._take_in",
        "deriving": "forensics.ingest.derive.cwd_rows",
        "publishing": "forensics.ingest.publish.settle",
    }[moment]
    monkeypatch.setattr(where, interrupt)
    with pytest.raises(KeyboardInterrupt):
        take(root, case)
    assert tree(case) == before
    assert case.exists() is known
    assert beside(case) == [".case.lock"]
    monkeypatch.undo()
    take(root, case)
    assert verify(case, roots={"x": root}) == []


def test_an_interrupt_of_the_whole_group_ends_workers_too(root: Path, tmp_path: Path) -> None:
    write_root(root, n_files=40, n_lines=400)
    process = start(root, tmp_path / "case", workers=2)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, told = end(process)
    assert process.returncode in (0, 1, -signal.SIGINT)
    assert process.returncode == 0 or b"KeyboardInterrupt" in told
    take(root, tmp_path / "case")
    assert verify(tmp_path / "case", roots={"x": root}) == []


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 1 MB, outside of what pytest clears away."""
    folder = Path(tempfile.mkdtemp(prefix="disk-"))
    command = ["mount", "-t", "tmpfs", "-o", "size=1000k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if mounted:
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
            folder.rmdir()
    else:
        folder.rmdir()
        pytest.skip("this machine lets nobody mount a small disk")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_is_told_and_leaves_the_old_case_whole(
    tmp_path: Path, small_disk: Path, workers: int
) -> None:
    root = write_root(tmp_path / "root", n_files=2, n_lines=5)
    case = small_disk / "case"
    take(root, case)
    before = tree(case)
    noise = random.Random(7)
    for i in range(9):
        text = "".join(noise.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=400_000))
        (root / KEY / f"large{i}.jsonl").write_bytes(say(text) + b"\n")
    with pytest.raises(SourceError) as caught:
        take(root, case, workers=workers)
    assert caught.value.exit_code == 6
    assert tree(case) == before
    assert verify(case) == []
    assert beside(case) == [".case.lock"]
    for i in range(9):
        (root / KEY / f"large{i}.jsonl").unlink()
    take(root, case)
    assert verify(case, roots={"x": root}) == []


LIMITED = """
import resource, sys
from pathlib import Path
from forensics.errors import SourceError
from tests.ingest.cases import take
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
try:
    take(Path(sys.argv[1]), Path(sys.argv[2]))
except SourceError as error:
    print(error.exit_code)
"""


@pytest.mark.parametrize("limit", [0, 1000, 20_000])
def test_a_limit_on_file_sizes_is_told_and_leaves_the_old_case_whole(
    root: Path, tmp_path: Path, limit: int
) -> None:
    case = tmp_path / "case"
    take(root, case)
    before = tree(case)
    add_lines(root)
    (root / KEY / "large.jsonl").write_bytes(say("".join(map(str, range(30_000)))) + b"\n")
    command = [sys.executable, "-c", LIMITED, str(root), str(case), str(limit)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "6\n"), ended.stderr
    assert ended.stderr == ""
    assert tree(case) == before
    assert beside(case) == [".case.lock"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != limit
