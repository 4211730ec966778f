"""A worker's memory stays below 250 MB, whatever it reads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forensics.sources.limits import MAX_LINE_BYTES
from tests.ingest.evidence import PATH, answer, say

LIMIT_MB = 250
WORK = """
import re, sys
from pathlib import Path
from forensics.ingest.task import Item, Task
from forensics.ingest.work import run_task
path, relative, out = sys.argv[1:]
part = run_task(Task("x-00000", (Item(1, 1, path.encode(), relative),), 0), out)
# ru_maxrss would count the process that started this one.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(part.items[0].n_lines, int(peak[1]) // 1024)
"""
USUAL = b"".join(
    say("ask " * (i % 700), uuid=f"u{i}") + b"\n" + answer("tell " * (i % 900), uuid=f"v{i}") + b"\n"
    for i in range(2_000)
)
LONG = MAX_LINE_BYTES - 1_000


def text_of(char: str) -> bytes:
    return say(char * (LONG // len(char.encode())))


SHAPES: dict[str, Callable[[], bytes]] = {
    "usual": lambda: USUAL * 20,
    "64 MiB line": lambda: say("x" * (64 << 20)) + b"\n",
    "letters": lambda: text_of("x") + b"\n",
    "emoji": lambda: text_of("😀") + b"\n",
    "bad bytes": lambda: text_of("😀").replace(b"srv", b"s\xffv") + b"\n",
    "cut short": lambda: text_of("日")[:-50] + b"\n",
    "many values": lambda: b'{"type":"system","sessionId":"s","x":[' + b'"a",' * (LONG // 4) + b"1]}\n",
    "many blocks": lambda: b'{"type":"user","message":{"content":[' + b"{}," * (LONG // 3) + b"{}]}}\n",
    "all newlines lost": lambda: say() * (LONG // len(say())) + b"\n",
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.slow
@pytest.mark.parametrize("shape", list(SHAPES))
def test_a_worker_stays_small(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_bytes((USUAL * 4 + SHAPES[shape]()) * 2)
    command = [sys.executable, "-c", WORK, str(path), PATH, str(tmp_path / "out")]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    n_lines, peak = map(int, ended.stdout.split())
    assert n_lines == path.read_bytes().count(b"\n")
    assert peak <= LIMIT_MB
