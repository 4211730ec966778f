"""What was planted in a world, as plain data: the expectation that findings are held against."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Damage:
    """One fault at one line; `n_records` whole records can still be read there."""

    line_no: int
    kind: str
    variant: str
    n_records: int
    cwd: str | None
    repeats_line: int | None = None


@dataclass(frozen=True, slots=True)
class FileTruth:
    """One file of the tree; lines are cut at newlines, blank ones counted among them."""

    path: str
    home: str | None
    project_key: str | None
    role: str
    n_bytes: int
    n_lines: int
    n_blank: int
    ends_with_newline: bool
    mtime_ns: int
    damage: tuple[Damage, ...] = ()


@dataclass(frozen=True, slots=True)
class CwdRun:
    """Consecutive main-chain lines with one cwd; `n_damaged` further lines of it cannot be read whole."""

    cwd: str
    n_lines: int
    first_line: int
    last_line: int
    n_damaged: int = 0


@dataclass(frozen=True, slots=True)
class Compaction:
    """One compaction: `witness` is what shows the summary (flag, transcript_only, opening) or boundary."""

    boundary_line: int | None
    summary_line: int | None
    witness: str
    is_paired: bool
    trigger: str | None
    pre_tokens: int | None
    logical_parent: str
    boundary_session_id: str | None


@dataclass(frozen=True, slots=True)
class Move:
    """One `relocated` or `worktree-state` line; cwd is null where a worktree was left."""

    line_no: int
    type: str
    cwd: str | None


@dataclass(frozen=True, slots=True)
class Title:
    """One title line: custom, ai or agent."""

    line_no: int
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a file, each message id counted once with its last record."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0


@dataclass(frozen=True, slots=True)
class SessionTruth:
    """One transcript file, main or subagent. Counts leave damaged lines out."""

    path: str
    home: str
    project_key: str
    role: str
    session_id: str
    session_id_lines: tuple[tuple[str, int], ...]
    agent_versions: tuple[str, ...]
    types: tuple[tuple[str, int], ...]
    cwd_runs: tuple[CwdRun, ...]
    first_cwd: str | None
    last_cwd: str | None
    n_main_lines_without_cwd: int
    n_sidechain_lines: int
    human_lines: tuple[int, ...]
    n_human_prompts: int
    n_message_ids: int
    tokens: Tokens
    compactions: tuple[Compaction, ...]
    n_lines_after_compaction: int | None
    n_human_after_compaction: int | None
    moves: tuple[Move, ...]
    titles: tuple[Title, ...]
    first_ts: str | None
    last_ts: str | None
    mtime_ns: int
    is_pending: bool
    stub_reason: str | None
    key_state: str
    match_first: bool
    match_last: bool
    match_any: bool
    match_relocated: bool


@dataclass(frozen=True, slots=True)
class Collision:
    """A key that several directories share. Kinds: two_directories, inherited, moved, contaminated."""

    home: str
    project_key: str
    cwds: tuple[str, ...]
    cause: str
    kind: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Something that looks like a fault and is none."""

    home: str
    kind: str
    project_keys: tuple[str, ...]
    cwds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LongPrefix:
    """Different directories whose keys begin with the same 200 characters."""

    home: str
    project_keys: tuple[str, ...]
    cwds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorktreeKey:
    """The key of a git worktree: state is registered or removed, witnesses say how it can be told."""

    home: str
    project_key: str
    worktree: str
    pattern: str
    repo_root: str
    n_sessions: int
    is_one_session: bool
    state: str
    witnesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alias:
    """One directory that has several keys, because it is spelled in several ways."""

    home: str
    cause: str
    cwds: tuple[str, ...]
    project_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OddKey:
    """A key that no rule of its version gives: named, foreign (with the rule of its writer), misfiled."""

    home: str
    project_key: str
    kind: str
    rule: str | None
    cwds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two files that share history. Relations: equal, prefix, fork, diverged, stub, home_copy."""

    relation: str
    path: str
    other_path: str


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A `summary` line and where its leaf stands: own, other (with the path) or nowhere."""

    path: str
    line_no: int
    leaf_uuid: str
    leaf_in: str
    leaf_path: str | None


@dataclass(frozen=True, slots=True)
class Absence:
    """Something the evidence refers to that is not there; line_no is null for a whole file."""

    kind: str
    path: str
    line_no: int | None
    missing: str


@dataclass(frozen=True, slots=True)
class Shutdown:
    """Sessions that a machine took down with it. Times are seconds since 1970."""

    home: str
    t_last_s: int
    t_boot_s: int
    window_s: int
    paths: tuple[str, ...]
    earlier_paths: tuple[str, ...]
    after_boot_paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noted:
    """A session, or several, with a property of its own: kind says which."""

    kind: str
    paths: tuple[str, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link, a FIFO or an empty folder of the tree."""

    path: str
    kind: str
    target: str | None


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory of the machine the evidence comes from, for those who play a probe."""

    cwd: str
    exists: bool
    repo_root: str | None
    is_worktree: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything planted in one world."""

    seed: int
    homes: tuple[str, ...]
    files: tuple[FileTruth, ...]
    sessions: tuple[SessionTruth, ...]
    collisions: tuple[Collision, ...]
    near_misses: tuple[NearMiss, ...]
    long_prefixes: tuple[LongPrefix, ...]
    worktree_keys: tuple[WorktreeKey, ...]
    aliases: tuple[Alias, ...]
    odd_keys: tuple[OddKey, ...]
    duplicates: tuple[Duplicate, ...]
    summary_lines: tuple[SummaryLine, ...]
    absences: tuple[Absence, ...]
    shutdowns: tuple[Shutdown, ...]
    notes: tuple[Noted, ...]
    links: tuple[Link, ...]
    directories: tuple[Directory, ...]

    def session_at(self, path: str) -> SessionTruth:
        """The transcript at this path.

        Raises: KeyError, if no transcript of this world is there.
        """
        for session in self.sessions:
            if session.path == path:
                return session
        raise KeyError(path)


def dump_truth(truth: Truth) -> str:
    """The truth as JSON, one planted thing a line."""
    parts = []
    for field in fields(truth):
        value = getattr(truth, field.name)
        if isinstance(value, tuple) and value and not isinstance(value[0], str):
            rows = ",\n".join(json.dumps(asdict(item), ensure_ascii=True) for item in value)
            parts.append(f'"{field.name}": [\n{rows}\n]')
        else:
            parts.append(f'"{field.name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_truth(truth: Truth, path: Path) -> None:
    """The truth stands at `path` afterwards."""
    path.write_text(dump_truth(truth), encoding="utf-8")
