"""The same questions answered once more by reading the lines, without a case and without SQL."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forensics.keys import classify, encode, parse_version, rules_for

Record = dict[str, Any]
Said = tuple[str, str, str]

EXPLAINED = ("exact", "moved", "alias", "named")


@dataclass(frozen=True)
class Session:
    """A main transcript: where it lies, and its records in order."""

    path: str
    key: str
    records: list[Record]

    @property
    def versions(self) -> list[str]:
        return list(dict.fromkeys(r["version"] for r in self.records if "version" in r))

    @property
    def cwds(self) -> list[str]:
        return [r["cwd"] for r in self.records if "cwd" in r]

    @property
    def relocations(self) -> list[str]:
        return [r["relocatedCwd"] for r in self.records if r["type"] == "relocated"]

    @property
    def last_version(self) -> str:
        return self.versions_spoken[-1] if self.versions_spoken else ""

    @property
    def versions_spoken(self) -> list[str]:
        return [r["version"] for r in self.records if "version" in r]

    def gives_key(self, cwd: str, versions: Iterable[str] | None = None) -> bool:
        among = self.versions or [""] if versions is None else list(versions)
        return any(
            encode(cwd, candidate.rule) == self.key
            for version in among
            for candidate in rules_for("claude_code", version or None)
        )

    def n_keys(self) -> int:
        rules = {c.rule for v in self.versions or [""] for c in rules_for("claude_code", v or None)}
        return max((len({encode(cwd, rule) for cwd in self.cwds}) for rule in rules), default=0)


def read_sessions(root: Path) -> list[Session]:
    paths = sorted(root.glob("**/projects/*/*.jsonl"))
    return [
        Session(
            path.relative_to(root).as_posix(),
            path.parent.name,
            [json.loads(line) for line in path.read_bytes().split(b"\n") if line],
        )
        for path in paths
        if not path.name.startswith("agent-")
    ]


def verdict_of(session: Session) -> tuple[str, str]:
    """The kind of explanation, and the version that gives it or began the session."""
    places = [r.get("cwd", r.get("relocatedCwd")) for r in session.records]
    cwds = [place for place in places if place is not None]
    kinds = [(classify(session.key, cwds, v or None).kind, v) for v in session.versions or [""]]
    return next((pair for pair in kinds if pair[0] in EXPLAINED), kinds[0])


def told(sessions: list[Session], repositories: dict[str, str]) -> Counter[Said]:
    """How often each hypothesis is supported, contradicted or left undecided, by version."""
    said: Counter[Said] = Counter()
    for session in sessions:
        said.update(_about_directories(session))
        said.update(_about_starts(session, repositories))
        said.update(_about_titles(session))
    return said


def _word(holds: bool | None) -> str:
    return "undecided" if holds is None else "support" if holds else "against"


def _about_directories(session: Session) -> Iterator[Said]:
    if not session.cwds:
        return
    first, last = (session.gives_key(cwd) for cwd in (session.cwds[0], session.cwds[-1]))
    some = any(map(session.gives_key, session.cwds))
    moved = session.gives_key(session.relocations[-1]) if session.relocations else None
    flags = {"V-01": last, "V-02": some, "V-03": first if moved is None else moved}
    explained = some or bool(moved)
    if session.n_keys() >= 2 or len(set(flags.values())) > 1:
        for about, holds in flags.items():
            decides = explained and not all(flags.values())
            yield about, session.last_version, _word(holds if decides else None)
    if moved is not None:
        yield "V-14", session.last_version, _word(moved if explained else None)


def _about_starts(session: Session, repositories: dict[str, str]) -> Iterator[Said]:
    for version in session.versions[1:]:
        at = next(i for i, r in enumerate(session.records) if r.get("version") == version)
        place = _place(session, at, version, repositories)
        number = parse_version(version)
        assert number is not None
        if place in ("prefix", "worktree", "elsewhere", "unknown"):
            known = place != "unknown"
            yield "V-04", version, "against" if known else "undecided"
            if number <= (2, 1, 222):
                yield "V-05", version, _word(place == "worktree" if known else None)
            if number >= (2, 1, 223):
                yield "V-06", version, "support" if place in ("prefix", "elsewhere") else "undecided"
        if place == "colliding":
            yield "V-07", version, _word(number <= (2, 1, 238))
        if place == "prefix":
            yield "V-13", version, _word((2, 1, 113) <= number <= (2, 1, 223))
        kinds = [r["type"] for r in session.records[:at]]
        if "user" in kinds and "assistant" not in kinds:
            yield "V-12", version, _word(number >= (2, 1, 187))
    kinds = [r["type"] for r in session.records]
    if len(session.versions) <= 1 and "user" in kinds and "assistant" not in kinds:
        yield "V-12", session.last_version, "undecided"


def _place(session: Session, at: int, version: str, repositories: dict[str, str]) -> str:
    record = session.records[at]
    cwd = record.get("cwd")
    if cwd is None or record["type"] == "assistant":
        return "unknown"
    if any(r["type"] == "relocated" for r in session.records[at + 1 :]):
        return "unknown"
    if session.gives_key(cwd, [version]):
        first = session.cwds[0]
        return "colliding" if first != cwd and session.gives_key(first) else "own"
    owners = [each for each in (*session.cwds, *session.relocations) if session.gives_key(each)]
    if not owners:
        return "unknown"
    keys = [encode(cwd, candidate.rule) or "" for candidate in rules_for("claude_code", version)]
    if len(session.key) > 200 and any(len(k) > 200 and k[:200] == session.key[:200] for k in keys):
        return "prefix"
    repository = repositories.get(cwd)
    if repository is not None and any(repositories.get(each) == repository for each in owners):
        return "worktree"
    return "elsewhere"


def _about_titles(session: Session) -> Iterator[Said]:
    kinds = [r["type"] for r in session.records]
    if kinds[:1] != ["custom-title"]:
        return
    number = parse_version(session.versions[0]) if session.versions else None
    if number is None:
        yield "V-10", "", "undecided"
    elif number >= (2, 1, 223):
        yield "V-10", session.versions[0], _word(kinds[1] == "agent-name")
