"""What explains a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forensics.keys import LIMIT, Explanation, classify, encode, load_rules, rules_for, variants
from forensics.testing import strategies as paths

LONG = "/srv/w/" + "Ab.c" * 60
NEW = "2.1.332"
OLD = "2.1.50"


def key(cwd: str, rule: str) -> str:
    text = encode(cwd, rule)
    assert text is not None
    return text


def test_the_first_recorded_cwd_explains_exactly() -> None:
    assert classify("-srv-app", ["/srv/app", "/srv/app/src"], NEW) == Explanation(
        "exact", rule="cli_e3", cwd="/srv/app", basis="observed"
    )


def test_a_later_cwd_tells_that_the_session_moved() -> None:
    got = classify("-srv-app--claude-worktrees-w", ["/srv/app", "/srv/app/.claude/worktrees/w"], "2.1.223")
    assert got == Explanation("moved", rule="cli_e3", cwd="/srv/app/.claude/worktrees/w", basis="observed")


def test_a_repeated_first_cwd_is_still_the_first() -> None:
    assert classify("-srv-b", ["/srv/a", "/srv/a", "/srv/b"], NEW).kind == "moved"
    assert classify("-srv-a", ["/srv/a", "/srv/a", "/srv/b"], NEW).kind == "exact"


def test_without_a_cwd_nothing_is_decided() -> None:
    assert classify("-srv-a", [], NEW) == Explanation("undecided", note="no cwd is recorded")
    assert classify("short", iter(()), NEW).kind == "undecided"


@pytest.mark.parametrize(
    ("version", "basis"),
    [
        ("2.1.332", "observed"),
        ("2.1.300", "interpolated"),
        ("2.2.0", "beyond_observed"),
        (None, "unversioned"),
    ],
)
def test_an_explanation_says_how_far_the_rule_is_known(version: str | None, basis: str) -> None:
    got = classify("-srv-a", ["/srv/a"], version)
    assert (got.kind, got.rule, got.basis) == ("exact", "cli_e3", basis)


@pytest.mark.parametrize(("rule", "version"), [("cli_e2_node", OLD), ("cli_e2_bun", OLD), ("cli_e3", NEW)])
def test_a_long_key_is_exact_under_either_runtime_of_its_version(rule: str, version: str) -> None:
    assert classify(key(LONG, rule), [LONG], version) == Explanation("exact", rule, LONG, basis="observed")


@pytest.mark.parametrize(
    ("cwd", "folder", "kind"),
    [
        ("c:\\src\\app", "C--src-app", "drive_case"),
        ("C:\\src\\app", "c--src-app", "drive_case"),
        ("/tmp/x", "-private-tmp-x", "private_prefix"),
        ("/private/var/x", "-var-x", "private_prefix"),
        ("/mnt/c/src", "C--src", "wsl"),
        ("C:\\src", "-mnt-c-src", "wsl"),
        ("/srv/cafe\u0301", "-srv-caf-", "nfc"),
        ("/srv/caf\u00e9", "-srv-cafe-", "nfd"),
        ("/srv/x/", "-srv-x", "trailing_slash"),
        ("C:\\Src\\App", "c--src-app", "case"),
        ("C:\\src\\app", "C--Src-App", "case"),
        ("/Users/kit/App", "-Users-kit-app", "case"),
    ],
)
def test_another_spelling_of_a_cwd_explains_as_an_alias(cwd: str, folder: str, kind: str) -> None:
    got = classify(folder, ["/elsewhere", cwd], NEW)
    assert got == Explanation("alias", "cli_e3", cwd, alias=kind, basis="observed")


def test_an_exact_explanation_goes_before_an_alias_of_an_earlier_cwd() -> None:
    got = classify("C--src", ["c:\\src", "C:\\src"], NEW)
    assert (got.kind, got.cwd) == ("moved", "C:\\src")


def test_case_alone_explains_nothing_on_a_file_system_that_minds_it() -> None:
    assert classify("-srv-App", ["/srv/app"], NEW).kind == "unexplained"


def test_case_does_not_explain_a_hash() -> None:
    cwd = "/Users/" + "a" * 250
    assert classify(key(cwd, "cli_e3").upper(), [cwd], NEW).kind == "unexplained"


def test_case_explains_a_name_up_to_the_limit_and_not_beyond() -> None:
    whole, cut = "/Users/" + "a" * 193, "/Users/" + "a" * 194
    assert len(key(whole, "cli_e3")) == LIMIT
    assert classify(key(whole, "cli_e3").upper(), [whole], NEW).alias == "case"
    assert classify(key(cut, "cli_e3").upper(), [cut], NEW).kind == "unexplained"


@pytest.mark.parametrize("name", ["short", "my_project", "-srv-my_app"])
def test_a_chosen_name_is_named_from_the_version_that_takes_names(name: str) -> None:
    assert classify(name, ["/srv/app"], NEW) == Explanation("named", "cli_e3", "/srv/app", basis="observed")
    assert classify(name, ["/srv/app"], "2.1.234").kind == "named"
    assert classify(name, ["/srv/app"], None).kind == "named"


def test_a_chosen_name_before_that_version_is_unexplained_and_said_to_look_like_one() -> None:
    got = classify("my_project", ["/srv/app"], "2.1.233")
    assert got.kind == "unexplained"
    assert got.note == "it looks like a chosen name, which this version cannot have taken"


def test_a_key_that_could_be_a_path_or_a_name_is_unexplained_and_said_to_be_either() -> None:
    assert classify("-srv-other", ["/srv/app"], NEW).note == "it may be a chosen name"
    assert classify("-srv-other", ["/srv/app"], "2.1.233").note is None
    assert classify("-" + "x" * 64, ["/srv/app"], NEW).note is None


def test_a_long_key_with_another_rule_s_hash_is_told_with_that_rule() -> None:
    assert classify(key(LONG, "cli_e2_bun"), ["/x", LONG], NEW) == Explanation(
        "alien_hash", "cli_e2_bun", LONG, note="the suffix is another rule's"
    )
    assert classify(key(LONG, "hash_hex"), [LONG], NEW).rule == "hash_hex"
    assert classify(key(LONG, "hash_over_name"), [LONG], OLD).kind == "alien_hash"


def test_a_hash_from_before_names_were_cut_is_alien_too() -> None:
    got = classify(key(LONG, "cli_e3"), [LONG], "2.1.20")
    assert got.kind == "alien_hash"
    assert got.rule in ("cli_e2_node", "cli_e3_nfc", "cli_e3")


def test_a_long_key_with_a_hash_that_no_rule_gives_is_alien_without_a_rule() -> None:
    folder = key(LONG, "cli_e1")[:200] + "-zzzzzz"
    assert classify(folder, ["/srv/other", LONG], NEW) == Explanation(
        "alien_hash", cwd=LONG, note="the suffix is no known hash of this path"
    )
    assert classify(folder + "0" * 20, [LONG], NEW).kind == "unexplained"
    assert classify(folder[:-7], [LONG], NEW).kind == "unexplained"
    assert classify("-" + folder[2:], [LONG], NEW).kind == "unexplained"
    assert classify(folder, [LONG[:LIMIT]], NEW).kind == "unexplained", "a name of 200 units has no suffix"


def test_a_long_key_that_was_never_cut_is_untruncated() -> None:
    assert classify(key(LONG, "cli_e1"), ["/x", LONG], NEW) == Explanation(
        "untruncated", "cli_e1", LONG, note="the rule of this version would cut it"
    )
    assert classify(key(LONG, "cli_e1"), [LONG], "2.1.20").kind == "exact"


@pytest.mark.parametrize(
    ("cwd", "rule"),
    [
        ("/srv/my_app.x", "slash_only"),
        ("/srv/my_app.x", "slash_and_dot"),
        ("/srv/my_app.x", "slash_no_lead"),
        ("/srv/😀", "codepoints"),
        ("/srv/日本", "bytes"),
        ("/srv/a..b", "collapsed"),
        ("/srv/App", "lower_cased"),
        ("/srv/a_b", "pi_0_73"),
        ("/srv/a:b", "pilee"),
        (LONG, "slash_only"),
        (LONG, "lower_cased"),
    ],
)
def test_a_key_by_a_rule_of_another_tool_is_told_with_that_rule(cwd: str, rule: str) -> None:
    got = classify(key(cwd, rule), ["/srv/nothing", cwd], NEW)
    assert got.kind == "wrong_rule"
    assert got.cwd == cwd
    assert got.rule is not None
    assert encode(cwd, got.rule) == key(cwd, rule)
    assert got.note == load_rules().get(got.rule).title


def test_a_name_of_200_units_was_not_cut_where_characters_are_counted() -> None:
    cwd = "/" + "a" * 198 + "😀"
    got = classify("-" + "a" * 198 + "-", [cwd], NEW)
    assert (got.kind, got.rule) == ("wrong_rule", "sdk_python")


def test_a_rule_of_the_same_agent_goes_before_one_of_another() -> None:
    cwd = LONG + "e\u0301"
    for agent, version, rule in (
        ("claude_code", "2.1.112", "cli_e3"),
        ("claude_sdk_typescript", "0.3.143", "sdk_typescript"),
    ):
        got = classify(key(cwd, rule), [cwd], version, agent)
        assert (got.kind, got.rule) == ("alien_hash", rule)


def test_a_tool_s_rule_goes_before_a_wrong_one_wherever_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "team.toml"
    path.write_text("[[rule]]\nname = 'ours'\nagent = 'ours'\nreplaced = '/'\n")
    assert classify("-srv-a_b", ["/srv/a_b"], NEW).rule == "slash_only"
    assert classify("-srv-a_b", ["/srv/a_b"], NEW, ruleset=load_rules(path)).rule == "ours"


def test_an_ancestor_is_named_and_decides_nothing() -> None:
    got = classify("-srv-app", ["/srv/app/src/deep", "/elsewhere"], "2.1.112")
    assert got == Explanation("unexplained", ancestor="/srv/app")
    assert classify("-", ["/srv/app"], "2.1.112").ancestor == "/"
    assert classify("C--src", ["C:\\src\\app"], "2.1.112").ancestor == "C:\\src"
    assert classify("-", ["/"], "2.1.112").ancestor is None
    assert classify("-srv-ap", ["/srv/app"], "2.1.112").ancestor is None
    assert classify("-srv-ap", ["/srv/apX"], "2.1.112").ancestor is None
    assert classify("C--srv-ap", ["C:\\srv\\apX"], "2.1.112").ancestor is None
    assert classify("-srv-ap", [""], "2.1.112").ancestor is None


def test_a_backslash_ends_a_directory_only_where_no_slash_begins_the_path() -> None:
    assert classify("-srv-app", ["/srv/app\\x"], "2.1.112").ancestor is None
    assert classify("-srv-app", ["/srv/app\\"], "2.1.112").ancestor is None
    assert (
        classify("--srv-share-app", ["\\\\srv\\share\\app\\x"], "2.1.112").ancestor == "\\\\srv\\share\\app"
    )


def test_no_ancestor_is_longer_than_a_path_can_be() -> None:
    """4,096 bytes with the one that ends it, so 4,095 characters."""
    longest, longer = "/" + "a" * 4094, "/" + "a" * 4095
    assert classify(key(longest, "cli_e1"), [longest + "/b"], "2.1.20").ancestor == longest
    assert classify(key(longer, "cli_e1"), [longer + "/b"], "2.1.20").ancestor is None


def test_an_unassigned_character_is_mentioned_where_a_normal_form_is_taken() -> None:
    got = classify("-srv-x.", ["/srv/\u0378"], "2.1.112")
    assert got.note == "a recorded cwd holds a character whose normal form depends on the version of Unicode"
    assert classify("-srv-x.", ["/srv/\u0378"], "2.1.163").note is None
    assert classify("-srv-x.", ["/srv/x"], "2.1.112").note is None


def test_other_agents_are_asked_by_their_own_rules() -> None:
    assert classify("--srv-a_b--", ["/srv/a_b"], "1.6.0", agent="pi").kind == "exact"
    assert classify("--srv-a_b--", ["/srv/a_b"], NEW).kind == "wrong_rule"
    assert classify("-srv-a_b", ["/srv/a_b"], "1.0.0", agent="nobody").rule == "slash_only"
    assert classify("-srv-a-b", ["/srv/a_b"], "1.0.0", agent="nobody").kind == "wrong_rule"


def test_a_team_s_rules_are_used(tmp_path: Path) -> None:
    path = tmp_path / "team.toml"
    path.write_text("[[rule]]\nname = 'dots'\nkind = 'foreign'\nreplaced = '/'\nprefix = '.'\n")
    assert classify(".-srv-a_b", ["/srv/a_b"], NEW).kind == "unexplained"
    assert classify(".-srv-a_b", ["/srv/a_b"], NEW, ruleset=load_rules(path)).rule == "dots"


def test_an_agent_of_the_team_is_asked_by_the_team_s_rules(tmp_path: Path) -> None:
    path = tmp_path / "team.toml"
    path.write_text("[[rule]]\nname = 'ours'\nagent = 'ours'\nreplaced = '/'\n")
    assert classify("-srv-a_b", ["/srv/a_b"], "1.0.0", agent="ours", ruleset=load_rules(path)) == Explanation(
        "exact", "ours", "/srv/a_b", basis="unversioned"
    )


@given(
    paths.resolved_paths(),
    st.lists(paths.resolved_paths(), max_size=3),
    st.sampled_from([OLD, NEW, "2.1.20", None]),
)
def test_what_a_rule_of_the_version_makes_is_always_explained_by_it(
    cwd: str, others: list[str], version: str | None
) -> None:
    for candidate in rules_for("claude_code", version):
        folder = key(cwd, candidate.rule.name)
        first = classify(folder, [cwd, *others], version)
        assert (first.kind, first.cwd) == ("exact", cwd)
        start = "/where/it/began"
        assume(encode(start, candidate.rule) != folder)
        later = classify(folder, [start, *others, cwd], version)
        assert later.kind == "moved"
        assert later.rule is not None
        assert later.cwd is not None
        assert encode(later.cwd, later.rule) == folder


@given(paths.resolved_paths(), st.sampled_from([OLD, NEW, "2.1.20", "9.9.9", None]))
def test_what_any_known_rule_makes_is_explained_somehow(cwd: str, version: str | None) -> None:
    for folder in variants(cwd).values():
        assert folder is not None
        got = classify(folder, [cwd], version)
        assert got.kind not in ("unexplained", "undecided", "moved")
        if got.rule is not None and got.alias is None and got.kind != "named":
            assert encode(cwd, got.rule) == folder


@given(
    paths.hostile_texts(), st.lists(paths.hostile_texts(), max_size=3), st.sampled_from([OLD, NEW, "", None])
)
def test_every_text_has_an_explanation_or_none_and_cwds_alone_make_it_decided(
    folder: str, cwds: list[str], version: str | None
) -> None:
    got = classify(folder, cwds, version)
    assert (got.kind == "undecided") == (not cwds)
    assert got.cwd is None or got.cwd in cwds
    assert (got.alias is not None) == (got.kind == "alias")
    assert (got.basis is not None) == (got.kind in ("exact", "moved", "alias", "named"))
    assert got.ancestor is None or got.kind == "unexplained"
