"""Git worktrees: where they lie, who entered and left them, and what became of their keys."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..eras import era_of
from ..ground import Ground, Place
from ..lines import Record, draw_hex, to_ns
from ..naive_keys import key_of, parse_version
from ..transcript import Transcript
from ..truth import WorktreeKey

_NAMES = ("new-bell", "fix-dates", "dark-style", "try-again", "smaller", "labels")
_CITIES = ("lisbon", "osaka", "turku", "quito", "busan", "bergen")

PATTERNS: dict[str, Callable[[str, str], str]] = {
    "dot_worktrees": lambda root, name: f"{root}/.worktrees/{name}",
    "sibling_dot_worktrees": lambda root, name: f"{root}.worktrees/{name}",
    "sibling_worktrees": lambda root, name: f"{root}-worktrees/{name}",
    "dot_wt": lambda root, name: f"{root}/.wt/{name}",
    "claude_worktrees": lambda root, name: f"{root}/.claude/worktrees/{name}",
    "conductor": lambda root, name: f"/home/kit/conductor/workspaces/{root.rsplit('/', 1)[-1]}/{name}",
}


def _place_of(ground: Ground, pattern: str, index: int) -> tuple[Place, str, str]:
    place = ground.settle()
    names = _CITIES if pattern == "conductor" else _NAMES
    name = f"{names[index % len(names)]}{index // len(names) or ''}"
    return place, PATTERNS[pattern](place.root, name), name


def plant_worktree(ground: Ground, index: int, *, pattern: str) -> None:
    """Sessions started in a worktree are kept: one in a removed one, several in a live one, and so on."""
    place, worktree, name = _place_of(ground, pattern, index)
    is_removed = index % 3 != 1
    is_one_session = index % 3 == 0
    ground.add_directory(worktree, exists=not is_removed, repo_root=place.root, is_worktree=True)
    root = ground.start(place)
    root.open()
    root.turns(ground.pick_turns())
    ground.keep(root, home=place.home)
    now = root.now
    n_sessions = 1 if is_one_session else ground.rng.randint(2, 3)
    version = ground.pick_version()
    for _ in range(n_sessions):
        transcript = ground.start(place, cwd=worktree, version=version, now=now, branch=f"topic/{name}")
        transcript.open()
        transcript.turns(ground.pick_turns())
        ground.keep(transcript, home=place.home)
        now = transcript.now
    ground.planted["worktree_keys"].append(
        WorktreeKey(
            home=place.home,
            project_key=key_of(worktree, version=version),
            worktree=worktree,
            pattern=pattern,
            repo_root=place.root,
            n_sessions=n_sessions,
            is_one_session=is_one_session,
            state="removed" if is_removed else "registered",
            witnesses=("path",),
        )
    )


def describe_worktree(transcript: Transcript, *, root: str, worktree: str, name: str) -> Record:
    """The body of a worktree-state line."""
    return {
        "originalCwd": root,
        **({"preEnterOriginalCwd": root} if era_of(transcript.version).moves_into_worktrees else {}),
        "worktreePath": worktree,
        "worktreeName": name,
        "worktreeBranch": f"worktree-{name}",
        "originalBranch": "main",
        "originalHeadCommit": draw_hex(transcript.rng, 40),
        "sessionId": transcript.session_id,
    }


def enter_worktree(transcript: Transcript, *, root: str, worktree: str, name: str) -> None:
    """The agent's own tool made a worktree and went into it, by the rules of its version."""
    era = era_of(transcript.version)
    tool_use_id = "toolu_01" + draw_hex(transcript.rng, 22)
    call = {"type": "tool_use", "id": tool_use_id, "name": "EnterWorktree", "input": {"name": name}}
    transcript.answer([call], stop="tool_use")
    if era.moves_into_worktrees:
        transcript.relocate(worktree)
        transcript.branch = f"worktree-{name}"
    if era.writes_worktree_state:
        transcript.write_worktree_state(
            describe_worktree(transcript, root=root, worktree=worktree, name=name)
        )
    transcript.cwd = worktree
    transcript.tool_result(tool_use_id, f"Created worktree at {worktree} on branch worktree-{name}")


