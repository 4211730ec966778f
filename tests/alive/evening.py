"""A machine that went down one evening: places of every kind, one for each reason."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forensics.ingest.convert import ConvertOptions, convert
from forensics.testing.probes import write_probes
from forensics.testing.short_lines import Story, id_of

STOP = datetime(2026, 8, 27, 20, 50, 53, tzinfo=UTC)
BOOT = datetime(2026, 8, 27, 23, 22, 44, tzinfo=UTC)
AS_OF = "2026-08-28T08:00:00Z"
GHQ = "/srv/ghq/ada"
SCRATCH = "/home/kit/.cc-scratch"
LONG_REQUEST = "全角の依頼は七十桁で切る" * 4
Line = str | Mapping[str, Any]


def when(text: str) -> datetime:
    """A moment of August 2026, `27 20:50:08`, in UTC; or a whole ISO date."""
    if text[4:5] == "-":
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    day, clock = text.split()
    return datetime.fromisoformat(f"2026-08-{day}T{clock}+00:00")


def key_of(cwd: str) -> str:
    """The key of a plain ASCII directory."""
    return "".join(char if char.isalnum() else "-" for char in cwd)


def write_log(
    root: Path,
    name: str,
    cwd: str,
    *,
    mtime: str,
    title: str | None = None,
    at: str | None = None,
    lines: Sequence[Line] | None = None,
    key: str | None = None,
) -> str:
    """The session id of a transcript that lies there afterwards; it ends in a line without a time."""
    moment = when(at or mtime)
    story = Story(session=id_of(name), cwd=cwd, now=moment)
    first: list[Line] = [] if title is None else [{"title": title}]
    body = lines or [{"say": f"mend {name}"}, {"reply": "done"}]
    tail: list[Line] = [{"record": {"type": "last-prompt", "lastPrompt": "mend", "sessionId": id_of(name)}}]
    begin: list[Line] = [
        {**line, "at": moment} if n == 0 and isinstance(line, dict) else line for n, line in enumerate(body)
    ]
    file = root / "projects" / (key or key_of(cwd)) / f"{id_of(name)}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(story.write([*first, *begin, *tail]))
    os.utime(file, (when(mtime).timestamp(),) * 2)
    return id_of(name)


def write_sidecar(root: Path, name: str, cwd: str, document: object) -> None:
    """`archived.json` beside a session."""
    folder = root / "projects" / key_of(cwd) / id_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "archived.json").write_text(json.dumps(document))


def write_evening(root: Path) -> None:
    """The home as it was found the next morning."""
    repo = GHQ + "/{}"
    renamed: list[Line] = [
        {"say": "ROADMAP の I1 を片付けて"},
        {"reply": "片付けました"},
        {"title": "x01 の詰まり調査"},
    ]
    write_log(
        root, "x01", repo.format("x01"), mtime="27 20:50:53", at="26 18:00:00", title="x01", lines=renamed
    )
    write_log(root, "x01older", repo.format("x01"), mtime="24 09:12:00", title="x01")
    wide: list[Line] = [{"say": LONG_REQUEST}, {"reply": "はい"}]
    write_log(root, "topic", repo.format("x01/.worktrees/topic"), mtime="27 20:50:08", lines=wide)
    write_log(root, "issued", f"{SCRATCH}/3f9a2c1b", mtime="27 20:50:30")
    write_log(root, "emptied", f"{SCRATCH}/2", mtime="27 20:50:31")
    write_log(root, "elsewhere", "/somewhere/else", mtime="27 20:50:32", key=key_of(f"{SCRATCH}/3"))
    both = [{"say": "hello"}, {"reply": "hi", "cwd": "/somewhere/else"}]
    write_log(root, "both", f"{SCRATCH}/5", mtime="27 20:50:33", lines=both)
    write_log(root, "gone", repo.format("gone"), mtime="27 20:50:34", title="gone")
    write_log(root, "bglab", repo.format("bglab"), mtime="27 20:50:35", title="bglab webサイト")
    later = [{"say": "hello"}, {"title": "app"}, {"reply": "hi"}]
    write_log(root, "app", repo.format("app"), mtime="27 20:50:36", lines=later)
    write_log(root, "old", repo.format("old"), mtime="2020-01-01", title="old")
    write_log(root, "done", repo.format("done"), mtime="27 20:50:37", title="done")
    write_log(root, "closed", repo.format("closed"), mtime="27 20:50:38", at="27 10:00:00", title="closed")
    write_sidecar(
        root, "closed", repo.format("closed"), {"archived": True, "at": "2026-08-27T19:30:00+09:00"}
    )
    reopened: list[Line] = [{"say": "hello"}, {"reply": "hi"}, {"say": "go on", "at": when("27 11:00:00")}]
    write_log(
        root,
        "reopened",
        repo.format("reopened"),
        mtime="27 20:50:39",
        at="27 10:00:00",
        title="reopened",
        lines=reopened,
    )
    write_sidecar(root, "reopened", repo.format("reopened"), {"archived": True, "at": "2026-08-27T10:30:00Z"})
    notice = {"subtype": "informational", "content": "Remote Control disconnected — archived"}
    left: list[Line] = [
        {"say": "hello"},
        {"type": "system", "set": notice},
        {"say": '<teammate-message teammate_id="hub">report</teammate-message>'},
    ]
    write_log(root, "left", repo.format("left"), mtime="27 20:50:40", title="left", lines=left)
    write_log(root, "live", repo.format("live"), mtime="28 07:00:00", title="live")
    write_log(root, "liveplace", repo.format("liveplace"), mtime="27 20:50:41", title="liveplace")
    write_log(root, "pane", repo.format("pane"), mtime="27 20:50:42", title="pane")
    write_log(root, "panenew", repo.format("pane"), mtime="27 20:50:43")
    write_log(root, "hub", "/home/kit/.cc-hub", mtime="27 20:50:44", title="hub")
    write_log(root, "outside", "/opt/other/tool", mtime="27 20:50:45", title="tool")
    write_log(root, "after", repo.format("after"), mtime="27 23:50:00", title="after")
    write_log(root, "side", repo.format("x02.worktrees/side"), mtime="27 20:50:46", title="side")
    write_log(root, "earlier", repo.format("earlier"), mtime="27 19:50:53", title="earlier")
    write_log(
        root,
        "named",
        repo.format("titleonly"),
        mtime="27 20:50:47",
        title="titleonly",
        lines=[{"title": "again"}],
    )


def write_facts(folder: Path) -> dict[str, Path]:
    """What the registry, tmux, the list of dismissed sessions and a listing said that morning."""
    morning = int(when("28 06:00:00").timestamp() * 1000)
    night = int(when("27 12:00:00").timestamp() * 1000)
    entries = [
        {"pid": 501, "sessionId": id_of("live"), "cwd": "/tmp", "startedAt": morning, "name": "x01"},
        {"pid": 502, "sessionId": id_of("unknown"), "cwd": f"{GHQ}/liveplace/src", "startedAt": morning},
        {"pid": 503, "sessionId": id_of("x01"), "cwd": f"{GHQ}/x01", "startedAt": night},
    ]
    pane = f"cc/pane\t0\t0\t0\t{GHQ}/pane\tzsh\tclaude --resume {id_of('pane')}"
    texts = {
        "registry": "".join(json.dumps(entry) + "\n" for entry in entries),
        "tmux": f"{pane}\nplay\t0\t0\t0\t/tmp\tvim\n",
        "dismissed": f"{id_of('done')}\t{GHQ}/done\nbroken line\n{id_of('never')}\t/nowhere\n",
        "listing": f"{SCRATCH}/2\t0\n{SCRATCH}/3\t1\n{SCRATCH}/4\t1\n{SCRATCH}/5\t4\n{SCRATCH}/3f9a2c1b\t-\n",
    }
    files = {kind: folder / f"{kind}.txt" for kind in texts}
    for kind, text in texts.items():
        files[kind].write_text(text, encoding="utf-8")
    return files


def directories() -> dict[str, Any]:
    """What a probe of that machine saw."""
    names = "x01 x01/.worktrees/topic bglab app old done closed reopened left live liveplace pane after"
    there = [f"{GHQ}/{name}" for name in (*names.split(), "x02.worktrees/side", "earlier", "titleonly")]
    return {
        "there": [*there, "/opt/other/tool", "/home/kit/.cc-hub"],
        "gone": [f"{GHQ}/gone"],
        "boot_s": int(BOOT.timestamp()),
    }


def take_in(folder: Path, *, with_facts: bool = True) -> Path:
    """The case of that evening."""
    write_evening(folder / "root")
    options = ConvertOptions(workers=1, as_of=AS_OF)
    if with_facts:
        options = ConvertOptions(
            workers=1,
            as_of=AS_OF,
            probe_files=write_probes({"home": directories()}, folder),
            withs=write_facts(folder),
        )
    convert([f"home={folder / 'root'}"], folder / "case", options=options)
    return folder / "case"
