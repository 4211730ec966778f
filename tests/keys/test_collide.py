"""Directories made to share a key."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.keys import LIMIT, Rule, RulesError, encode, load_rules, resolve_lexical
from forensics.keys.collide import Collision, collide, tail_with_hash
from forensics.keys.hashing import hash_int32
from forensics.testing import strategies as paths

LONG = "/srv/w/" + "x" * 240
HASHING_INT32 = [rule for rule in load_rules().rules if rule.hash == "int32" and rule.hash_over == "path"]


def found(cwd: str, rule: str, kind: str) -> list[str]:
    return [collision.cwd for collision in collide(cwd, rule) if collision.kind == kind]


def test_separators_are_exchanged() -> None:
    assert found("/srv/a.b", "cli_e3", "separator") == [
        "/srv-a.b",
        "/srv_a.b",
        "/srv.a.b",
        "/srv a.b",
        "/srv/a-b",
        "/srv/a_b",
        "/srv/a b",
        "/srv/a/b",
    ]


def test_a_separator_that_begins_the_first_name_is_exchanged_too() -> None:
    assert found("/-x", "cli_e3", "separator") == ["/_x", "/.x", "/ x"]


def test_pi_exchanges_only_what_it_replaces_and_the_dash() -> None:
    assert found("/srv/a.b", "pi_0_73", "separator") == ["/srv-a.b", "/srv\\a.b", "/srv:a.b"]
    assert found("/srv", "pi_0_73", "separator") == []


def test_a_result_is_always_another_resolved_directory() -> None:
    assert "/srv/./b" not in found("/srv/-/b", "cli_e3", "separator")
    assert "/srv//b" not in found("/srv/-b", "cli_e3", "separator")
    assert "/srv/a/" not in found("/srv/a.", "cli_e3", "separator")
    assert "/srv/_/b" in found("/srv/-/b", "cli_e3", "separator")


def test_an_astral_character_is_two_of_the_bmp_where_utf_16_is_counted() -> None:
    assert found("/x😀", "cli_e3", "astral") == ["/x日本", "/x한글", "/x__"]
    assert found("/x😀", "sdk_python", "astral") == ["/x日"]
    assert found("/x😀", "bytes", "astral") == ["/x____"]
    assert "/x😀" in found("/x日本", "cli_e3", "astral")
    assert "/x😀😀" in found("/x日本", "sdk_python", "astral")
    assert "/x😀😀" not in found("/x日本", "cli_e3", "astral")


def test_hangul_and_kanji_of_one_length_share_a_key() -> None:
    assert found("/srv/日本", "cli_e3", "script") == ["/srv/한글"]
    assert found("/srv/한글", "cli_e3", "script") == ["/srv/日本"]
    assert found("/srv/éü日/ж", "cli_e3", "script") == ["/srv/한글한/한", "/srv/日本日/日"]
    assert found("/srv/éü", "bytes", "script") == []
    assert found("/srv/ab", "cli_e3", "script") == []


def test_other_normal_forms_share_a_key_only_where_one_is_taken() -> None:
    assert found("/srv/caf\u00e9", "cli_e2_bun", "normal_form") == ["/srv/cafe\u0301"]
    assert found("/srv/cafe\u0301", "sdk_python", "normal_form") == ["/srv/caf\u00e9"]
    assert found("/srv/caf\u00e9", "cli_e3", "normal_form") == []


def test_blocks_are_swapped_beyond_the_limit() -> None:
    head = "/" + "a" * 199
    assert found(head + "Aa", "cli_e3", "block_swap") == [head + "BB"]
    assert found(head + "BB", "cli_e3", "block_swap") == [head + "Aa"]
    assert found(head + "AaBB", "cli_e3", "block_swap") == [head + "BBBB", head + "AaAa"]
    assert found(head + "A", "cli_e3", "block_swap") == []
    assert found(head, "cli_e3", "block_swap") == []


def test_blocks_are_swapped_beyond_a_limit_that_counts_bytes(tmp_path: Path) -> None:
    path = tmp_path / "team.toml"
    path.write_text("[[rule]]\nname='b'\nkind='foreign'\nunit='byte'\nlimit=10\nhash='int32'\n")
    rule = load_rules(path).get("b")
    others = [collision for collision in collide("/日日日Aa", rule) if collision.kind == "block_swap"]
    assert others == [Collision("block_swap", "/日日日BB")]
    assert any(collision.kind == "equal_hash" for collision in collide("/日日日é", rule))


def test_blocks_inside_the_limit_are_left_alone() -> None:
    assert found("/" + "a" * 190 + "Aa" + "-" * 20, "cli_e3", "block_swap") == []


def test_the_limit_is_found_in_the_rule_s_own_unit() -> None:
    cwd = "/" + "😀" * 100 + "Aa"
    assert found(cwd, "cli_e3", "block_swap") == [cwd[:-2] + "BB"]
    assert found(cwd, "sdk_python", "block_swap") == []
    straddling = "/" + "a" * 198 + "😀Aa"
    assert found(straddling, "cli_e3", "block_swap") == [straddling[:-2] + "BB"]


def test_the_opposite_hash_has_the_same_suffix() -> None:
    (other,) = found(LONG, "cli_e3", "negated_hash")
    assert hash_int32(other) == -hash_int32(LONG)
    assert encode(other, "cli_e3") == encode(LONG, "cli_e3")
    assert found(LONG, "hash_unsigned", "negated_hash") == []


@pytest.mark.parametrize(("rule", "unit"), [("cli_e3", "utf16"), ("sdk_python", "codepoint")])
def test_hashes_are_made_in_the_rule_s_own_unit(rule: str, unit: str) -> None:
    cwd = "/srv/w/😀" + "x" * 240
    (opposite,) = found(cwd, rule, "negated_hash")
    assert hash_int32(opposite, unit=unit) == -hash_int32(cwd, unit=unit)
    others = found(cwd, rule, "equal_hash")
    assert len(others) == 9, "the path itself with another tail, and two slashes with four others each"
    assert {hash_int32(other, unit=unit) for other in others} == {hash_int32(cwd, unit=unit)}


def test_an_equal_hash_is_made_for_other_separators_in_the_part_that_stays() -> None:
    others = found(LONG, "cli_e3", "equal_hash")
    assert len(others) == 9, "the path itself with another tail, and two slashes with four others each"
    assert {hash_int32(other) for other in others} == {hash_int32(LONG)}
    assert any(other.startswith("/srv_w/") for other in others)


def test_under_a_64_bit_hash_only_normal_forms_share_a_long_key() -> None:
    assert list(collide(LONG, "cli_e2_bun")) == []
    accented = LONG + "\u00e9"
    assert list(collide(accented, "cli_e2_bun")) == [Collision("normal_form", LONG + "e\u0301")]


def test_a_hash_over_the_name_is_no_hash_over_the_path() -> None:
    assert {collision.kind for collision in collide(LONG, "hash_over_name")} == {"separator"}


def test_wrong_rules_collide_in_their_own_ways() -> None:
    assert "/srv/aPP" in found("/srv/App", "lower_cased", "case")
    assert "/srv/a--b" in found("/srv/a-b", "collapsed", "run")
    assert found("/srv/App", "cli_e3", "case") == found("/srv/a-b", "cli_e3", "run") == []


def test_a_refused_path_collides_with_nothing_and_an_unknown_rule_is_an_error() -> None:
    assert list(collide("/srv/\ud800.x", "sdk_python")) == []
    with pytest.raises(RulesError):
        next(collide("/srv", "cli_e9"))


@given(paths.resolved_paths(), paths.rules())
def test_everything_yielded_is_another_resolved_path_with_the_same_key_and_comes_once(
    cwd: str, rule: Rule
) -> None:
    others = [collision.cwd for collision in islice(collide(cwd, rule), 200)]
    assert cwd not in others
    assert len(set(others)) == len(others)
    for other in others:
        assert resolve_lexical(other) == other
        assert encode(other, rule) == encode(cwd, rule)


@given(paths.hostile_texts(), paths.rules())
def test_any_text_can_be_asked(cwd: str, rule: Rule) -> None:
    for collision in islice(collide(cwd, rule), 20):
        assert encode(collision.cwd, rule) == encode(cwd, rule)


@given(
    paths.long_paths(paths.LETTERS + "-_. " + paths.SCRIPTS + paths.SINGLETONS + paths.ASTRAL),
    st.sampled_from([rule for rule in HASHING_INT32 if not rule.lower and not rule.collapse]),
)
@example("/" + "e\u0301" * 220, load_rules().get("cli_e3_nfc"))
@example("/" + "e\u0301" * 220, load_rules().get("cli_e3"))
@example("/" + "😀" * 220, load_rules().get("cli_e3"))
@example("/" + "x" * 198 + "😀", load_rules().get("cli_e3"))
@example("/" + "x" * 198 + "😀", load_rules().get("sdk_python"))
@example("/" + "\uffff" * 220, load_rules().get("cli_e3"))
@example("/" + "😀" * 220, load_rules().get("sdk_python"))
def test_every_path_over_the_limit_has_others_with_its_hash(cwd: str, rule: Rule) -> None:
    key = encode(cwd, rule)
    assert key is not None
    assert any(collision.kind == "equal_hash" for collision in collide(cwd, rule)) == (len(key) > LIMIT)


@given(paths.posix_paths(paths.LETTERS + "._- ").filter(lambda path: path.count("/") > 1))
def test_every_path_of_two_parts_collides_by_a_separator(cwd: str) -> None:
    assert any(collision.kind == "separator" for collision in collide(cwd, "cli_e1"))


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_a_tail_of_ten_letters_reaches_every_hash(head: int, target: int) -> None:
    tail = tail_with_hash(head, target)
    assert re.fullmatch("[a-z]{10}", tail)
    assert (head * 31**10 + hash_int32(tail) - target) % 2**32 == 0


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_no_tail_of_letters_goes_before_the_one_taken(head: int, target: int) -> None:
    taken = 0
    for char in tail_with_hash(head, target):
        taken = taken * 31 + ord(char) - ord("a")
    for number in range(taken % 2**32, taken, 2**32):
        assert any(number // 31**place % 31 >= 26 for place in range(10))


@given(paths.colliding_pairs("cli_e3"))
def test_the_strategy_of_colliding_pairs_keeps_its_word(pair: tuple[str, str]) -> None:
    one, two = pair
    assert one != two
    assert encode(one, "cli_e3") == encode(two, "cli_e3")


@given(paths.nfd_paths(), paths.astral_paths(), paths.bmp_paths(), paths.long_paths())
def test_the_strategies_of_paths_keep_their_word(nfd: str, astral: str, bmp: str, long: str) -> None:
    assert all(resolve_lexical(path) == path for path in (nfd, astral, bmp, long))
    assert unicodedata.normalize("NFC", nfd) != nfd
    assert any(char > "\uffff" for char in astral)
    assert all(char <= "\uffff" for char in bmp)
    assert unicodedata.is_normalized("NFC", bmp)
    assert paths.unit_length(long) >= LIMIT - 2
