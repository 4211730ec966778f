"""Conversion beside other ways to read the same evidence, every row in the same run.

Each row runs in a process of its own, which reports wall time, CPU seconds (its children's too) and peak
memory; the start-up of an empty run of the same program is measured and taken off in the column `net`.
Without a size, three worlds are measured: 60 MB, 600 MB, and 1 GB of which nearly all is one file.

    python -m tests.bench.bench_convert [--bytes N] [--files N] [--folder DIR] [--runs N] [--only NAME]
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from statistics import median

WORLD = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "bench.toml"


def _jsonl(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.jsonl"))


def _convert(folder: Path, scratch: Path, **options: bool | int) -> dict[str, int]:
    from forensics.ingest.convert import ConvertOptions, convert

    done = convert([folder], scratch / "case", options=ConvertOptions(**options))  # type: ignore[arg-type]
    return {"rows": done.n_lines, "lost": 0}


def complete(folder: Path, scratch: Path) -> dict[str, int]:
    """Everything kept, one worker."""
    return _convert(folder, scratch, workers=1)


def complete_two_workers(folder: Path, scratch: Path) -> dict[str, int]:
    """Everything kept, two workers."""
    return _convert(folder, scratch, workers=2)


def no_raw(folder: Path, scratch: Path) -> dict[str, int]:
    """Without raw bytes."""
    return _convert(folder, scratch, workers=1, raw=False)


def no_raw_no_text(folder: Path, scratch: Path) -> dict[str, int]:
    """Without raw bytes and prose."""
    return _convert(folder, scratch, workers=1, raw=False, text=False)


def second_run(folder: Path, scratch: Path) -> dict[str, int]:
    """Nothing has changed since."""
    return _convert(folder, scratch, workers=1)


def after_append(folder: Path, scratch: Path) -> dict[str, int]:
    """One part in a hundred was appended since."""
    return _convert(folder, scratch, workers=1)


_COLUMNS = (
    "type subtype uuid parentUuid logicalParentUuid sessionId agentId cwd gitBranch version entrypoint "
    "timestamp isSidechain isMeta isCompactSummary isVisibleInTranscriptOnly requestId"
)
_BOOLEANS = {"isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"}


def duckdb_columns(folder: Path, scratch: Path) -> dict[str, int]:
    """DuckDB's JSON reader, explicit columns, bad lines ignored, to Parquet; one thread."""
    import duckdb

    columns = ", ".join(
        f"{name}: '{'BOOLEAN' if name in _BOOLEANS else 'VARCHAR'}'" for name in _COLUMNS.split()
    )
    message = (
        "message: 'STRUCT(id VARCHAR, role VARCHAR, model VARCHAR, stop_reason VARCHAR, content JSON, "
        "usage STRUCT(input_tokens BIGINT, output_tokens BIGINT, cache_creation_input_tokens BIGINT, "
        "cache_read_input_tokens BIGINT))'"
    )
    db = duckdb.connect(config={"threads": 1})
    db.execute(
        f"copy (select * from read_json({[str(p) for p in _jsonl(folder)]!r}, format='newline_delimited', "
        f"ignore_errors=true, maximum_object_size=134217728, columns={{{columns}, {message}}})) "
        f"to '{scratch / 'duckdb.parquet'}' (format parquet, compression zstd)"
    )
    query = f"select count(*), count(*) filter (type is null) from '{scratch / 'duckdb.parquet'}'"
    rows, lost = db.execute(query).fetchall()[0]
    return {"rows": rows, "lost": lost}


def polars_scan(folder: Path, scratch: Path) -> dict[str, int]:
    """Polars' reader with the same flat columns; a file it cannot read counts as lost."""
    import polars as pl

    schema = {n: pl.Boolean if n in _BOOLEANS else pl.String for n in _COLUMNS.split()}
    rows = lost = 0
    for i, path in enumerate(_jsonl(folder)):
        try:
            frame = pl.read_ndjson(path, schema=schema, ignore_errors=True)
        except (pl.exceptions.PolarsError, OSError):
            lost += path.read_bytes().count(b"\n")
            continue
        frame.write_parquet(scratch / f"{i}.parquet")
        rows += frame.height
    return {"rows": rows, "lost": lost}


