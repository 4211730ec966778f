"""Small homes written by hand for reports, hostile ones among them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

DOT, DASH, QUIET = (f"0a000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
SHARED_KEY = "-srv-app-a-b"
HOSTILE = (
    "<script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    "javascript:window.hacked=1",
    "</style></script></title><svg onload=window.hacked=1>",
    "\u202egnp.exe\u2066 {{ 7*7 }} {% raw %}",
    "\x1b]8;;http://x.invalid\x07click\x1b]8;;\x07 \x1b[2J\x07",
    "| a | b |\n|---|---|\n[x](javascript:window.hacked=1) ``` `",
    "]]><!-- & &amp; &lt; \" ' \u2028 \x00",
)


def line(session_id: str, cwd: str, text: str, *, minute: int = 0, kind: str = "user") -> bytes:
    """One record as the agent writes it."""
    record = {
        "type": kind,
        "uuid": f"{session_id[:-4]}{minute:04d}",
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": session_id,
        "cwd": cwd,
        "version": "2.1.332",
        "gitBranch": "main",
        "timestamp": f"2026-03-01T{8 + minute // 60:02d}:{minute % 60:02d}:00.000Z",
        "message": {"role": kind, "content": text},
    }
    return json.dumps(record, ensure_ascii=False).encode()


def write_transcript(root: Path, key: str, session_id: str, lines: Sequence[bytes]) -> Path:
    """The transcript's file, written."""
    path = root / "projects" / key / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    return path


def write_plain_home(root: Path) -> Path:
    """One session in one directory: nothing to find."""
    write_transcript(root, "-srv-app", QUIET, [line(QUIET, "/srv/app", "Water the plants")])
    return root


def write_colliding_home(root: Path) -> Path:
    """Two directories under one key, and one torn line."""
    write_transcript(root, SHARED_KEY, DOT, [line(DOT, "/srv/app/a.b", "Count the oars")])
    torn = b'ent":"Mend the sail"},"type":"user","timestamp":"2026-03-01T09:30:00.000Z"}'
    write_transcript(root, SHARED_KEY, DASH, [line(DASH, "/srv/app/a-b", "Draw the oars", minute=60), torn])
    return root


def write_hostile_home(root: Path) -> Path:
    """Each hostile text as a directory that shares a key, as a prompt, and as a damaged line."""
    for at, text in enumerate(HOSTILE):
        session = f"0b000000-0000-4000-8000-0000000000{at:02d}"
        other = f"0c000000-0000-4000-8000-0000000000{at:02d}"
        cwd = f"/srv/{text}/x.y"
        key = "".join(
            "-" * (len(sign.encode("utf-16-le")) // 2) if not (sign.isascii() and sign.isalnum()) else sign
            for sign in cwd
        )
        damaged = b"torn " + text.encode()
        write_transcript(root, key, session, [line(session, cwd, text, minute=at), damaged])
        write_transcript(root, key, other, [line(other, f"/srv/{text}/x-y", text, minute=at)])
    return root


def write_home_outside_xml(root: Path) -> Path:
    """Characters that XML cannot hold in a version, a cwd, a key, a trigger and a title."""
    for at, sign in enumerate(("\x1b", "\0", "\uffff")):
        session = f"0d000000-0000-4000-8000-0000000000{at:02d}"
        boundary = {
            "type": "system",
            "subtype": "compact_boundary",
            "content": "Conversation compacted",
            "compactMetadata": {"trigger": f"auto{sign}", "preTokens": 9},
        }
        title = {"type": "custom-title", "customTitle": f"Oars{sign}", "sessionId": session}
        records = [json.loads(line(session, f"/srv/{sign}app/{at}{n}", "Row", minute=n)) for n in range(3)]
        records[1] |= boundary
        for record in records:
            record["version"] = f"1.{at}{sign}"
        key = f"-srv-{sign}app".replace("\0", "\x1f")
        write_transcript(root, key, session, [json.dumps(record).encode() for record in [*records, title]])
    return root
