"""Tables made from what was taken in: keys, directories, what these encode to, rules by version.

SQL never encodes: everything that needs a rule is a column computed here, once per distinct value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from forensics import paths
from forensics.keys import (
    CLAUDE_CODE,
    LIMIT,
    Ruleset,
    aliases,
    encode,
    is_named_key,
    nfc_is_certain,
    parse_version,
    rules_for,
    variants,
)

Row = dict[str, Any]

_ENCODED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")


def _form(key: str) -> str:
    """Which shape a key has; says nothing of which rule made it."""
    if set(key) <= _ENCODED:
        if key.startswith("-"):
            return "encoded"
        if key[:1].isalpha() and key[1:3] == "--":
            return "drive"
    return "named" if is_named_key(key) else "foreign"


def _is_home(home: str, label: str, homes: set[tuple[str, str]]) -> bool:
    return home == "." or home.rpartition("/")[2].startswith(".claude") or (label, home) in homes


def key_rows(files: Iterable[Row], folders: Iterable[tuple[str, str]]) -> list[Row]:
    """Rows of keys from current files and from folders listed as (label, path).

    A folder named `projects` counts as a home's when a transcript lies below it or when its place says so:
    people keep their own source code in folders of that name.
    """
    files = [row for row in files if row["is_current"]]
    homes = {(row["label"], row["home"]) for row in files if row["role"] in {"main", "subagent"}}
    n_files: Counter[tuple[str, str, str]] = Counter()
    sessions: dict[tuple[str, str, str], set[str]] = {}
    for row in files:
        if row["project_key"] is None or not _is_home(row["home"], row["label"], homes):
            continue
        key = (row["label"], row["home"], row["project_key"])
        n_files[key] += 1
        mains = sessions.setdefault(key, set())
        if row["role"] == "main":
            mains.add(row["session_id_by_name"] or row["path"])
    for label, path in folders:
        parts = path.split("/")
        if len(parts) >= 2 and parts[-2] == "projects":
            home = "/".join(parts[:-2]) or "."
            if _is_home(home, label, homes):
                sessions.setdefault((label, home, parts[-1]), set())
    return [
        {
            "label": label,
            "home": home,
            "project_key": key,
            "n_files": n_files[label, home, key],
            "n_sessions": len(mains),
            "is_empty": n_files[label, home, key] == 0,
            "form": _form(key),
            "prefix_200": key[:LIMIT] if len(key) > LIMIT else None,
            "suffix": key[LIMIT:].removeprefix("-") if len(key) > LIMIT else None,
        }
        for (label, home, key), mains in sorted(sessions.items())
    ]


def _current_filter(table: pa.Table, trims: Mapping[tuple[int, int], int | None]) -> pa.Table:
    """Rows that current views show; `trims` gives the last line that counts, None for nothing at all."""
    if not trims:
        return table
    ids = table.column("file_id").to_pylist()
    generations = table.column("generation").to_pylist()
    numbers = table.column("line_no").to_pylist()
    keep = []
    for file_id, generation, number in zip(ids, generations, numbers, strict=True):
        last = trims.get((file_id, generation), -1)
        keep.append(last == -1 or (last is not None and number <= last))
    return table.filter(pa.array(keep, pa.bool_()))


_MOVES = {("relocated", "relocated_cwd"), ("worktree-state", "worktree_path")}


class LineFacts:
    """What the derived tables need of all current lines: directories, versions, the newest time."""

    def __init__(self) -> None:
        self.cwds: Counter[str] = Counter()
        self.versions: set[str] = set()
        self.newest_us: int | None = None

    def add(self, part: Path, trims: Mapping[tuple[int, int], int | None]) -> None:
        """Read the few columns that are needed from one part of lines."""
        names = ["cwd", "agent_version", "ts"]
        if trims:
            names += ["file_id", "generation", "line_no"]
        file = pq.ParquetFile(part, read_dictionary=["cwd", "agent_version"])
        table = _current_filter(file.read(columns=names), trims)
        for pair in pc.value_counts(table.column("cwd")).to_pylist():
            if pair["values"] is not None:
                self.cwds[pair["values"]] += pair["counts"]
        self.versions |= {v for v in pc.unique(table.column("agent_version")).to_pylist() if v is not None}
        newest = pc.max(table.column("ts").cast(pa.int64())).as_py()
        if newest is not None:
            self.newest_us = newest if self.newest_us is None else max(self.newest_us, newest)

    def add_moves(self, part: Path, trims: Mapping[tuple[int, int], int | None]) -> None:
        """Read from one part of marks where sessions were moved to: no line may carry that directory yet."""
        names = ["kind", "name", "value"]
        if trims:
            names += ["file_id", "generation", "line_no"]
        table = pq.read_table(part, columns=names, partitioning=None)
        table = table.filter(pc.is_in(table.column("kind"), pa.array(sorted({kind for kind, _ in _MOVES}))))
        table = _current_filter(table, trims)
        for kind, name, value in zip(*(table.column(each).to_pylist() for each in names[:3]), strict=True):
            if (kind, name) in _MOVES and value is not None:
                self.cwds[value] += 0


def cwd_rows(cwds: Mapping[str, int]) -> list[Row]:
    """Rows of cwds: each directory with what its spelling says."""
    rows = []
    for cwd in sorted(cwds):
        guess = paths.worktree_guess(cwd)
        rows.append(
            {
                "cwd": cwd,
                "style": paths.style(cwd),
                "n_lines": cwds[cwd],
                "canonical_guess": paths.canonical_guess(cwd),
                "worktree_pattern_guess": guess.pattern if guess else None,
                "repo_root_guess": guess.repo_root if guess else None,
                "worktree_name_guess": guess.name if guess else None,
                "worktree_root_guess": guess.path if guess else None,
                "excursion_class_guess": paths.excursion_class(cwd),
                "nfc_is_certain": nfc_is_certain(cwd),
            }
        )
    return rows


def cwd_key_rows(cwds: Iterable[str], ruleset: Ruleset) -> list[Row]:
    """Rows of cwd_keys: every rule over each directory, and over other spellings that give another key."""
    rows: list[Row] = []
    for cwd in sorted(cwds):
        own = variants(cwd, ruleset)
        rows += [
            {"cwd": cwd, "alias": "", "spelling": cwd, "rule": rule, "key": key}
            for rule, key in sorted(own.items())
        ]
        seen: set[tuple[str, str]] = set()
        for alias in aliases(cwd):
            for rule in ruleset.rules:
                key = encode(alias.spelling, rule) if rule.kind == "tool" else None
                if key is None or key == own[rule.name] or (alias.kind, rule.name) in seen:
                    continue
                seen.add((alias.kind, rule.name))
                rows.append(
                    {
                        "cwd": cwd,
                        "alias": alias.kind,
                        "spelling": alias.spelling,
                        "rule": rule.name,
                        "key": key,
                    }
                )
    return sorted(rows, key=lambda row: (row["cwd"], row["alias"], row["rule"]))


def _order(version: str) -> int | None:
    number = parse_version(version)
    if number is None:
        return None
    major, minor, patch = (*number, 0, 0, 0)[:3]
    return (major * 100_000 + minor) * 100_000 + patch


def version_rule_rows(versions: Iterable[str], ruleset: Ruleset) -> list[Row]:
    """Rows of version_rules for the versions met, and for lines that record none."""
    return [
        {
            "agent": CLAUDE_CODE,
            "agent_version": version,
            "version_order": _order(version),
            "rule": candidate.rule.name,
            "basis": candidate.basis,
        }
        for version in sorted({*versions, ""})
        for candidate in sorted(
            rules_for(CLAUDE_CODE, version or None, ruleset), key=lambda one: one.rule.name
        )
    ]
