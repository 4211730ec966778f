"""Rows of evidence are safe to print: one line, no controls, a known width, whole graphemes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes

from forensics.display import clean_text, display_width, harmless_text, row_text

_TRICKS = st.sampled_from(
    [
        "\x1b[31m",
        "\x1b[2J",
        "\x1b]8;;http://x.invalid\x07",
        "\x1b]0;title",
        "\x1bP1$q\x1b\\",
        "\x9b31m",
        "\x9d0;t\x9c",
        "\x1b",
        "\r\n",
        "\u2028",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufe0f",
        "\u0301",
        "\u0600",
        "\u1100",
        "\u11a8",
        "한",
        "日",
        "👨\u200d👩\u200d👧",
        "👍🏽",
        "🏽",
        "☎\ufe0f",
        "1\ufe0f\u20e3",
        "🇩🇪",
        "🇩",
        "क\u094d",
        "ष",
        "\U000e0067",
        "\ud83d",
        "\uffff",
        "…",
        "  ",
        "a",
        "[31m",
    ]
)
hostile = st.lists(_TRICKS | st.text(max_size=4), max_size=30).map("".join)
surrogates = st.text(st.characters(categories=["Cs", "Cc", "Cf", "Lo", "Mn", "Zl", "Zp", "Zs"]), max_size=40)


@given(hostile | surrogates, st.integers(min_value=-1, max_value=50))
def test_a_row_never_holds_a_control_a_line_end_or_a_direction_mark(text: str, width: int) -> None:
    row = row_text(text, width)
    forbidden = [
        *map(chr, range(0x20)),
        *map(chr, range(0x7F, 0xA0)),
        *"\u2028\u2029\u061c\u200e\u200f",
        *map(chr, range(0x202A, 0x202F)),
        *map(chr, range(0x2066, 0x206A)),
    ]
    assert not set(row) & set(forbidden)


@given(hostile | surrogates, st.integers(min_value=-1, max_value=50))
def test_a_row_never_takes_more_columns_than_allowed(text: str, width: int) -> None:
    assert display_width(row_text(text, width)) <= max(0, width)


@given(hostile | surrogates, st.integers(min_value=1, max_value=50))
def test_cutting_a_row_again_changes_nothing(text: str, width: int) -> None:
    row = row_text(text, width)
    assert row_text(row, width) == row


@given(hostile | surrogates)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@given(hostile | surrogates, st.integers(min_value=1, max_value=50))
def test_a_cut_falls_between_graphemes(text: str, width: int) -> None:
    row = row_text(text, width)
    whole = list(iter_graphemes(clean_text(text)))
    kept = row.removesuffix("…") if row != clean_text(text) else row
    ends = {"".join(whole[:n]).rstrip(" ") for n in range(len(whole) + 1)}
    assert kept in ends or any(len(cluster) > 32 for cluster in whole)


@given(hostile | surrogates, st.integers(min_value=1, max_value=50))
def test_a_text_that_fits_is_shown_whole(text: str, width: int) -> None:
    clean = clean_text(text)
    if display_width(clean) <= width and all(len(cluster) <= 32 for cluster in iter_graphemes(clean)):
        assert row_text(text, width) == clean


@given(hostile)
def test_every_row_is_text_that_utf8_can_carry(text: str) -> None:
    assert row_text(text, 40).encode("utf-8").decode("utf-8") == row_text(text, 40)


@pytest.mark.parametrize(
    ("text", "width", "row"),
    [
        ("```\ncode\n```\x1b[31mred", 80, "``` code ```red"),
        ("\x1b]8;;http://x.invalid\x07link\x1b]8;;\x07 after", 80, "link after"),
        ("\x1b]0;never ended", 80, "0;never ended"),
        ("bell\x07 nul\x00 del\x7f", 80, "bell nul del"),
        ("a\u2028b\u2029c\x85d\r\ne\tf", 80, "a b c d e f"),
        ("user\u202egnp.exe", 80, "usergnp.exe"),
        ("zero\u200bwidth\ufeff\u2060joiner\u200d", 80, "zerowidthjoiner"),
        ("日本語テキスト", 7, "日本語…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 1, "…"),
        ("abc", 0, ""),
        ("a👨\u200d👩\u200d👧b", 4, "a👨\u200d👩\u200d👧b"),
        ("a👨\u200d👩\u200d👧bc", 4, "a👨\u200d👩\u200d👧…"),
        ("cafe\u0301 au lait", 6, "cafe\u0301…"),
        ("one two", 5, "one…"),
        ("half \ud83d pair", 80, "half \ufffd pair"),
        ("flag 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 80,
         "flag 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"),
        ("smuggled\U000e0068\U000e0069", 80, "smuggled"),
        ("\x1bP1;2|secret\x1b\\shown", 80, "shown"),
        ("\x9b1mbright\x9b0m", 80, "bright"),
    ],
)  # fmt: skip
def test_rows_read_as_expected(text: str, width: int, row: str) -> None:
    assert row_text(text, width) == row


def test_a_piece_of_a_line_keeps_the_blanks_around_it() -> None:
    assert harmless_text(" so \x1b[31m ") == " so "
    assert harmless_text("\n") == " "


def test_wide_characters_count_two_and_marks_count_none() -> None:
    assert display_width("ab") == 2
    assert display_width("日本") == 4
    assert display_width("e\u0301") == 1
    assert display_width("👨\u200d👩\u200d👧") == 2


def test_a_pile_of_marks_on_one_letter_is_cut_to_a_readable_one() -> None:
    row = row_text("e" + "\u0301" * 100_000 + "nd", 40)
    assert row.startswith("e\u0301")
    assert row.endswith("nd")
    assert len(row) < 50


def test_a_megabyte_of_unterminated_escapes_is_read_in_one_pass() -> None:
    assert row_text("\x9d" * 500_000 + "\x1b]" * 250_000 + "end", 40) == "end"
