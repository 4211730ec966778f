"""The rules over columns say what the scalar encoder says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forensics.keys import Rule, RulesError, Ruleset, encode, load_rules, variants
from forensics.keys.frame import CWD_KEYS_SCHEMA, encode_series, key_expr, variants_frame
from forensics.testing import strategies as paths
from tests.keys.golden import cli_runs, sdk_rows

RULES = load_rules().rules
UNICODE = st.one_of(paths.resolved_paths(), st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
EXTRA = load_rules(Path(__file__).with_name("extra_rules.toml")).rules[len(RULES) :]


def both(cwds: Sequence[str | None], rule: Rule) -> tuple[list[str | None], list[str | None]]:
    scalar = [None if cwd is None else encode(cwd, rule) for cwd in cwds]
    return encode_series(pl.Series("cwd", cwds, pl.String), rule).to_list(), scalar


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_golden_path_gives_the_scalar_key(rule: Rule) -> None:
    cwds = [run.cwd for run in cli_runs()] + [row.path for row in sdk_rows()]
    vectorised, scalar = both(
        [cwd for cwd in cwds if not any("\ud800" <= char <= "\udfff" for char in cwd)], rule
    )
    assert vectorised == scalar


@given(st.lists(st.one_of(UNICODE, st.none()), max_size=8))
@example(
    ["/", "", ".", "/a/", "//a", "/a/..", "/a/./b", "/a/...", "C:\\a\\.", "a", "/x\n", "\n", "/.\n", "/a/.\n"]
)
@example(
    ["/😀/한글/é", "/e\u0301", "/\u212a", "😀", "\\x", "x", "/ẞİ", "\x85", "/\u07ff\u0800\uffff\U00010000"]
)
def test_the_vectorised_form_agrees_with_the_scalar_one_under_every_rule(cwds: list[str | None]) -> None:
    for rule in RULES:
        vectorised, scalar = both(cwds, rule)
        assert vectorised == scalar


@given(st.lists(UNICODE, max_size=4))
@example(["/É/x", "ÀÉÎ😀", "/aé日😀", "/ab]c^d-e\\f"])
@example(["/\u1c89/\ua7cb"])  # they have had a lower case since Unicode 16, which the engine may know first
def test_the_vectorised_form_agrees_under_rules_that_a_team_might_add(cwds: list[str]) -> None:
    for rule in EXTRA:
        vectorised, scalar = both(cwds, rule)
        assert vectorised == scalar


def test_an_expression_keeps_name_nulls_and_order() -> None:
    frame = pl.DataFrame({"cwd": ["/srv/b.c", None, "/srv/a"]})
    keys = frame.select(key_expr("cwd", "cli_e3"), key_expr(pl.col("cwd"), "pi_1_6").alias("pi"))
    assert keys.to_dict(as_series=False) == {
        "cwd": ["-srv-b-c", None, "-srv-a"],
        "pi": ["--srv-b.c--", None, "--srv-a--"],
    }
    assert frame.lazy().select(key_expr("cwd", "cli_e3")).collect()["cwd"].dtype == pl.String


def test_a_column_of_categories_is_read_as_its_texts() -> None:
    cwds = pl.Series("cwd", ["/a", "/a"], pl.Categorical)
    assert encode_series(cwds, "cli_e3").to_list() == ["-a", "-a"]
    lazy = cwds.to_frame().lazy().select(key_expr("cwd", "cli_e3"))
    assert lazy.collect_schema() == lazy.collect().schema == {"cwd": pl.String}


def test_an_empty_column_gives_an_empty_column() -> None:
    assert encode_series(pl.Series("cwd", [], pl.String), "cli_e2_bun").to_list() == []
    assert variants_frame(pl.Series("cwd", [None], pl.String)).height == 0
    assert variants_frame(pl.Series("cwd", [], pl.Null)).schema == pl.Schema(CWD_KEYS_SCHEMA)


def test_without_rules_there_are_no_variants_and_the_columns_stay() -> None:
    frame = variants_frame(pl.Series("cwd", ["/a"]), Ruleset((), version="0", digest=""))
    assert frame.schema == pl.Schema(CWD_KEYS_SCHEMA)
    assert frame.height == 0


def test_all_variants_come_by_path_and_then_as_the_rules_are() -> None:
    cwds = ["/srv/b", "/srv/😀.a", "/srv/b", None]
    frame = variants_frame(pl.Series("cwd", cwds, pl.String))
    expected = [(cwd, rule, key) for cwd in ("/srv/b", "/srv/😀.a") for rule, key in variants(cwd).items()]
    assert frame.schema == pl.Schema(CWD_KEYS_SCHEMA)
    assert frame.rows() == expected


def test_variants_follow_the_rules_they_are_given(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text("[[rule]]\nname = 'zz'\nkind = 'foreign'\nreplaced = '/'\n")
    frame = variants_frame(pl.Series(["/a_b"]), load_rules(path))
    assert frame.rows()[-1] == ("/a_b", "zz", "-a_b")
    assert frame.height == len(RULES) + 1


def test_an_unknown_rule_is_an_error_at_once() -> None:
    with pytest.raises(RulesError, match="cli_e9"):
        key_expr("cwd", "cli_e9")
    with pytest.raises(RulesError, match="cli_e9"):
        encode_series(pl.Series(["/a"]), "cli_e9")
