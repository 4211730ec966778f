"""Unicode's normal forms in a time that grows with the text, whatever marks it piles up."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import Final, Literal

# No mark is ASCII; where fewer stand together, the standard library is quick.
_MANY_MARKS: Final = re.compile(r"[^\x00-\x7f]{300}")


def normalize(text: str, *, form: Literal["NFC", "NFD"]) -> str:
    """Return the text in a normal form, as `unicodedata.normalize` does.

    That one moves each mark past all that belong behind it, one by one, which takes a minute for some
    hundred kilobytes of marks; here they are sorted before it sees them.
    """
    if not _MANY_MARKS.search(text):
        return unicodedata.normalize(form, text)
    signs = "".join(unicodedata.normalize("NFD", sign) for sign in text)
    runs = groupby(signs, key=lambda sign: unicodedata.combining(sign) > 0)
    ordered = "".join(
        "".join(sorted(run, key=unicodedata.combining) if are_marks else run) for are_marks, run in runs
    )
    return unicodedata.normalize(form, ordered)
