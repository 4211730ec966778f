"""Names of part files: a label and a number."""

from __future__ import annotations

import re

from forensics.errors import CaseError

_STEM = re.compile(r"(?P<label>[a-z][a-z0-9_-]*)-(?P<number>[0-9]{5,9})", re.ASCII)


def split_stem(stem: str) -> tuple[str, int]:
    """Label and number of a part's name.

    Raises:
        CaseError: no part has such a name; someone altered the case.
    """
    match = _STEM.fullmatch(stem)
    if match is None:
        raise CaseError(f"no part has such a name: {stem!r}", hint="convert the evidence again")
    return match["label"], int(match["number"])
