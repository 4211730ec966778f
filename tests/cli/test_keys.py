"""encode, locate and oracle: keys on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from forensics.keys import load_rules
from tests.cli.words import call


def _rows(*words: str | Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(call(*words, "--json").stdout)["rows"]
    return rows


def test_encode_gives_the_key_under_every_rule_of_a_tool() -> None:
    rows = _rows("encode", "/srv/my.web")
    tools = [rule.name for rule in load_rules().rules if rule.kind == "tool"]
    assert [row["rule"] for row in rows] == tools
    assert {row["key"] for row in rows if row["agent"] == "claude_code"} == {"-srv-my-web"}
    assert {row["key"] for row in rows if row["rule"].startswith("pi_")} == {"--srv-my.web--"}


def test_encode_shows_the_wrong_rules_only_when_asked() -> None:
    every = {row["rule"]: row["key"] for row in _rows("encode", "/srv/my.web", "--foreign")}
    assert every["slash_only"] == "-srv-my.web"
    assert set(every) == {rule.name for rule in load_rules().rules}


def test_encode_for_a_version_says_how_sure_the_rule_is() -> None:
    (row,) = _rows("encode", "/srv/x", "--version", "2.1.332")
    assert (row["rule"], row["basis"]) == ("cli_e3", "observed")
    (row,) = _rows("encode", "/srv/x", "--version", "9.0.0")
    assert (row["rule"], row["basis"]) == ("cli_e3", "beyond_observed")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/srv//a/../b/./c/", "/srv/b/c"),
        ("C:\\Code\\x\\", "C:\\Code\\x"),
        ("/", "/"),
    ],
)
def test_encode_takes_a_path_as_a_tool_sees_it(given: str, expected: str) -> None:
    (row,) = _rows("encode", given, "--rule", "cli_e3")
    assert row["path"] == expected


def test_a_relative_path_counts_from_here(tmp_path: Path) -> None:
    ended = call("encode", "sub/..", "--rule", "cli_e3", "--json", cwd=tmp_path)
    (row,) = json.loads(ended.stdout)["rows"]
    assert row["path"] == str(tmp_path)


def test_a_rules_file_adds_a_rule_and_changes_the_digest(tmp_path: Path) -> None:
    extra = tmp_path / "more.toml"
    extra.write_text(
        '[[rule]]\nname = "upper_dot"\nagent = "claude_code"\nkind = "tool"\n'
        'title = "Only dots."\nfirst = "9.0.0"\nlast = "9.9.9"\nreplaced = "."\nsource = "invented"\n'
    )
    ended = call("encode", "/srv/my.web", "--rules", extra, "--rule", "upper_dot", "--json")
    document = json.loads(ended.stdout)
    assert [row["key"] for row in document["rows"]] == ["/srv/my-web"]
    assert document["ruleset"]["digest"] != load_rules().digest


def test_one_key_of_two_directories_stands_in_one_table() -> None:
    text = call("encode", "/srv/a.b", "/srv/a-b", "--rule", "cli_e3").stdout.decode()
    assert [line.split()[:2] for line in text.split("\n")[2:] if line] == [
        ["/srv/a.b", "-srv-a-b"],
        ["/srv/a-b", "-srv-a-b"],
    ]


def test_locate_under_finds_existing_directories_without_any_case(tmp_path: Path) -> None:
    for name in ("a.b", "a-b", "ab", "a-b/c"):
        (tmp_path / name).mkdir()
    (tmp_path / "a_b").symlink_to(tmp_path / "a.b")
    key = (
        call("encode", tmp_path / "a.b", "--rule", "cli_e3", "--format", "csv").stdout.decode().split(",")[7]
    )
    ended = call("locate", key, "--under", tmp_path, "--json", cwd=tmp_path)
    assert ended.returncode == 0
    assert [row["directory"] for row in json.loads(ended.stdout)["rows"]] == [
        str(tmp_path / "a-b"),
        str(tmp_path / "a.b"),
    ]
    assert b"1 links not followed" in ended.stderr


def test_locate_that_finds_nothing_ends_with_3_and_the_same_keys(tmp_path: Path) -> None:
    ended = call("locate", "-no-such-key", "--under", tmp_path, "--json", cwd=tmp_path)
    assert ended.returncode == 3
    assert json.loads(ended.stdout)["rows"] == []


def test_locate_under_nothing_ends_with_6(tmp_path: Path) -> None:
    ended = call("locate", "-srv-x", "--under", tmp_path / "none", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (6, b"")


def test_a_javascript_engine_agrees_with_the_rules() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not here")
    ended = call("oracle", "--javascript", "--json")
    document = json.loads(ended.stdout)
    assert (ended.returncode, document["n_disagree"]) == (0, 0)
    assert document["n_agree"] > 1000


def test_an_engine_that_is_not_there_is_a_usage_error() -> None:
    ended = call("oracle", "--javascript", "--runtime", "no-such-engine")
    assert (ended.returncode, ended.stdout) == (2, b"")
