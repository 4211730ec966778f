"""Other spellings of one directory."""

from __future__ import annotations

import pytest
from hypothesis import given

from forensics.keys import Alias, aliases
from forensics.keys.alias import ignores_case_guess
from forensics.testing import strategies as paths


@pytest.mark.parametrize(
    ("cwd", "kind", "spelling"),
    [
        ("C:\\App", "drive_case", "c:\\App"),
        ("c:/App", "drive_case", "C:/App"),
        ("c:/App", "slash", "c:\\App"),
        ("C:\\App\\x", "slash", "C:/App/x"),
        ("C:\\App", "wsl", "/mnt/c/App"),
        ("C:\\", "wsl", "/mnt/c"),
        ("D:\\App\\x", "msys", "/d/App/x"),
        ("C:\\App", "unc", "\\\\?\\C:\\App"),
        ("C:\\App\\", "trailing_slash", "C:\\App"),
        ("C:\\App", "case", "c:\\app"),
        ("/mnt/c/App", "wsl", "C:\\App"),
        ("/mnt/c/App", "wsl", "c:\\App"),
        ("/mnt/c", "wsl", "C:\\"),
        ("/c/App", "msys", "C:\\App"),
        ("/cygdrive/d/App", "msys", "d:\\App"),
        ("/tmp/x", "private_prefix", "/private/tmp/x"),
        ("/var", "private_prefix", "/private/var"),
        ("/private/etc/x", "private_prefix", "/etc/x"),
        ("/private/tmp", "private_prefix", "/tmp"),
        ("/srv/caf\u00e9", "nfd", "/srv/cafe\u0301"),
        ("/srv/cafe\u0301", "nfc", "/srv/caf\u00e9"),
        ("/srv/x/", "trailing_slash", "/srv/x"),
        ("\\\\srv\\share\\x", "unc", "//srv/share/x"),
        ("//srv/share/x", "unc", "\\\\srv\\share\\x"),
        ("\\\\srv\\share\\x", "unc", "\\\\?\\UNC\\srv\\share\\x"),
        ("\\\\?\\UNC\\srv\\share\\x", "unc", "\\\\srv\\share\\x"),
        ("\\\\?\\C:\\App", "unc", "C:\\App"),
        ("\\\\wsl$\\Ubuntu\\home\\kit", "wsl", "/home/kit"),
        ("\\\\wsl$\\Ubuntu", "wsl", "/"),
        ("\\\\wsl$\\Ubuntu\\home", "wsl", "\\\\wsl.localhost\\Ubuntu\\home"),
        ("//wsl.localhost/Ubuntu/home", "wsl", "\\\\wsl$\\Ubuntu\\home"),
        ("/tmp/caf\u00e9", "private_prefix+nfd", "/private/tmp/cafe\u0301"),
        ("/mnt/c/App", "wsl+msys", "/c/App"),
        ("/Users/Kit/App", "case", "/users/kit/app"),
        ("C:\\AppX ", "wsl", "/mnt/c/AppX "),
        ("C:\\AppX ", "msys", "/c/AppX "),
        ("C:\\AppX", "msys", "/c/AppX"),
        ("C:\\AppX", "wsl", "/mnt/c/AppX"),
        ("C:\\App\\", "msys", "/c/App"),
        ("C:\\AppX\\", "trailing_slash", "C:\\AppX"),
        ("/c", "msys", "C:\\"),
        ("/c", "msys", "c:\\"),
        ("//srv/share/x", "unc", "\\\\?\\UNC\\srv\\share\\x"),
        ("C:/App/x", "unc", "\\\\?\\C:\\App\\x"),
        ("\\\\wsl$\\Ubuntu/home\\x", "wsl", "/home/x"),
    ],
)
def test_a_path_has_this_alias_of_this_kind(cwd: str, kind: str, spelling: str) -> None:
    assert Alias(kind, spelling) in aliases(cwd)


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("", {}),
        ("/", {}),
        ("/srv/X", {}),
        ("/srv/a\\", {}),
        ("relative", {}),
        ("/srv//", {"/srv": "trailing_slash"}),
        (
            "/private/tmp/",
            {
                "/tmp/": "private_prefix",
                "/private/tmp": "trailing_slash",
                "/tmp": "private_prefix+trailing_slash",
            },
        ),
        (
            "/mnt/c/x",
            {
                "C:\\x": "wsl",
                "c:\\x": "wsl",
                "\\\\?\\C:\\x": "wsl+unc",
                "\\\\?\\c:\\x": "wsl+unc",
                "/c/x": "wsl+msys",
                "C:/x": "wsl+slash",
                "c:/x": "wsl+slash",
            },
        ),
        (
            "d:",
            {
                "D:": "drive_case",
                "/mnt/d": "wsl",
                "/d": "msys",
                "\\\\?\\d:": "unc",
                "\\\\?\\D:": "drive_case+unc",
                "D:\\": "wsl+wsl",
                "d:\\": "wsl+wsl",
            },
        ),
        (
            "\\\\srv\\x\\",
            {
                "//srv/x/": "unc",
                "\\\\?\\UNC\\srv\\x\\": "unc",
                "\\\\srv\\x": "trailing_slash",
                "//srv/x": "unc+trailing_slash",
                "\\\\?\\UNC\\srv\\x": "unc+trailing_slash",
            },
        ),
        ("\\\\?\\pipe\\x", {}),
        ("\\\\.\\x", {}),
    ],
)
def test_all_aliases_of_a_path_with_the_shortest_way_to_each(cwd: str, expected: dict[str, str]) -> None:
    assert {alias.spelling: alias.kind for alias in aliases(cwd)} == expected


