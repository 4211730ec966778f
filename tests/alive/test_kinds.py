"""Places, their names, and the trace of a given name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.alive.kinds import (
    REPOSITORY,
    SCRATCH,
    WORKTREE,
    ambiguous_names,
    generation_of,
    is_enumerable,
    is_hub,
    kind_of,
    repository_of,
    slug_of,
    trace_of,
)
from forensics.sources.claude_code.marks import hash_text


@pytest.mark.parametrize(
    ("path", "kind", "slug", "generation"),
    [
        ("/home/kit/src/x01", REPOSITORY, "x01", "plain"),
        ("/home/kit/src/x01/.worktrees/topic", WORKTREE, "x01--topic", "dashes"),
        ("/home/kit/.cc-scratch/3f9a2c1b", SCRATCH, "tmp-3f9a2c1b", "id"),
        ("/home/kit/.cc-scratch/1", SCRATCH, "tmp-1", "slot"),
        ("/home/kit/.cc-scratch/8", SCRATCH, "tmp-8", "slot"),
        ("/home/kit/.cc-scratch/9", SCRATCH, "tmp-9", "plain"),
        ("/home/kit/src/x01.worktrees/topic", REPOSITORY, "topic", "plain"),
        ("/home/kit/src/my.app v2", REPOSITORY, "my-app-v2", "plain"),
        ("/home/kit/src/日本", REPOSITORY, "--", "dashes"),
        ("/home/kit/src/snake_case", REPOSITORY, "snake_case", "plain"),
        ("/home/kit/src/x01/.worktrees/a.b", WORKTREE, "x01--a-b", "dashes"),
        ("/home/kit/src/x01/.worktrees/topic/sub", REPOSITORY, "sub", "plain"),
        ("C:\\src\\x01\\.worktrees\\topic", WORKTREE, "x01--topic", "dashes"),
        ("/home/kit/.cc-scratch", REPOSITORY, "-cc-scratch", "plain"),
        ("/", REPOSITORY, "-", "plain"),
    ],
)
def test_a_place_has_a_kind_and_a_name(path: str, kind: int, slug: str, generation: str) -> None:
    found = slug_of(path)
    assert (kind_of(path), found.text, generation_of(found.text)) == (kind, slug, generation)


def test_a_newline_in_a_name_is_part_of_it() -> None:
    assert repository_of("/srv/x01/.worktrees/topic\n") == "/srv/x01"
    assert repository_of("/srv/x01\n/.worktrees/topic/") == "/srv/x01\n"


def test_an_older_name_with_an_at_sign_is_known_too() -> None:
    assert "x01@topic" in slug_of("/home/kit/src/x01/.worktrees/topic").forms
    assert generation_of("x01@topic") == "at"


def test_a_last_name_that_two_repositories_share_takes_the_owner_with_it() -> None:
    places = ["/srv/ada/x01", "/srv/kit/x01", "/srv/kit/x02", "/srv/kit/x01/.worktrees/topic"]
    ambiguous = ambiguous_names(places)
    assert ambiguous == {"x01"}
    assert slug_of("/srv/ada/x01", ambiguous=ambiguous).text == "ada-x01"
    assert slug_of("/srv/kit/x01/.worktrees/topic", ambiguous=ambiguous).text == "kit-x01--topic"
    assert slug_of("/srv/kit/x02", ambiguous=ambiguous).text == "x02"


def test_one_repository_in_two_spellings_is_not_ambiguous() -> None:
    assert ambiguous_names(["/tmp/x01", "/private/tmp/x01", "/tmp/x01/"]) == frozenset()


def test_a_repository_called_hub_is_never_named_like_the_hub() -> None:
    slug = slug_of("/srv/kit/hub")
    assert slug.text == "kit-hub"
    assert "hub" not in slug.forms
    assert not is_hub("/srv/kit/hub")
    assert is_hub("/home/kit/.cc-hub")


PARTS = st.text("abcXYZ019._- @日", min_size=1, max_size=8).filter(lambda name: name not in (".", ".."))


@given(st.lists(PARTS, min_size=1, max_size=5))
def test_a_name_has_only_letters_that_a_shell_and_tmux_bear(parts: list[str]) -> None:
    slug = slug_of("/" + "/".join(parts))
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@-")
    assert set(slug.text) <= allowed
    assert slug.text in slug.forms


@pytest.mark.parametrize(
    ("path", "roots", "expected"),
    [
        ("/srv/ghq/x01", ["/srv/ghq"], True),
        ("/srv/ghq/x01/.worktrees/topic", ["/srv/ghq"], True),
        ("/srv/ghq-other/x01", ["/srv/ghq"], False),
        ("/some/path", ["/srv/ghq"], False),
        ("/home/kit/.cc-scratch/1", ["/srv/ghq"], True),
        ("/some/path", [], None),
    ],
)
def test_only_what_lies_under_the_roots_is_enumerated(
    path: str, roots: list[str], expected: bool | None
) -> None:
    assert is_enumerable(path, roots) is expected


FORMS = [(name, hash_text(name)) for name in ("cost-management", "kit-cost-management")]


@pytest.mark.parametrize(
    ("first_type", "title", "trace"),
    [
        ("custom-title", "cost-management", "exact"),
        ("custom-title", "kit-cost-management", "exact"),
        ("custom-title", "bglab webサイト", "titled_other"),
        ("custom-title", "Cost-Management", "titled_other"),
        ("user", None, "none"),
        ("ai-title", "cost-management", "none"),
        (None, None, "none"),
    ],
)
def test_the_first_line_shows_the_name_that_was_given(
    first_type: str | None, title: str | None, trace: str
) -> None:
    assert trace_of(first_type, None if title is None else hash_text(title), FORMS) == trace