def leave_worktree(transcript: Transcript, *, root: str) -> None:
    """The agent left the worktree and is in the repository again."""
    era = era_of(transcript.version)
    tool_use_id = "toolu_01" + draw_hex(transcript.rng, 22)
    worktree = transcript.cwd
    call = {"type": "tool_use", "id": tool_use_id, "name": "ExitWorktree", "input": {"action": "keep"}}
    transcript.answer([call], stop="tool_use")
    if era.moves_into_worktrees:
        transcript.relocate(root)
    if era.writes_worktree_state:
        transcript.write_worktree_state(None)
    transcript.cwd = root
    transcript.branch = "main"
    transcript.tool_result(tool_use_id, f"Exited worktree. Your work is preserved at {worktree}")


def plant_entered(ground: Ground, index: int) -> None:
    """A session that entered a worktree and stayed: its file moved along from 2.1.223, not before."""
    place, worktree, name = _place_of(ground, "claude_worktrees", index)
    moves = index % 2 == 0
    limits = {"at_least": "2.1.223"} if moves else {"at_least": "2.1.100", "at_most": "2.1.170"}
    version = ground.pick_version(**limits)
    is_removed = index % 4 < 2
    ground.add_directory(worktree, exists=not is_removed, repo_root=place.root, is_worktree=True)
    transcript = ground.start(place, version=version)
    transcript.open()
    transcript.turn()
    enter_worktree(transcript, root=place.root, worktree=worktree, name=name)
    transcript.turns(ground.pick_turns())
    key = key_of(worktree if moves else place.root, version=version)
    ground.keep(transcript, home=place.home, key=key)
    if moves:
        ground.planted["worktree_keys"].append(
            WorktreeKey(
                home=place.home,
                project_key=key,
                worktree=worktree,
                pattern="claude_worktrees",
                repo_root=place.root,
                n_sessions=1,
                is_one_session=True,
                state="removed" if is_removed else "registered",
                witnesses=("path", "relocated", "worktree-state"),
            )
        )


def plant_left(ground: Ground, index: int) -> None:
    """A session that entered a worktree and left it again: its file is back under the first key."""
    place, worktree, name = _place_of(ground, "claude_worktrees", index)
    version = ground.pick_version(at_least="2.1.100")
    ground.add_directory(worktree, exists=index % 2 == 0, repo_root=place.root, is_worktree=True)
    transcript = ground.start(place, version=version)
    transcript.open()
    transcript.turn()
    enter_worktree(transcript, root=place.root, worktree=worktree, name=name)
    transcript.turns(ground.pick_turns())
    leave_worktree(transcript, root=place.root)
    transcript.turn()
    ground.keep(transcript, home=place.home, key=key_of(place.root, version=version))


def plant_three_runs(ground: Ground, index: int) -> None:
    """A session that started in the repository and went through two worktrees, its file in the last."""
    place = ground.settle()
    first, last = f"{place.root}/.wt/feature-{index}", f"{place.root}/.wt/task-{index + 7}"
    for worktree, exists in ((first, True), (last, False)):
        ground.add_directory(worktree, exists=exists, repo_root=place.root, is_worktree=True)
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.223"))
    transcript.open()
    transcript.turn()
    transcript.relocate(first)
    transcript.turns(ground.pick_turns() + 1)
    transcript.relocate(last)
    transcript.turns(ground.pick_turns())
    key = key_of(last, version=transcript.version)
    ground.keep(transcript, home=place.home, key=key)
    ground.planted["worktree_keys"].append(
        WorktreeKey(place.home, key, last, "dot_wt", place.root, 1, True, "removed", ("path", "relocated"))
    )


