"""The tables that a probe file gives a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa

from forensics.schema import Column, Table

_STR = pa.string()
_BOOL = pa.bool_()
_I64 = pa.int64()
_LABEL = Column("label", _STR, "The source whose machine was probed.")

_TABLES = (
    Table(
        "probe_paths",
        "Directories met in the evidence, as the machine it comes from saw them.",
        ("label", "path"),
        False,
        (
            _LABEL,
            Column("path", _STR, "As recorded; lone surrogates as \\uXXXX."),
            Column(
                "exists", _BOOL, "Whether something stands there, links followed; null: nobody could look."
            ),
            Column("is_dir", _BOOL, "Whether it is a directory; null: nobody could look."),
            Column("real_path", _STR, "The path with the links of its existing part resolved."),
            Column("git_common_dir", _STR, "The repository of an existing directory; null outside of one."),
            Column(
                "is_worktree",
                _BOOL,
                "Whether it lies in a linked worktree; null outside a repository or without a directory.",
            ),
            Column("git_top", _STR, "The top directory of its working tree."),
            Column(
                "nearest_git_common_dir",
                _STR,
                "For a path that is gone: the repository of the nearest directory above it that exists.",
            ),
            Column("note", _STR, "Why nobody could look, or null."),
        ),
    ),
    Table(
        "probe_keys",
        "Keys of the resolved paths, for directories that were recorded under another spelling.",
        ("label", "path", "rule"),
        False,
        (
            _LABEL,
            Column("path", _STR, "As in probe_paths."),
            Column("real_path", _STR, "The spelling that was encoded."),
            Column("rule", _STR, "The rule's name in the ruleset."),
            Column("key", _STR, "The key; null where the tool itself refuses."),
            Column("is_folder", _BOOL, "Whether a home on that machine had a folder of this name."),
        ),
    ),
    Table(
        "probe_worktrees",
        "Working trees of every repository met, as its machine lists them; the main one too.",
        ("label", "repo_root", "worktree_path"),
        False,
        (
            _LABEL,
            Column("repo_root", _STR, "The main working tree, or the folder of a bare repository."),
            Column("worktree_path", _STR, "The working tree."),
            Column("branch", _STR, "Its branch; null when detached, bare or not told."),
            Column("head", _STR, "Its commit; null when bare or without one."),
            Column("is_detached", _BOOL, "Its head is detached."),
            Column("is_locked", _BOOL, "It is locked against removal."),
            Column("is_prunable", _BOOL, "git would forget it, as its directory is gone."),
            Column("is_bare", _BOOL, "It is a bare repository and no working tree."),
            Column("git_common_dir", _STR, "The repository."),
            Column("told_by", _STR, "git, or files when git was not there or refused."),
        ),
    ),
    Table(
        "probe_host",
        "Facts about the machine.",
        ("label", "name", "value"),
        False,
        (
            _LABEL,
            Column(
                "name",
                _STR,
                "taken_at, platform, machine, system_release, boot_time, boot_time_s, git_version, home, "
                "projects_real_path, projects_ignore_case, n_not_looked, repository_not_listed, unread.",
            ),
            Column("value", _STR, "Its value as text; times in UTC."),
        ),
    ),
    Table(
        "probe_registry",
        "The live registry of sessions when the probe was taken.",
        ("label", "home", "file"),
        False,
        (
            _LABEL,
            Column("home", _STR, "The home whose registry it is, an absolute path."),
            Column("file", _STR, "The file in its `sessions/`."),
            Column("pid", _I64, "Process id."),
            Column("session_id", _STR, "Session id."),
            Column("cwd", _STR, "Working directory."),
            Column("started_at_ms", _I64, "Start, milliseconds since 1970."),
            Column("version", _STR, "The agent's version."),
            Column("kind", _STR, "The kind of session."),
            Column("entrypoint", _STR, "How the agent was started."),
            Column("tmux", _STR, "Session, window and pane of tmux."),
            Column("name", _STR, "The session's name."),
            Column("status", _STR, "The status it gave itself."),
            Column("is_alive", _BOOL, "Whether that very process lived when the probe was taken."),
        ),
    ),
    Table(
        "probe_active_worktrees",
        "Worktrees that the agent's settings call active.",
        ("label", "home", "project", "worktree_path"),
        False,
        (
            _LABEL,
            Column("home", _STR, "The home whose settings say so, an absolute path."),
            Column("project", _STR, "The project they stand under."),
            Column("session_id", _STR, "The session in the worktree."),
            Column("original_cwd", _STR, "Where it came from."),
            Column("worktree_path", _STR, "The worktree."),
            Column("worktree_name", _STR, "Its name."),
            Column("worktree_branch", _STR, "Its branch."),
            Column("original_branch", _STR, "The branch it came from."),
            Column("original_head", _STR, "The commit it came from."),
        ),
    ),
)

PROBE_TABLES: Final[Mapping[str, Table]] = {table.name: table for table in _TABLES}
