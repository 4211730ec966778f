"""Subagents: where their files lie, and those whose parent is missing."""

from __future__ import annotations

import json
from collections.abc import Callable

from ..eras import era_of
from ..ground import Ground, Place
from ..lines import draw_hex, to_ns
from ..naive_keys import key_of
from ..transcript import Transcript
from ..truth import Absence


def _run_agent(ground: Ground, place: Place, parent: Transcript, *, agent_id: str) -> Transcript:
    agent = ground.start(
        place,
        cwd=parent.cwd,
        version=parent.version,
        now=parent.now,
        session_id=parent.session_id,
        agent_id=agent_id,
    )
    agent.prompt(f"Read {place.story.files[0]} and say what it does in three sentences.")
    agent.run_something()
    agent.answer([{"type": "text", "text": place.story.asks[0].closing}])
    return agent


def _call_agent(ground: Ground, place: Place, parent: Transcript, *, agent_id: str) -> Transcript:
    """The agent's own transcript; the call and its result stand in the parent's."""
    tool_use_id = "toolu_01" + draw_hex(ground.rng, 22)
    arguments = {"description": "Read one file", "prompt": "Read it.", "subagent_type": "general-purpose"}
    call = {"type": "tool_use", "id": tool_use_id, "name": "Task", "input": arguments}
    parent.answer([call], stop="tool_use")
    agent = _run_agent(ground, place, parent, agent_id=agent_id)
    parent.now = agent.now
    blocks = [
        {"type": "text", "text": text} for text in (place.story.asks[0].closing, f"agentId: {agent_id}")
    ]
    parent.tool_result(tool_use_id, blocks)
    return agent


def _keep_agent(ground: Ground, place: Place, agent: Transcript, *, key: str, below: str) -> None:
    path = ground.keep(agent, home=place.home, key=key, name=below, role="subagent")
    if era_of(agent.version).writes_meta:
        meta = {"agentType": "general-purpose", "description": "Read one file", "spawnDepth": 1}
        ground.add_file(
            path.removesuffix(".jsonl") + ".meta.json",
            json.dumps(meta, separators=(",", ":")).encode(),
            role="sidecar",
            home=place.home,
            key=key,
            mtime_ns=to_ns(agent.now),
        )


def _plant_agents(
    ground: Ground, *, version: str, n_agents: int, nested: str | None, has_parent: bool
) -> None:
    place = ground.settle()
    parent = ground.start(place, version=version)
    parent.open()
    parent.turn()
    key = key_of(place.root, version=version)
    n_digits = 7 if nested is None else 17
    for _ in range(n_agents):
        parent.prompt(place.story.asks[0].prompt)
        agent_id = "a" + draw_hex(ground.rng, n_digits - 1)
        agent = _call_agent(ground, place, parent, agent_id=agent_id)
        parent.answer([{"type": "text", "text": place.story.asks[0].closing}])
        below = f"agent-{agent_id}" if nested is None else f"{parent.session_id}/{nested}/agent-{agent_id}"
        _keep_agent(ground, place, agent, key=key, below=below)
        if not has_parent:
            path = ground.sessions[-1].path
            ground.planted["absences"].append(Absence("parent_session", path, None, parent.session_id))
    if has_parent:
        parent.turn()
        ground.keep(parent, home=place.home)


def plant_flat(ground: Ground, index: int) -> None:
    """Subagents beside their session, as old versions wrote them."""
    version = ground.pick_version(at_least="2.0.0", at_most="2.1.20")
    _plant_agents(ground, version=version, n_agents=1 + index % 2, nested=None, has_parent=True)


def plant_nested(ground: Ground, index: int) -> None:
    """Subagents in the folder of their session, some of them in a workflow."""
    version = ground.pick_version(at_least="2.1.50")
    nested = "subagents" if index % 2 == 0 else "subagents/workflows/run-1"
    _plant_agents(ground, version=version, n_agents=1 + index % 2, nested=nested, has_parent=True)


def plant_orphans(ground: Ground, index: int) -> None:
    """Subagents whose session has no file."""
    if index % 2 == 0:
        version = ground.pick_version(at_least="2.1.50")
        _plant_agents(ground, version=version, n_agents=2, nested="subagents", has_parent=False)
    else:
        version = ground.pick_version(at_least="2.0.0", at_most="2.1.20")
        _plant_agents(ground, version=version, n_agents=1, nested=None, has_parent=False)


def plant_inline(ground: Ground, index: int) -> None:
    """A session of an old version that holds the lines of its subagents itself."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_most="1.0.128"))
    transcript.turn()
    chain = transcript.last_uuid
    transcript.is_sidechain = True
    transcript.last_uuid = None
    transcript.prompt("Count the open questions in the notes.")
    transcript.run_something()
    transcript.answer([{"type": "text", "text": "There are four."}])
    transcript.is_sidechain = False
    transcript.last_uuid = chain
    transcript.turns(ground.pick_turns() + index % 2)
    ground.keep(transcript, home=place.home)


def plant_large_result(ground: Ground, index: int) -> None:
    """A session with a tool result that was put into a file of its own."""
    place = ground.settle()
    transcript = ground.start(place, version=ground.pick_version(at_least="2.1.100"))
    transcript.open()
    transcript.turns(ground.pick_turns())
    name = f"b{draw_hex(ground.rng, 8)}.txt"
    path = ground.keep(transcript, home=place.home).removesuffix(".jsonl")
    text = "\n".join(output for _, output in place.story.runs) + "\n"
    ground.add_file(
        f"{path}/tool-results/{name}",
        (text * (20 + index)).encode(),
        role="sidecar",
        home=place.home,
        key=key_of(place.root, version=transcript.version),
        mtime_ns=to_ns(transcript.now),
    )


PLANTS: dict[str, Callable[[Ground, int], None]] = {
    "agents_flat": plant_flat,
    "agents_nested": plant_nested,
    "agents_orphaned": plant_orphans,
    "agents_inline": plant_inline,
    "large_result": plant_large_result,
}
