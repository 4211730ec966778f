"""Seconds until the command line answers from a case of generated evidence; the case is made once.

python -m tests.bench.bench_answers [--bytes N] [--files N] [--case CASE] [--runs N]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.bench_findings import make_case

REPOSITORY = Path(__file__).resolve().parents[2]


def _run(*words: str) -> tuple[float, float, bytes]:
    """Wall and CPU seconds of one command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [sys.executable, "-m", "forensics", *words]
    done = subprocess.run(command, capture_output=True, cwd=REPOSITORY)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu, done.stdout


def measure(case: Path, *, runs: int) -> None:
    """Print the best of some runs of each verb that people wait for."""
    listed = json.loads(_run("sessions", "-C", str(case), "--json")[2])
    rows = listed["rows"]
    session = rows[0]["session_id"]
    calls = {
        "sessions": ["sessions"],
        "session ID": ["session", session],
        "alive --last": ["alive", "--last"],
        "findings encoding_collision": ["findings", "encoding_collision"],
        "findings (summary)": ["findings"],
    }
    print(f"{len(rows)} sessions\n\n{'':30}{'wall s':>8}{'CPU s':>8}")
    for name, words in calls.items():
        took = [_run(*words, "-C", str(case))[:2] for _ in range(runs)]
        wall, cpu = min(took)
        print(f"{name:30}{wall:8.2f}{cpu:8.2f}", flush=True)


def main() -> None:
    """Lay out a world of the size asked for, convert it, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=1_000_000_000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--case", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.case is not None:
        measure(arguments.case, runs=arguments.runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        case = make_case(Path(folder), n_bytes=arguments.bytes, n_files=arguments.files)
        measure(case, runs=arguments.runs)


if __name__ == "__main__":
    main()
