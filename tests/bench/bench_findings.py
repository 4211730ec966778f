"""CPU seconds of every model and finding over generated evidence, the slowest first.

python -m tests.bench.bench_findings [--bytes N] [--files N] [--case CASE] [--threads N]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "bench.toml"
REPOSITORY = Path(__file__).resolve().parents[2]


def make_case(folder: Path, *, n_bytes: int, n_files: int) -> Path:
    """A case of a generated world of about that size."""
    from forensics.ingest.convert import convert

    evidence = folder / "evidence"
    command = [sys.executable, "-m", "forensics.testing.world", str(WORLD), "--out", str(evidence)]
    command += ["--total-bytes", str(n_bytes), "--files", str(n_files)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=REPOSITORY)
    return convert([evidence], folder / "case").case


def measure(path: Path, *, threads: int) -> None:
    """Print what each stored model and each finding takes, models first: findings then find them made."""
    from forensics.case import open_case

    began = time.process_time()
    with open_case(path, threads=threads) as case:
        print(f"open: {time.process_time() - began:.2f} CPU s; {case.manifest['counts']['lines']:,} lines\n")
        rows: list[tuple[float, float, str, int]] = []
        for name, model in case.models.items():
            if model.stored:
                wall, cpu = time.perf_counter(), time.process_time()
                n = case.sql(f"select count(*) from {name}").column(0)[0].as_py()
                rows.append((time.process_time() - cpu, time.perf_counter() - wall, f"model {name}", n))
        for name in case.specs:
            wall, cpu = time.perf_counter(), time.process_time()
            result = case.findings([name])[0]
            took = time.process_time() - cpu, time.perf_counter() - wall
            rows.append((*took, f"finding {name}", result.rows.num_rows))
    print(f"{'':45}{'CPU s':>8}{'wall s':>8}{'rows':>10}")
    for cpu, wall, name, n in sorted(rows, reverse=True):
        print(f"{name:45}{cpu:8.2f}{wall:8.2f}{n:10,}")
    print(f"{'all':45}{sum(row[0] for row in rows):8.2f}{sum(row[1] for row in rows):8.2f}")


def main() -> None:
    """Lay out a world of the size asked for, convert it, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, default=600_000_000)
    parser.add_argument("--files", type=int, default=120)
    parser.add_argument("--case", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.case is not None:
        measure(arguments.case, threads=arguments.threads)
        return
    with tempfile.TemporaryDirectory() as folder:
        case = make_case(Path(folder), n_bytes=arguments.bytes, n_files=arguments.files)
        measure(case, threads=arguments.threads)


if __name__ == "__main__":
    main()
