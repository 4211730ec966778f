"""What a path says: home, key, role, session and agent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.sources.claude_code.place import Place, is_session_name, read_place

ONE = "11111111-2222-4333-8444-555555555551"
TWO = "11111111-2222-4333-8444-555555555552"


@pytest.mark.parametrize(
    ("path", "home", "key"),
    [
        (f"projects/-srv-a/{ONE}.jsonl", ".", "-srv-a"),
        (f".claude/projects/-srv-a/{ONE}.jsonl", ".claude", "-srv-a"),
        (f"ann/.claude/projects/-srv-a/{ONE}.jsonl", "ann/.claude", "-srv-a"),
        (f"projects/x/projects/-srv-a/{ONE}.jsonl", "projects/x", "-srv-a"),
        (f"projects/-srv-a/copy/projects/-srv-b/{ONE}.jsonl", "projects/-srv-a/copy", "-srv-b"),
        (f"projects/-srv-a/src/projects/shop/{ONE}.jsonl", ".", "-srv-a"),
        (f"home/projects/shop/src/projects/tool/{ONE}.jsonl", "home/projects/shop/src", "tool"),
        (f"projects/C--Users-kit/{ONE}.jsonl", ".", "C--Users-kit"),
        (f"projects/my_project/{ONE}.jsonl", ".", "my_project"),
        (f"projects/-/{ONE}.jsonl", ".", "-"),
        (f"projects.bak-2026/-srv-a/{ONE}.jsonl", ".", None),
        (f"Projects/-srv-a/{ONE}.jsonl", ".", None),
        (f"projects/{ONE}.jsonl", ".", None),
        (f"-srv-a/{ONE}.jsonl", ".", None),
        (f"{ONE}.jsonl", ".", None),
        ("projects/-srv-a/日本/x.txt", ".", "-srv-a"),
    ],
)
def test_home_and_key_come_from_the_projects_folder(path: str, home: str, key: str | None) -> None:
    place = read_place(path)
    assert (place.home, place.project_key) == (home, key)


K = "projects/-srv-a"


@pytest.mark.parametrize(
    ("path", "role", "session", "agent"),
    [
        (f"{K}/{ONE}.jsonl", "main", ONE, None),
        (f"{K}/{ONE.upper()}.jsonl", "main", ONE.upper(), None),
        (f"{K}/notes.jsonl", "main", None, None),
        (f"{K}/agent-1a2b3c4.jsonl", "subagent", None, "1a2b3c4"),
        (f"{K}/agent-acompact-7f.jsonl", "subagent", None, "acompact-7f"),
        (f"{K}/{ONE}/subagents/agent-7f.jsonl", "subagent", ONE, "7f"),
        (f"{K}/{ONE}/subagents/workflows/run-1/agent-7f.jsonl", "subagent", ONE, "7f"),
        (f"{K}/{ONE}/subagents/{TWO}/agent-7f.jsonl", "subagent", TWO, "7f"),
        (f"{K}/{ONE}/subagents/agent-7f.meta.json", "sidecar", ONE, "7f"),
        (f"{K}/agent-7f.meta.json", "sidecar", None, "7f"),
        (f"{K}/{ONE}/archived.json", "sidecar", ONE, None),
        (f"{K}/{ONE}/custom-title.json", "sidecar", ONE, None),
        (f"{K}/{ONE}/resume-head.jsonl", "sidecar", ONE, None),
        (f"{K}/{ONE}/tool-results/toolu_1.txt", "sidecar", ONE, None),
        (f"{K}/memory/MEMORY.md", "sidecar", None, None),
        (f"{K}/memory/log.jsonl", "sidecar", None, None),
        (f"{K}/sessions-index.json", "index", None, None),
        (f"{K}/{ONE}.jsonl.bak", "other", None, None),
        (f"{K}/{ONE}.json", "other", None, None),
        (f"{K}/agent-.jsonl", "main", None, None),
        ("history.jsonl", "main", None, None),
        ("settings.json", "other", None, None),
        ("memory/x.jsonl", "sidecar", None, None),
    ],
)
def test_roles_sessions_and_agents_come_from_names(
    path: str, role: str, session: str | None, agent: str | None
) -> None:
    place = read_place(path)
    assert (place.role, place.session_id, place.agent_id) == (role, session, agent)


@pytest.mark.parametrize("name", ["", "x", ONE[:-1], ONE + "0", ONE.replace("-", "_"), f" {ONE}", f"{ONE}\n"])
def test_what_is_no_session_id_is_not_called_one(name: str) -> None:
    assert not is_session_name(name)


names = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=6)
parts = st.lists(names | st.sampled_from(["projects", "-srv-a", ONE, "memory"]), min_size=1, max_size=6)


@given(parts)
def test_every_path_has_a_place_and_its_parts_are_those_of_the_path(path: list[str]) -> None:
    place = read_place("/".join(path))
    if place.project_key is None:
        assert place.home == "."
    else:
        home = [] if place.home == "." and path[0] != "." else place.home.split("/")
        assert path[: len(home) + 2] == [*home, "projects", place.project_key]


@given(parts)
def test_a_home_further_down_says_the_same_of_what_it_holds(path: list[str]) -> None:
    inner = ["projects", "-srv-key", *path]
    alone, below = read_place("/".join(inner)), read_place("/".join(["x", "y", *inner]))
    home = "x/y" if alone.home == "." else f"x/y/{alone.home}"
    assert below == Place(home, alone.project_key, alone.role, alone.session_id, alone.agent_id)
