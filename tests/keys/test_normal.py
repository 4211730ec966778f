"""Many marks: the form is that of the standard library, which is asked here for as many as it bears."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.keys.normal import normalize

# Marks of the classes 1, 9, 202, 220, 230 and 240, of some classes two; letters that take them; Hangul.
SIGNS = "\u0334\u0335\u094d\u0321\u0316\u0317\u0300\u0301\u0308\u0345aeé각ㄱ"


@given(
    st.lists(st.sampled_from(SIGNS), min_size=1, max_size=12),
    st.integers(1, 6),
    st.sampled_from(["NFC", "NFD"]),
)
def test_many_marks_are_put_in_the_order_of_the_standard(
    signs: list[str], times: int, form: Literal["NFC", "NFD"]
) -> None:
    text = "x" + "".join(signs) * times + "\u0301" * 300
    assert normalize(text, form=form) == unicodedata.normalize(form, text)


@pytest.mark.parametrize(
    "pair", ["\u0301\u0300", "\u0300\u0301", "\u0317\u0316", "\u0316\u0300", "\u0300\u0316"]
)
def test_marks_of_one_class_keep_their_order(pair: str) -> None:
    text = "x" + pair * 200
    assert normalize(text, form="NFD") == unicodedata.normalize("NFD", text)
