"""The directories that are tried lie where they should, and tell the rules apart."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.host.awkward import (
    awkward_directories,
    count_units,
    generate_paths,
    is_creatable,
    pad_path,
)
from forensics.keys import encode, load_rules, resolve_lexical


@given(base=st.sampled_from(["/srv/w", "/", "/srv/\U0001f600"]), length=st.integers(20, 900))
def test_a_padded_path_has_exactly_the_length_asked_for(base: str, length: int) -> None:
    base = base.rstrip("/")
    path = pad_path(base, length=length)
    assert count_units(path) == length
    assert resolve_lexical(path) == path
    assert is_creatable(path)


def test_a_base_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="no room"):
        pad_path("/srv/" + "x" * 200, length=200)


def test_units_are_counted_as_javascript_does() -> None:
    assert count_units("a\u65e5\U0001f600\ud83d") == 5


def test_every_case_has_a_name_of_its_own_and_a_directory_that_can_be_made() -> None:
    directories = awkward_directories("/srv/w")
    assert len({each.case for each in directories}) == len(directories)
    assert len({each.path for each in directories}) == len(directories)
    assert all(is_creatable(each.path) for each in directories)
    assert all(resolve_lexical(each.path) == each.path for each in directories)


def test_the_lengths_around_the_limit_are_all_there() -> None:
    named = {each.case: each.path for each in awkward_directories("/srv/w")}
    assert [count_units(named[f"{length} units"]) for length in (199, 200, 201, 260)] == [199, 200, 201, 260]


def test_two_rules_of_the_agent_agree_everywhere_only_when_they_do_the_same() -> None:
    directories = awkward_directories("/srv/w")
    meanings: dict[tuple[str | int, ...], set[tuple[str | None, ...]]] = {}
    for rule in load_rules().rules:
        if rule.agent == "claude_code":
            meaning = (rule.normal_form, rule.unit, rule.limit, rule.hash)
            keys = tuple(encode(each.path, rule) for each in directories)
            meanings.setdefault(meaning, set()).add(keys)
    assert len(meanings) >= 5
    assert all(len(keys) == 1 for keys in meanings.values())
    assert len(set.union(*meanings.values())) == len(meanings)


def test_wrong_rules_are_told_apart_as_well() -> None:
    directories = awkward_directories("/srv/w")
    right = tuple(encode(each.path, "cli_e3") for each in directories)
    for rule in load_rules().rules:
        if rule.kind == "foreign":
            assert tuple(encode(each.path, rule) for each in directories) != right, rule.name


def test_generated_paths_are_the_same_for_the_same_seed_and_cover_the_limit() -> None:
    paths = generate_paths(500, seed=7)
    assert paths == generate_paths(500, seed=7)
    assert paths != generate_paths(500, seed=8)
    assert len(set(paths)) == 500
    assert all(resolve_lexical(path) == path for path in paths)
    lengths = [count_units(path) for path in paths]
    assert sum(length < 100 for length in lengths) > 50
    assert sum(190 <= length <= 230 for length in lengths) > 50
    assert sum(length > 230 for length in lengths) > 50
    assert sum(unicodedata.normalize("NFC", path) != path for path in paths) > 50