def plant_isolated_agent(ground: Ground, index: int) -> None:
    """A subagent that worked in a worktree of its own, which its meta file names."""
    place = ground.settle()
    version = ground.pick_version(at_least="2.1.112")
    transcript = ground.start(place, version=version)
    transcript.open()
    transcript.turns(ground.pick_turns())
    agent_id = "a" + draw_hex(ground.rng, 16)
    worktree = f"{place.root}/.claude/worktrees/agent-{agent_id}"
    ground.add_directory(worktree, exists=index % 2 == 1, repo_root=place.root, is_worktree=True)
    agent = ground.start(
        place,
        cwd=worktree,
        version=version,
        now=transcript.now,
        session_id=transcript.session_id,
        agent_id=agent_id,
    )
    agent.prompt("Look through the tests and list what is not covered.")
    agent.run_something()
    agent.answer([{"type": "text", "text": "Two functions have no test."}])
    key = key_of(place.root, version=version)
    path = ground.keep(transcript, home=place.home, key=key)
    name = f"{transcript.session_id}/subagents/agent-{agent_id}"
    ground.keep(agent, home=place.home, key=key, name=name, role="subagent")
    meta = {
        "agentType": "general-purpose",
        "worktreePath": worktree,
        "spawnedWithWorktree": True,
        "worktreeBranch": f"worktree-agent-{agent_id}",
        "description": "List what is not covered",
        "spawnDepth": 1,
    }
    ground.add_file(
        f"{path.removesuffix('.jsonl')}/subagents/agent-{agent_id}.meta.json",
        json.dumps(meta, separators=(",", ":")).encode(),
        role="sidecar",
        home=place.home,
        key=key,
        mtime_ns=to_ns(agent.now),
    )


def plant_stranded_agents(ground: Ground, index: int) -> None:
    """The main file stayed in the repository's key while its subagents were filed under the worktree's."""
    place, worktree, name = _place_of(ground, "claude_worktrees", index)
    version = ground.pick_version(at_least="2.1.100", at_most="2.1.170")
    if parse_version(version) > (2, 1, 170):
        raise AssertionError("later versions move the main file too")
    ground.add_directory(worktree, exists=False, repo_root=place.root, is_worktree=True)
    transcript = ground.start(place, version=version)
    transcript.open()
    transcript.turn()
    enter_worktree(transcript, root=place.root, worktree=worktree, name=name)
    agent_id = "a" + draw_hex(ground.rng, 16)
    agent = ground.start(
        place,
        cwd=worktree,
        version=version,
        now=transcript.now,
        session_id=transcript.session_id,
        agent_id=agent_id,
    )
    agent.prompt("Count the files that mention the bell.")
    agent.run_something()
    agent.answer([{"type": "text", "text": "Three files mention it."}])
    transcript.now = agent.now
    transcript.turn()
    ground.keep(transcript, home=place.home, key=key_of(place.root, version=version))
    key = key_of(worktree, version=version)
    name = f"{transcript.session_id}/subagents/agent-{agent_id}"
    ground.keep(agent, home=place.home, key=key, name=name, role="subagent")
    ground.planted["worktree_keys"].append(
        WorktreeKey(
            home=place.home,
            project_key=key,
            worktree=worktree,
            pattern="claude_worktrees",
            repo_root=place.root,
            n_sessions=0,
            is_one_session=False,
            state="removed",
            witnesses=("path", "worktree-state"),
        )
    )


def plant_ghost(ground: Ground, index: int) -> None:
    """Git knows a worktree in which no agent ever worked."""
    place, worktree, _ = _place_of(ground, tuple(PATTERNS)[index % 5], index)
    ground.add_directory(worktree, exists=True, repo_root=place.root, is_worktree=True)
    transcript = ground.start(place)
    transcript.open()
    transcript.turns(ground.pick_turns())
    ground.keep(transcript, home=place.home)


def _bind(pattern: str) -> Callable[[Ground, int], None]:
    return lambda ground, index: plant_worktree(ground, index, pattern=pattern)


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    **{f"worktree_{pattern}": _bind(pattern) for pattern in PATTERNS},
    "worktree_entered": plant_entered,
    "worktree_left": plant_left,
    "worktree_three_runs": plant_three_runs,
    "worktree_isolated_agent": plant_isolated_agent,
    "worktree_stranded_agents": plant_stranded_agents,
    "worktree_ghost": plant_ghost,
}
