"""What the real command line did when it was asked to take sessions up again, beside what is predicted.

The corpus keeps the folders as they stood at the end. So what came later is taken away again before each
question is asked here: files that it or a later question made, and files that begin after its last line.
Whoever runs the command line in a directory leaves a folder of its name, even an empty one, which a corpus of
files cannot keep; so the folders of directories asked in before are there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forensics.dossier.scope import Candidate, Outcome, ask_in, predict_continue, predict_resume

_ASKED_ID = re.compile(r"session ID: ([0-9A-Za-z-]+)")


@dataclass(frozen=True)
class Compared:
    """One question: what was seen, what is predicted, and whether they agree; None without a prediction."""

    version: str
    scenario: str
    seen: str
    predicted: str
    agrees: bool | None


@dataclass(frozen=True)
class Seen:
    """One file of a set as it stood at the end."""

    name: str
    candidate: Candidate
    first_time: str
    last_time: str
    digest: str


def compare_all(folder: Path) -> Iterator[Compared]:
    """Yield every question of the corpus in its order."""
    rows = json.loads((folder / "resume.json").read_text("utf-8"))
    sets: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        sets.setdefault((row["version"], _set_of(row)), []).append(row)
    for (version, name), questions in sets.items():
        files = list(_read_set(folder / version / "resume" / name / "projects"))
        for number, row in enumerate(questions):
            there = _files_before(files, row, questions[number:])
            yield _compare(row, there, before=questions[:number])


def _set_of(row: dict[str, Any]) -> str:
    """The name of the folder that holds what the questions of one set were asked about."""
    return str(row["scenario"].split("_")[0])


def _is_new(row: dict[str, Any]) -> bool:
    """Whether the question made a file that was not there: a new session, a fork, an id used once more."""
    return bool(row["session_after"] != row["session"] or "--session-id" in row["args"])


def _read_set(projects: Path) -> Iterator[Seen]:
    for path in sorted(projects.glob("*/*.jsonl")):
        data = path.read_bytes()
        records = [json.loads(line) for line in data.split(b"\n") if line]
        cwds = [record["cwd"] for record in records if "cwd" in record]
        times = sorted(record["timestamp"] for record in records if "timestamp" in record)
        name = path.relative_to(projects).as_posix()
        newness = int(re.sub(r"\D", "", times[-1]))
        candidate = Candidate(name, path.stem, path.parent.name, cwds[0] if cwds else None, newness)
        yield Seen(name, candidate, times[0], times[-1], hashlib.sha256(data).hexdigest())


def _files_before(
    files: Sequence[Seen], row: dict[str, Any], questions: Sequence[dict[str, Any]]
) -> list[Seen]:
    made = {path for each in questions if _is_new(each) for path in each["files_changed"]}
    ends = [file.last_time for file in files if file.name in row["files_changed"]]
    end = max(ends, default="9")
    return [file for file in files if file.name not in made and file.first_time <= end]


def _compare(row: dict[str, Any], files: list[Seen], *, before: Sequence[dict[str, Any]]) -> Compared:
    asked = ask_in(row["asked_in"], version=row["version"])
    candidates = [file.candidate for file in files]
    words = row["args"]
    if "--continue" in words:
        entered = [ask_in(each["asked_in"], version=row["version"]).keys for each in before]
        outcome = predict_continue(
            candidates,
            asked,
            folders={file.project_key for file in candidates}.union(*entered),
            exists=lambda cwd: _is_there(row, cwd),
        )
        return _judge(row, outcome, files, seen=row["session_after"] == row["session"])
    if words[0] == "--resume" and not words[1].endswith(".jsonl"):
        named = _ASKED_ID.search(row["stderr"])
        id_ = named[1] if named else row["session"]
        outcome = predict_resume([file for file in candidates if file.session_id == id_], asked)
        return _judge(row, outcome, files, seen=row["exit"] == 0)
    is_taken = row["exit"] == 0
    seen = "taken" if is_taken else "not taken"
    if "--session-id" in words:
        return Compared(row["version"], row["scenario"], seen, "no lookup: a new session", None)
    return Compared(row["version"], row["scenario"], seen, "found (the file is named)", is_taken)


def _judge(row: dict[str, Any], outcome: Outcome, files: Sequence[Seen], *, seen: bool) -> Compared:
    taken = outcome.verdict == "found"
    agrees = taken == seen and outcome.verdict != "unknown"
    if agrees and seen and not _is_new(row) and row["files_changed"]:
        # One folder of the corpus was a link to another: the same file stands under both names.
        digests = {file.digest for file in files if file.name == outcome.path}
        agrees = bool(digests & {file.digest for file in files if file.name in row["files_changed"]})
    predicted = f"{outcome.verdict} ({outcome.why}, {outcome.basis})"
    return Compared(row["version"], row["scenario"], "taken" if seen else "not taken", predicted, agrees)


def _is_there(row: dict[str, Any], cwd: str) -> bool:
    """Whether a directory was there: for some questions one had been removed or renamed before."""
    is_gone = re.search(r"gone|removed|renamed", row["scenario"]) is not None
    return not (is_gone and cwd == row["made_in"])
