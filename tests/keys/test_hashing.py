"""The hashes and their digits."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.keys import INT32_SUFFIX_MAX, WYHASH64_SUFFIX_MAX, base36, hash_int32, wyhash64
from forensics.keys.collide import tail_with_hash
from forensics.keys.hashing import join_surrogates, to_bytes
from forensics.testing.strategies import hostile_texts
from tests.keys.reference import in_base36, java_hash, to_nfc, utf16_units, wyhash_v4

PUBLISHED = [
    (0, b"", 0x0409638EE2BDE459),
    (1, b"a", 0xA8412D091B5FE0A9),
    (2, b"abc", 0x32DD92E4B2915153),
    (3, b"message digest", 0x8619124089A3A16B),
    (4, b"abcdefghijklmnopqrstuvwxyz", 0x7A43AFB61D7F5F40),
    (5, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xFF42329B90E50D58),
    (6, b"1234567890" * 8, 0xC39CAB13B115AAD3),
    (0, b"some data here", 11562320457524636935),
]
EDGES = [(0, "0"), (1, "1"), (-1, "1"), (2**31 - 1, "zik0zj"), (-(2**31) + 1, "zik0zj"), (-(2**31), "zik0zk")]


@pytest.mark.parametrize(("seed", "data", "expected"), PUBLISHED)
def test_wyhash_gives_the_published_values(seed: int, data: bytes, expected: int) -> None:
    assert wyhash64(data, seed=seed) == expected


@given(st.binary(max_size=400), st.integers(0, 2**64 - 1))
@example(b"x" * 47, 0)
@example(b"x" * 48, 0)
@example(b"x" * 49, 0)
@example(b"x" * 96, 0)
@example(b"x" * 97, 0)
def test_wyhash_agrees_with_an_independent_implementation(data: bytes, seed: int) -> None:
    assert wyhash64(data, seed=seed) == wyhash_v4(data, seed)


@pytest.mark.parametrize("size", range(150))
def test_wyhash_agrees_with_an_independent_implementation_at_every_length(size: int) -> None:
    data = bytes((7 * place + size) % 251 for place in range(size))
    assert wyhash64(data) == wyhash_v4(data, 0)


@given(st.binary(max_size=80), st.integers())
def test_wyhash_is_a_64_bit_number_of_any_seed_modulo_2_64(data: bytes, seed: int) -> None:
    assert 0 <= wyhash64(data, seed=seed) < 2**64
    assert wyhash64(data, seed=seed) == wyhash64(data, seed=seed % 2**64)
    assert len(base36(wyhash64(data, seed=seed))) <= WYHASH64_SUFFIX_MAX


def test_the_longest_suffixes_are_those_of_the_largest_hashes() -> None:
    assert len(base36(2**31)) == INT32_SUFFIX_MAX
    assert len(base36(2**64 - 1)) == WYHASH64_SUFFIX_MAX


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("\x01", 1),
        ("a", 97),
        ("Aa", 2112),
        ("BB", 2112),
        ("polygenelubricants", -(2**31)),
        ("日本", 0x65E5 * 31 + 0x672C),
        ("😀", 0xD83D * 31 + 0xDE00),
    ],
)
def test_the_32_bit_hash_of_known_texts(text: str, number: int) -> None:
    assert hash_int32(text) == number


@pytest.mark.parametrize(
    ("unit", "number"),
    [
        ("utf16", 0xD83D * 31 + 0xDE00),
        ("codepoint", 0x1F600),
        ("byte", ((0xF0 * 31 + 0x9F) * 31 + 0x98) * 31 + 0x80),
    ],
)
def test_the_unit_decides_what_an_astral_character_adds(unit: str, number: int) -> None:
    assert hash_int32("😀", unit=unit) == number


@given(hostile_texts())
def test_the_32_bit_hash_agrees_with_the_loop_that_javascript_runs(text: str) -> None:
    assert hash_int32(text) == java_hash(utf16_units(text))
    assert hash_int32(text, unit="codepoint") == java_hash([ord(char) for char in text])
    assert hash_int32(text, unit="byte") == java_hash(list(to_bytes(text)))


@given(hostile_texts(), hostile_texts())
def test_the_32_bit_hash_of_a_sum_follows_from_the_hashes_of_its_parts(left: str, right: str) -> None:
    shifted = hash_int32(left) * 31 ** len(utf16_units(right))
    assert (hash_int32(left + right) - shifted - hash_int32(right)) % 2**32 == 0


@given(st.text(max_size=80))
def test_the_32_bit_hash_is_a_signed_32_bit_number(text: str) -> None:
    assert -(2**31) <= hash_int32(text) < 2**31


@pytest.mark.parametrize(("number", "suffix"), EDGES)
def test_edges_of_the_32_bit_hash_are_written_without_sign_or_overflow(number: int, suffix: str) -> None:
    head = "/srv/w/" + "q" * 230
    text = head + tail_with_hash(hash_int32(head), number)
    assert hash_int32(text) == number
    assert base36(abs(hash_int32(text))) == suffix


@given(st.integers(-(2**80), 2**80))
@example(0)
@example(35)
@example(36)
def test_base_36_can_be_read_back(number: int) -> None:
    assert int(base36(number), 36) == number


@given(st.integers(0, 2**70))
def test_base_36_has_no_leading_zero_and_only_lower_case_digits(number: int) -> None:
    written = base36(number)
    assert written == in_base36(number)
    assert written == "0" or not written.startswith("0")


@given(st.integers(1, 2**70))
def test_a_negative_number_is_its_opposite_after_a_minus_sign(number: int) -> None:
    assert base36(-number) == "-" + base36(number)


@given(hostile_texts())
def test_joined_surrogates_leave_the_units_as_they_are(text: str) -> None:
    joined = join_surrogates(text)
    assert utf16_units(joined) == utf16_units(text)
    assert join_surrogates(joined) == joined


def test_only_a_high_surrogate_before_a_low_one_is_joined() -> None:
    assert join_surrogates("\ud83d\ude00") == "😀"
    assert join_surrogates("\ude00\ud83d") == "\ude00\ud83d"
    assert join_surrogates("\ufeff\ud83d\ude00") == "\ufeff😀"
    assert to_nfc("\ud834\udd5e") == "\U0001d157\U0001d165"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("aé😀", b"a\xc3\xa9\xf0\x9f\x98\x80"),
        ("a\udcff", b"a\xff"),
        ("a\ud800b", b"a\xef\xbf\xbdb"),
        ("\udcc3\udca9\udfff", b"\xc3\xa9\xef\xbf\xbd"),
        ("\udc7f\udc80\udd00", b"\xef\xbf\xbd\x80\xef\xbf\xbd"),
        ("\udbff\udc00", b"\xef\xbf\xbd\xef\xbf\xbd"),
    ],
)
def test_an_escape_gives_its_byte_back_and_another_lone_surrogate_a_replacement(
    text: str, data: bytes
) -> None:
    assert to_bytes(text) == data