def pyarrow_json(folder: Path, scratch: Path) -> dict[str, int]:
    """Arrow's reader; a file with one bad line is lost whole."""
    import pyarrow as pa
    import pyarrow.json as pj
    import pyarrow.parquet as pq

    schema = pa.schema([(n, pa.bool_() if n in _BOOLEANS else pa.string()) for n in _COLUMNS.split()])
    options = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    read = pj.ReadOptions(use_threads=False, block_size=64 << 20)
    rows = lost = 0
    for i, path in enumerate(_jsonl(folder)):
        try:
            table = pj.read_json(path, read_options=read, parse_options=options)
        except pa.ArrowInvalid:
            lost += path.read_bytes().count(b"\n")
            continue
        pq.write_table(table, scratch / f"{i}.parquet", compression="zstd")
        rows += table.num_rows
    return {"rows": rows, "lost": lost}


def _lines(folder: Path) -> Iterator[bytes]:
    for path in _jsonl(folder):
        with path.open("rb") as file:
            yield from file


def orjson_lines(folder: Path, _scratch: Path) -> dict[str, int]:
    """orjson a line, nothing written."""
    import orjson

    rows = lost = 0
    for line in _lines(folder):
        try:
            orjson.loads(line)
            rows += 1
        except orjson.JSONDecodeError:
            lost += bool(line.strip())
    return {"rows": rows, "lost": lost}


def msgspec_lines(folder: Path, _scratch: Path) -> dict[str, int]:
    """The typed pass of our own reader alone, nothing written."""
    import msgspec

    from forensics.sources.claude_code.record import decode_record

    rows = lost = 0
    for line in _lines(folder):
        try:
            decode_record(line)
            rows += 1
        except msgspec.DecodeError:
            lost += bool(line.strip())
    return {"rows": rows, "lost": lost}


def _program(*command: str) -> Callable[[Path, Path], dict[str, int]]:
    def run(folder: Path, _scratch: Path) -> dict[str, int]:
        files = [str(path) for path in _jsonl(folder)]
        subprocess.run([*command, *files], stdout=subprocess.DEVNULL, check=True)
        return {"rows": 0, "lost": 0}

    return run


def nothing(_folder: Path, _scratch: Path) -> dict[str, int]:
    """An empty Python."""
    return {"rows": 0, "lost": 0}


SIZES = ((60_000_000, 12), (600_000_000, 120), (1_000_000_000, 1))

ROWS: dict[str, Callable[[Path, Path], dict[str, int]]] = {
    "ours complete": complete,
    "ours complete, 2 workers": complete_two_workers,
    "ours without raw": no_raw,
    "ours without raw and text": no_raw_no_text,
    "ours second run": second_run,
    "ours after 1 % appended": after_append,
    "DuckDB columns to Parquet": duckdb_columns,
    "Polars to Parquet": polars_scan,
    "pyarrow to Parquet": pyarrow_json,
    "orjson a line": orjson_lines,
    "msgspec alone": msgspec_lines,
    "cat": _program("cat"),
    "sha256sum": _program("sha256sum"),
}
_APPENDED = "ours after 1 % appended"
_KEEPS_CASE = {"ours second run", _APPENDED}
_EMPTY = {"ours", "DuckDB", "Polars", "pyarrow"}


def _one(name: str, folder: Path, scratch: Path) -> None:
    """Run one row here and print what it took, as JSON."""
    began = time.perf_counter()
    counts = ROWS[name](folder, scratch) if name != "nothing" else nothing(folder, scratch)
    wall = time.perf_counter() - began
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    peak = max(own.ru_maxrss, children.ru_maxrss) / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "peak_mb": peak, **counts}))


