"""Keys begin with a dash and are still words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.cli.parsing import set_keys_apart
from tests.cli.words import call

WITH_VALUE = {"-C", "--case", "--label"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-srv-x"], ["--", "-srv-x"]),
        (["-Code-x"], ["--", "-Code-x"]),
        (["-C", "CASE", "-srv-x"], ["-C", "CASE", "--", "-srv-x"]),
        (["-srv-x", "-C", "CASE"], ["-C", "CASE", "--", "-srv-x"]),
        (["-srv-x", "--json"], ["--json", "--", "-srv-x"]),
        (["-srv-x", "-Code-x"], ["--", "-srv-x", "-Code-x"]),
        (["-C", "-odd-case-", "-srv-x"], ["-C", "-odd-case-", "--", "-srv-x"]),
        (["--", "--claude"], ["--", "--claude"]),
        (["--json", "--", "-"], ["--json", "--", "-"]),
        (["named"], ["named"]),
        (["-h"], ["-h"]),
        (["-C", "CASE", "named", "--json"], ["-C", "CASE", "named", "--json"]),
    ],
)
def test_a_word_with_one_dash_and_more_than_two_characters_is_a_key(
    words: list[str], expected: list[str]
) -> None:
    assert set_keys_apart(words, WITH_VALUE) == expected


@given(st.lists(st.sampled_from(["-srv-x", "-C", "x", "--json", "-", "-ab", "--label"]), max_size=8))
def test_no_word_is_lost_made_up_or_moved_before_another_of_its_kind(words: list[str]) -> None:
    apart = set_keys_apart(words, WITH_VALUE)
    assert sorted(word for word in apart if word != "--") == sorted(words)
    assert [word for word in apart if word.startswith("--") and word != "--"] == [
        word for word in words if word.startswith("--")
    ]


@pytest.mark.parametrize("key", ["-srv-x", "-Code-x"])
@pytest.mark.parametrize("verb", ["key", "locate"])
def test_a_key_is_never_taken_for_an_option(verb: str, key: str) -> None:
    ended = call(verb, key, "-C", "/there/is/nothing/here")
    assert (ended.returncode, ended.stdout) == (5, b"")
    assert ended.stderr.startswith(b"error: /there/is/nothing/here: there is no case here\n")


def test_an_option_with_two_dashes_is_still_checked() -> None:
    ended = call("key", "-srv-x", "--jsn")
    assert ended.returncode == 2
    assert b"no such option: --jsn" in ended.stderr
