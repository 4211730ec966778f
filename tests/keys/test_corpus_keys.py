"""Every key that the real CLI made is explained."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from forensics.keys import classify, rules_for

pytestmark = pytest.mark.corpus

SIX_WITHOUT_A_CWD = {
    ("compact", "9788f628"),
    ("compact", "bacc37b0"),
    ("compact", "eb85d9dc"),
    ("enterwt", "1fa97a60"),
    ("projname", "bffb548b"),
    ("projname", "ced79eb6"),
}


@dataclass(frozen=True)
class Transcript:
    """A transcript as a person would read it: which key it lies under, what it records, in order."""

    build: str
    scenario: str
    key: str
    session: str
    is_main: bool
    version: str
    cwds: tuple[str, ...]


def read_transcripts(corpora: Path) -> list[Transcript]:
    root = corpora / "cli"
    return [read_transcript(path, root) for path in sorted(root.rglob("projects/**/*.jsonl"))]


def read_transcript(path: Path, root: Path) -> Transcript:
    parts = path.relative_to(root).parts
    at = parts.index("projects")
    records: list[dict[str, Any]] = [
        json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()
    ]
    versions = [record["version"] for record in records if "version" in record]
    return Transcript(
        build=parts[0],
        scenario=parts[at - 1],
        key=parts[at + 1],
        session=path.stem,
        is_main=len(parts) == at + 3,
        version=versions[0] if versions else parts[0].partition("-")[0],
        cwds=tuple(record["cwd"] for record in records if "cwd" in record),
    )


@pytest.fixture(scope="module")
def transcripts(shared_corpora: Path) -> list[Transcript]:
    return read_transcripts(shared_corpora)


@pytest.fixture(scope="module")
def runs(shared_corpora: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((shared_corpora / "cli" / "sessions.json").read_text())
    return listed


def test_every_folder_of_the_key_runs_is_exact_under_a_rule_of_its_version(
    transcripts: list[Transcript], runs: list[dict[str, Any]]
) -> None:
    by_session = {(item.build, item.key, item.session): item for item in transcripts}
    n_checked = 0
    for run in runs:
        if run["kind"] != "keys" or run["folder"] is None:
            continue
        build = run["version"] + ("-bun1.4.5" if run["runtime"].startswith("bun") else "")
        transcript = by_session[build, run["folder"], run["session"]]
        got = classify(transcript.key, transcript.cwds, run["version"])
        runtime = "bun" if run["runtime"].startswith("bun") else "node"
        fitting = {item.rule.name for item in rules_for("claude_code", run["version"])}
        assert (got.kind, got.basis) == ("exact", "observed"), (run["version"], run["scenario"])
        assert got.rule in fitting
        assert len(run["folder"]) <= 200 or got.rule != ("cli_e2_node" if runtime == "bun" else "cli_e2_bun")
        n_checked += 1
    assert n_checked == 257


def test_every_main_transcript_is_explained_but_for_six_without_a_cwd(transcripts: list[Transcript]) -> None:
    kinds: Counter[str] = Counter()
    undecided = set()
    for item in transcripts:
        if not item.is_main:
            continue
        got = classify(item.key, item.cwds, item.version)
        kinds[got.kind] += 1
        if got.kind == "undecided":
            undecided.add((item.scenario, item.session[:8]))
        elif item.scenario in ("h", "h2", "s1") and got.kind != "exact":
            assert (got.kind, got.rule) == ("alien_hash", "cli_e2_bun"), (
                "a folder renamed by hand to Bun's hash"
            )
        elif item.scenario in ("m", "s2") and got.kind != "exact":
            assert (got.kind, got.rule) == ("untruncated", "cli_e1"), (
                "a folder renamed by hand to the whole name"
            )
        elif item.key == "short":
            assert got.kind == "named"
        else:
            assert got.kind in ("exact", "moved"), (item.build, item.scenario, item.key)
    assert undecided == SIX_WITHOUT_A_CWD
    assert kinds["named"] == 1
    assert (kinds["alien_hash"], kinds["untruncated"]) == (9, 6)


def test_a_key_whose_first_cwd_does_not_encode_to_it_moved(transcripts: list[Transcript]) -> None:
    moved = [
        item
        for item in transcripts
        if item.is_main and classify(item.key, item.cwds, item.version).kind == "moved"
    ]
    assert moved
    for item in moved:
        got = classify(item.key, item.cwds, item.version)
        assert got.cwd in item.cwds[1:]
        assert got.cwd != item.cwds[0]
