"""The part of the oracle that runs inside a network namespace of its own.

Started as `python -m forensics.host.confined`; it reads one job as JSON from standard input, runs the agent
program once in each directory against a stand-in on 127.0.0.1, and prints one JSON line for each.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import struct
import sys
from pathlib import Path
from typing import Any

from forensics.host.bounded import Outcome, run_bounded
from forensics.host.stand_in import serve_stand_in

NOT_ALONE = 41
_LOOPBACK = "lo"
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1
_TAIL = 400


def main() -> int:
    """Return the exit code: 0 when every directory was tried, NOT_ALONE when another network is in reach."""
    job: dict[str, Any] = json.load(sys.stdin)
    if job["alone"]:
        if [name for _, name in socket.if_nameindex()] != [_LOOPBACK]:
            return NOT_ALONE
        _bring_up_loopback()
    guard = shutil.which("setpriv")
    argv = [guard, "--pdeathsig", "KILL", *job["argv"]] if guard else job["argv"]
    with serve_stand_in() as stand_in:
        for number, directory in enumerate(job["directories"]):
            home = Path(job["base"], f"home-{number}")
            config = home / ".claude"
            config.mkdir(parents=True)
            before = len(stand_in.requests)
            outcome = run_bounded(
                argv,
                cwd=directory,
                env=_clean_environment(home, config, stand_in.url, job["path"]),
                seconds=job["seconds"],
            )
            seen = {
                **_observe(config / "projects"),
                "n_requests": len(stand_in.requests) - before,
                "ending": outcome.ending,
                "code": outcome.code,
                "said": _last_words(outcome),
            }
            print(json.dumps(seen), flush=True)  # noqa: T201 - these lines are what the parent reads
    return 0


def _bring_up_loopback() -> None:
    """A new network namespace has its loopback down; raising it needs no program, only this call."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", _LOOPBACK.encode(), 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", _LOOPBACK.encode(), flags | _IFF_UP))


def _clean_environment(home: Path, config: Path, url: str, path: str) -> dict[str, str]:
    temporary = home / "tmp"
    temporary.mkdir()
    return {
        "PATH": path,
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(config),
        "TMPDIR": str(temporary),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-ant-none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
        "NO_PROXY": "127.0.0.1",
    }


def _observe(projects: Path) -> dict[str, Any]:
    """Return the folders that hold a transcript, and the first cwd recorded in one of them."""
    transcripts = sorted(projects.glob("*/*.jsonl")) if projects.is_dir() else []
    folders = sorted({transcript.parent.name for transcript in transcripts})
    recorded = None
    for transcript in transcripts:
        recorded = recorded or _first_cwd(transcript)
    return {"folders": folders, "recorded": recorded}


def _first_cwd(transcript: Path) -> str | None:
    for line in transcript.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and isinstance(record.get("cwd"), str):
            return str(record["cwd"])
    return None


def _last_words(outcome: Outcome) -> str:
    spoken = (outcome.stderr or outcome.stdout)[-_TAIL:]
    return " ".join(spoken.decode("utf-8", "replace").split())


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
