"""A query that names no table is answered with tables of the case."""

from __future__ import annotations

import pytest

from forensics.cli.nearest import name_nearest
from forensics.errors import UsageError

NAMES = ("keys", "session_stubs", "sessions", "transcripts", "worktree_keys")


def _missing(name: str) -> UsageError:
    return UsageError(f'Catalog Error: Table with name {name} does not exist!\nDid you mean "pg_enum"?')


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("sesions", "did you mean sessions"),
        ("Transcript", "did you mean transcripts"),
        ("stubs", "did you mean session_stubs"),
    ],
)
def test_an_unknown_table_names_the_nearest_ones(name: str, hint: str) -> None:
    error = name_nearest(_missing(name), NAMES)
    assert error.message == f"no table or model is called {name}"
    assert error.hint is not None
    assert error.hint.startswith(hint)


def test_a_name_like_no_other_says_where_all_stand() -> None:
    error = name_nearest(_missing("zzz"), NAMES)
    assert error.hint is not None
    assert error.hint.endswith("reports/TABLES.md has all")


def test_any_other_error_stays_as_it_is() -> None:
    error = UsageError("Parser Error: syntax error at or near")
    assert name_nearest(error, NAMES) is error