@pytest.mark.parametrize("cwd", ["/tmp\n", "/private/tmp\n", "/mnt/c\n", "/c\n", "/cygdrive/c\n", "C:\n"])
def test_a_newline_at_the_end_belongs_to_the_last_name(cwd: str) -> None:
    assert aliases(cwd) == ()


@pytest.mark.parametrize(
    "cwd", ["/", "/srv/app", "/srv/App", "/private", "/private/x", "/tmpx", "/varx/y", "", "C:", "a/b"]
)
def test_a_plain_path_has_no_alias_that_spelling_alone_does_not_warrant(cwd: str) -> None:
    kinds = {alias.kind for alias in aliases(cwd)}
    assert not kinds & {"private_prefix", "nfc", "nfd", "case"} or cwd == "C:"
    assert ("drive_case" in kinds) == (cwd == "C:")


@given(paths.hostile_texts())
def test_aliases_of_any_text_are_other_spellings_and_come_once(cwd: str) -> None:
    found = aliases(cwd)
    spellings = [alias.spelling for alias in found]
    assert cwd not in spellings
    assert len(set(spellings)) == len(spellings)
    depths = [alias.kind.count("+") for alias in found if alias.kind != "case"]
    assert depths == sorted(depths)
    assert max(depths, default=0) <= 1


SYMMETRIC = {"drive_case", "private_prefix", "slash"}


@given(paths.ascii_paths())
def test_some_changes_lead_back(cwd: str) -> None:
    for alias in aliases(cwd):
        if alias.kind in SYMMETRIC:
            assert cwd in {back.spelling for back in aliases(alias.spelling)}


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("C:\\x", True),
        ("c:/x", True),
        ("C:", True),
        ("\\\\srv\\share", True),
        ("/mnt/c/x", True),
        ("/mnt/c", True),
        ("/Users/kit", True),
        ("/Volumes/x", True),
        ("/private/tmp", True),
        ("/home/kit", False),
        ("/mnt/cx", False),
        ("/mnt/c\n", False),
        ("C:\n", False),
        ("/users/kit", False),
        ("/srv/Users/x", False),
        ("Cx", False),
    ],
)
def test_file_systems_that_ignore_case_are_guessed_by_the_style_of_path(cwd: str, expected: bool) -> None:
    assert ignores_case_guess(cwd) is expected