def _measure(name: str, folder: Path, scratch: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.bench_convert", "--one", name, str(folder), str(scratch)]
    done = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[2])
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _append_one_percent(folder: Path) -> None:
    """Add to every tenth transcript a tenth of its lines again, whole."""
    for path in _jsonl(folder)[::10]:
        data = path.read_bytes()
        end = data.rfind(b"\n", 0, len(data) // 10) + 1
        with path.open("ab") as file:
            file.write(data[:end])


Runs = dict[str, list[dict[str, float]]]


def _measure_all(names: list[str], folder: Path, tiny: Path, temporary: Path, runs: int) -> Runs:
    """What each row took, run by run, and each program's empty run.

    Rows take turns, round after round: what else the machine does then touches all of them alike.
    """
    empty = {name.split()[0]: name if name.split()[0] in _EMPTY else "nothing" for name in reversed(names)}
    taken: Runs = defaultdict(list)

    def take(row: str, name: str, source: Path, place: Path) -> None:
        if name not in _KEEPS_CASE:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
        taken[row].append(_measure(name, source, place))

    kept, scratch = temporary / "kept", temporary / "scratch"
    for _ in range(runs):
        for program, name in empty.items():
            take(f"empty {program}", name, tiny, temporary / "empty")
        for name in names:
            if name != _APPENDED:
                take(name, name, folder, kept if name in {"ours complete", *_KEEPS_CASE} else scratch)
    if _APPENDED in names:
        _append_one_percent(folder)
        take(_APPENDED, _APPENDED, folder, kept)
    return taken


def _nets(names: list[str], taken: Runs, of: Callable[[Iterable[float]], float]) -> dict[str, float]:
    """CPU seconds of each row, the best run's or the median, those of an empty run taken off."""

    def cpu(row: str) -> float:
        return of(run["cpu"] for run in taken[row])

    return {name: max(cpu(name) - cpu(f"empty {name.split()[0]}"), 1e-9) for name in names}


def table(folder: Path, tiny: Path, *, runs: int, only: str | None) -> None:
    """Measure every row and print the table."""
    size = sum(path.stat().st_size for path in _jsonl(folder)) / 1e6
    print(
        f"{size:,.0f} MB in {len(_jsonl(folder))} transcripts; best of {runs} by CPU, one thread\n",
        flush=True,
    )
    names = [name for name in ROWS if only is None or only in name]
    with tempfile.TemporaryDirectory() as temporary:
        taken = _measure_all(names, folder, tiny, Path(temporary), runs)
    head = f"{'':28}{'wall s':>8}{'CPU s':>8}{'MB/CPU-s':>10}{'net':>8}{'peak MB':>9}{'rows':>10}{'lost':>8}"
    print(head + "\n" + "-" * len(head))
    nets = _nets(names, taken, min)
    for name in names:
        took = min(taken[name], key=itemgetter("cpu"))
        print(
            f"{name:28}{took['wall']:8.2f}{took['cpu']:8.2f}{size / took['cpu']:10.0f}"
            f"{size / nets[name]:8.0f}"
            f"{took['peak_mb']:9.0f}{took['rows']:10,.0f}{took['lost']:8,.0f}"
        )
    _print_ratios(nets, _nets(names, taken, median))


def _print_ratios(best: dict[str, float], middle: dict[str, float]) -> None:
    """What the project holds itself to, from net CPU seconds of the best runs and of the median ones."""
    wanted = (
        (
            "speed without raw and text, of DuckDB's (1.0 or more)",
            "DuckDB columns to Parquet",
            "ours without raw and text",
        ),
        ("speed complete, of DuckDB's (0.5 or more)", "DuckDB columns to Parquet", "ours complete"),
        ("CPU of two workers, of one's (1.15 or less)", "ours complete, 2 workers", "ours complete"),
        ("CPU of a second run, of the first's (0.03 or less)", "ours second run", "ours complete"),
    )
    print(f"\n{'':56}{'best':>6}{'median':>8}")
    for text, over, under in wanted:
        if over in best and under in best:
            print(f"{text:56}{best[over] / best[under]:6.2f}{middle[over] / middle[under]:8.2f}")


def _lay_out(out: Path, *, n_bytes: int, n_files: int) -> None:
    command = [sys.executable, "-m", "forensics.testing.world", str(WORLD), "--out", str(out)]
    command += ["--total-bytes", str(n_bytes), "--files", str(n_files)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[2])


def main() -> None:
    """Lay out a world of the size asked for, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int)
    parser.add_argument("--files", type=int, default=12)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only")
    parser.add_argument("--one", nargs=3)
    arguments = parser.parse_args()
    if arguments.one:
        name, folder, scratch = arguments.one
        _one(name, Path(folder), Path(scratch))
        return
    sizes = SIZES if arguments.bytes is None else ((arguments.bytes, arguments.files),)
    with tempfile.TemporaryDirectory() as temporary:
        tiny = Path(temporary) / "tiny"
        key = tiny / "projects" / "-srv-tiny"
        key.mkdir(parents=True)
        line = '{"type":"user","sessionId":"00000000-0000-4000-8000-000000000000","uuid":"u","cwd":"/"}\n'
        (key / "00000000-0000-4000-8000-000000000000.jsonl").write_text(line)
        if arguments.folder is not None:
            table(arguments.folder, tiny, runs=arguments.runs, only=arguments.only)
            return
        for n_bytes, n_files in sizes:
            folder = Path(temporary) / "evidence"
            _lay_out(folder, n_bytes=n_bytes, n_files=n_files)
            table(folder, tiny, runs=arguments.runs, only=arguments.only)
            shutil.rmtree(folder)
            print()


if __name__ == "__main__":
    main()
