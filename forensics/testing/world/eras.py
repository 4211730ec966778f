"""What an agent of a given version writes: the differences that show on disk."""

from __future__ import annotations

from dataclasses import dataclass

from .naive_keys import parse_version

KNOWN_VERSIONS = (
    "1.0.51",
    "1.0.83",
    "1.0.119",
    "1.0.128",
    "2.0.77",
    "2.1.20",
    "2.1.50",
    "2.1.112",
    "2.1.170",
    "2.1.223",
    "2.1.332",
)


@dataclass(frozen=True, slots=True)
class Era:
    """The habits of one agent version."""

    version: str
    model: str
    has_git_branch: bool
    has_summary_lines: bool
    has_queue_operations: bool
    has_snapshots: bool
    has_progress: bool
    has_turn_duration: bool
    has_attachments: bool
    has_last_prompt: bool
    has_agent_name: bool
    inlines_sidechains: bool
    nests_subagents: bool
    writes_meta: bool
    writes_worktree_state: bool
    moves_into_worktrees: bool
    writes_boundaries: bool


def era_of(version: str) -> Era:
    """The habits of this version, as far as they were seen in real transcripts."""
    at = parse_version(version)
    if at >= (2, 1, 300):
        model = "claude-opus-5-5"
    elif at >= (2, 1, 200):
        model = "claude-opus-5"
    elif at >= (2, 0, 0):
        model = "claude-sonnet-4-5-20250929"
    else:
        model = "claude-sonnet-4-20250514"
    return Era(
        version=version,
        model=model,
        has_git_branch=at >= (1, 0, 52),
        has_summary_lines=at <= (2, 1, 20),
        has_queue_operations=at >= (2, 0, 0),
        has_snapshots=(2, 0, 0) <= at < (2, 1, 200),
        has_progress=(2, 1, 7) <= at <= (2, 1, 50),
        has_turn_duration=(2, 1, 0) <= at < (2, 1, 200),
        has_attachments=at >= (2, 1, 100),
        has_last_prompt=at >= (2, 1, 100),
        has_agent_name=at >= (2, 1, 223),
        inlines_sidechains=at < (2, 0, 0),
        nests_subagents=at >= (2, 1, 50),
        writes_meta=at >= (2, 1, 112),
        writes_worktree_state=at >= (2, 1, 112),
        moves_into_worktrees=at >= (2, 1, 223),
        writes_boundaries=at > (1, 0, 90),
    )
