"""The naive encoder against keys that real tools made."""

from __future__ import annotations

import pytest

from forensics.testing.world.naive_keys import key_of, to_base36


@pytest.mark.parametrize(
    ("cwd", "version", "key"),
    [
        ("/srv/w/UPPER09lower", "2.1.332", "-srv-w-UPPER09lower"),
        ("/srv/w/日本", "2.1.332", "-srv-w---"),
        ("/srv/w/x😀y", "2.1.332", "-srv-w-x--y"),
        ("/srv/w/cafe\u0301x", "2.1.332", "-srv-w-cafe-x"),
        ("/srv/w/cafe\u0301x", "2.1.112", "-srv-w-caf-x"),
        ("/", "1.0.83", "-"),
        ("/" + "a" * 199, "2.1.332", "-" + "a" * 199),
        ("/" + "a" * 200, "2.1.332", "-" + "a" * 199 + "-b6ymvl"),
        ("/" + "a" * 199 + "b", "2.1.332", "-" + "a" * 199 + "-b6ymvk"),
        ("/" + "a" * 200 + "Aa", "2.1.332", "-" + "a" * 199 + "-v6kd75"),
        ("/" + "a" * 200 + "BB", "2.1.332", "-" + "a" * 199 + "-v6kd75"),
        ("/" + "a" * 200, "2.1.45", "-" + "a" * 200),
    ],
)
def test_known_directories_have_their_known_keys(cwd: str, version: str, key: str) -> None:
    assert key_of(cwd, version=version) == key


@pytest.mark.parametrize(("number", "digits"), [(0, "0"), (35, "z"), (36, "10"), (2**31, "zik0zk")])
def test_base_36_is_written_as_javascript_does(number: int, digits: str) -> None:
    assert to_base36(number) == digits
