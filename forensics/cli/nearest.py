"""Which tables and models of a case someone may have meant by a name that is none of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

from forensics.errors import UsageError

_NO_TABLE = re.compile(r"Catalog Error: Table with name (?P<name>.+?) does not exist!")
_SOME = (
    "among others there are sessions, transcripts, keys, files, lines and records; reports/TABLES.md has all"
)


def name_nearest(error: UsageError, names: Collection[str]) -> UsageError:
    """The error of a query, with the nearest of these names where it names no table of the case."""
    found = _NO_TABLE.match(error.message)
    if found is None:
        return error
    unknown = found["name"].strip('"').casefold()
    close = get_close_matches(unknown, sorted(names), n=3)
    close += [name for name in sorted(names) if unknown in name and name not in close][: 3 - len(close)]
    hint = f"did you mean {' or '.join(close)}?" if close else _SOME
    return UsageError(f"no table or model is called {found['name']}", hint=hint)
