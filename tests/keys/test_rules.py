"""Rules as data, and which of them a version may have used."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.keys import Rule, RulesError, encode, load_rules, parse_version, rules_for, variants
from forensics.keys.rules import PACKAGED
from tests.keys.reference import in_base36, wyhash_v4


def named(agent: str, version: str | None) -> list[tuple[str, str]]:
    return [(item.rule.name, item.basis) for item in rules_for(agent, version)]


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.2.100", [("cli_e1", "beyond_observed")]),
        ("0.2.126", [("cli_e1", "observed")]),
        ("1.0.51", [("cli_e1", "interpolated")]),
        ("2.1.34", [("cli_e1", "observed")]),
        ("2.1.35", [("cli_e1", "interpolated")]),
        ("2.1.37", [("cli_e1", "observed")]),
        ("2.1.38", [("cli_e1_nfc", "observed")]),
        ("2.1.39", [("cli_e1_nfc", "interpolated")]),
        ("2.1.42", [("cli_e1_nfc", "observed")]),
        ("2.1.44", [("cli_e1_nfc", "interpolated")]),
        ("2.1.45", [("cli_e1_nfc", "observed")]),
        (
            "2.1.46",
            [("cli_e1_nfc", "interpolated"), ("cli_e2_node", "interpolated"), ("cli_e2_bun", "interpolated")],
        ),
        ("2.1.47", [("cli_e2_node", "observed"), ("cli_e2_bun", "interpolated")]),
        ("2.1.50", [("cli_e2_node", "observed"), ("cli_e2_bun", "observed")]),
        ("2.1.77", [("cli_e2_node", "interpolated"), ("cli_e2_bun", "interpolated")]),
        ("2.1.100", [("cli_e2_node", "observed"), ("cli_e2_bun", "observed")]),
        ("2.1.101", [("cli_e3_nfc", "observed")]),
        ("2.1.156", [("cli_e3_nfc", "observed")]),
        ("2.1.157", [("cli_e3_nfc", "interpolated")]),
        ("2.1.159", [("cli_e3_nfc", "observed")]),
        ("2.1.160", [("cli_e3", "observed")]),
        ("2.1.162", [("cli_e3", "interpolated")]),
        ("2.1.163", [("cli_e3", "observed")]),
        ("2.1.232", [("cli_e3", "interpolated")]),
        ("2.1.332", [("cli_e3", "observed")]),
        ("2.1.333", [("cli_e3", "beyond_observed")]),
        ("10.0.0", [("cli_e3", "beyond_observed")]),
        ("v2.1.332-rc.1", [("cli_e3", "observed")]),
    ],
)
def test_a_version_of_the_cli_gives_its_candidates(version: str, expected: list[tuple[str, str]]) -> None:
    assert named("claude_code", version) == expected


@pytest.mark.parametrize(
    ("agent", "version", "expected"),
    [
        ("claude_sdk_python", "0.2.189", [("sdk_python", "observed")]),
        ("claude_sdk_python", "0.1.100", [("sdk_python", "interpolated")]),
        ("claude_sdk_typescript", "0.3.143", [("sdk_typescript_nfc", "observed")]),
        (
            "claude_sdk_typescript",
            "0.3.332",
            [("sdk_typescript", "observed"), ("sdk_typescript_macos", "interpolated")],
        ),
        ("pi", "0.73.1", [("pi_0_73", "observed")]),
        ("pi", "1.0.0", [("pi_0_73", "interpolated"), ("pi_1_6", "interpolated")]),
        ("pi", "2.0.0", [("pi_1_6", "beyond_observed")]),
        ("pilee", "1.0.0", [("pilee", "unversioned")]),
        ("nobody", "1.0.0", []),
    ],
)
def test_other_agents_have_candidates_too(agent: str, version: str, expected: list[tuple[str, str]]) -> None:
    assert named(agent, version) == expected


@pytest.mark.parametrize("version", [None, "", "unknown", "2.1", "2.1.x", "1" * 5000 + ".0.0"])
def test_without_a_readable_version_all_rules_of_the_agent_are_candidates_newest_first(
    version: str | None,
) -> None:
    names = ["cli_e3", "cli_e3_nfc", "cli_e2_bun", "cli_e2_node", "cli_e1_nfc", "cli_e1"]
    assert named("claude_code", version) == [(name, "unversioned") for name in names]


@given(st.text(max_size=12), st.text(max_size=12))
def test_candidates_exist_for_every_text_as_a_version(agent: str, version: str) -> None:
    assert rules_for("claude_code", version)
    rules_for(agent, version)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.332", (2, 1, 332)),
        (" 2.1.50-bun ", (2, 1, 50)),
        ("v1.0.0+build", (1, 0, 0)),
        ("V1.2.3", (1, 2, 3)),
        ("1.2.3.4", (1, 2, 3)),
        ("1.2.1234567890", None),
        ("1234567890.2.3", None),
        ("x1.2.3", None),
        ("1.2", None),
        ("١.٢.٣", None),
        ("", None),
        (None, None),
    ],
)
def test_a_version_is_its_first_three_numbers(text: str | None, version: tuple[int, int, int] | None) -> None:
    assert parse_version(text) == version


def test_every_packaged_rule_says_what_it_is_and_where_it_comes_from() -> None:
    rules = load_rules().rules
    assert len({rule.name for rule in rules}) == len(rules) == 24
    assert all(rule.title.endswith(".") and rule.source for rule in rules)
    assert {rule.agent for rule in rules if rule.kind == "foreign"} == {""}
    assert all(rule.limit in (0, 200) for rule in rules)


def test_spans_of_one_agent_do_not_overlap_but_for_runtimes_and_platforms() -> None:
    rules = [rule for rule in load_rules().rules if rule.first]
    for one in rules:
        for two in rules:
            if one.name < two.name and one.agent == two.agent:
                first = max(parse_version(one.first) or (), parse_version(two.first) or ())
                last = min(parse_version(one.last) or (), parse_version(two.last) or ())
                assert first > last or one.where != two.where


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("where", {"cli_e2_node": "node", "cli_e2_bun": "bun", "sdk_typescript_macos": "macos"}),
        ("resolve", {"pi_1_6": True}),
        ("lower", {"lower_cased": True}),
        ("collapse", {"collapsed": True}),
        ("refuses", {"sdk_python": "lone_surrogate"}),
        ("hash_over", {"hash_over_name": "name"}),
        ("hash_sign", {"hash_unsigned": "unsigned"}),
        ("hash_base", {"hash_hex": 16}),
        (
            "strip",
            {"pi_0_73": "separator", "pi_1_6": "separator", "slash_no_lead": "separator", "pilee": "unit"},
        ),
        (
            "normal_form",
            dict.fromkeys(
                (
                    "cli_e1_nfc",
                    "cli_e2_node",
                    "cli_e2_bun",
                    "cli_e3_nfc",
                    "sdk_python",
                    "sdk_typescript_nfc",
                    "sdk_typescript_macos",
                ),
                "nfc",
            ),
        ),
        (
            "unit",
            dict.fromkeys(
                ("sdk_python", "slash_only", "slash_and_dot", "slash_no_lead", "codepoints"), "codepoint"
            )
            | {"bytes": "byte"},
        ),
        (
            "kind",
            dict.fromkeys(
                (
                    "slash_only",
                    "slash_and_dot",
                    "slash_no_lead",
                    "codepoints",
                    "bytes",
                    "collapsed",
                    "lower_cased",
                    "no_truncation",
                    "hash_over_name",
                    "hash_unsigned",
                    "hash_hex",
                ),
                "foreign",
            ),
        ),
        (
            "override",
            dict.fromkeys(
                ("cli_e3", "sdk_typescript", "sdk_typescript_macos"), "CLAUDE_CODE_PROJECT_DIR_NAME"
            ),
        ),
        (
            "override_first",
            {"cli_e3": "2.1.234", "sdk_typescript": "0.3.234", "sdk_typescript_macos": "0.3.234"},
        ),
    ],
)
def test_what_sets_a_rule_apart_from_the_plain_one(field: str, expected: dict[str, object]) -> None:
    """The plain one: UTF-16 units, no normal form, a tool's, on any platform, without an override."""
    plain = getattr(Rule(name=""), field)
    found = {rule.name: getattr(rule, field) for rule in load_rules().rules}
    assert {name: value for name, value in found.items() if value != plain} == expected


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_further_file_adds_rules_and_extends_known_ones(tmp_path: Path) -> None:
    extra = write(
        tmp_path / "team.toml",
        """
        version = "team-3"
        [[rule]]
        name = "cli_e3"
        last = "2.2.5"
        observed = ["2.1.332", "2.2.5"]
        [[rule]]
        name = "cli_e4"
        agent = "claude_code"
        first = "2.2.6"
        last = "2.2.6"
        observed = ["2.2.6"]
        limit = 64
        hash = "wyhash64"
        """,
    )
    rules = load_rules(extra)
    assert [(item.rule.name, item.basis) for item in rules_for("claude_code", "2.2.5", rules)] == [
        ("cli_e3", "observed")
    ]
    assert [item.rule.name for item in rules_for("claude_code", "2.3.0", rules)] == ["cli_e4"]
    assert rules.get("cli_e3").limit == 200
    assert rules.version == "1+team-3"
    assert rules.digest != load_rules().digest
    suffix = in_base36(wyhash_v4(b"/" + b"a" * 64, 0))
    assert encode("/" + "a" * 64, rules.get("cli_e4")) == "-" + "a" * 63 + "-" + suffix
    assert list(variants("/x", rules))[-1] == "cli_e4"
    assert named("claude_code", "2.2.5") == [("cli_e3", "beyond_observed")], (
        "the packaged rules are untouched"
    )


def test_the_digest_depends_on_the_content_of_the_files_alone(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    one = load_rules(write(tmp_path / "a.toml", "version = 'x'\n"))
    two = load_rules(write(tmp_path / "deeper" / "b.toml", "version = 'x'\n"))
    three = load_rules(write(tmp_path / "c.toml", "version = 'y'\n"))
    assert one.digest == two.digest != three.digest
    assert len(one.digest) == 64


def test_the_digest_can_be_computed_by_hand(tmp_path: Path) -> None:
    extra = write(tmp_path / "a.toml", "version = 'x'\n")
    packaged = PACKAGED.read_bytes()
    framed = len(packaged).to_bytes(8, "big") + packaged
    assert load_rules().digest == hashlib.sha256(framed).hexdigest()
    framed += (14).to_bytes(8, "big") + b"version = 'x'\n"
    assert load_rules(extra).digest == hashlib.sha256(framed).hexdigest()


def test_a_rule_is_found_by_name_or_the_known_names_are_listed() -> None:
    assert load_rules().get("pilee").agent == "pilee"
    with pytest.raises(
        RulesError, match=r"no rule is named 'x'; there are cli_e1, cli_e1_nfc, .*, hash_hex$"
    ):
        load_rules().get("x")


def test_a_file_without_a_version_keeps_the_packaged_one(tmp_path: Path) -> None:
    assert load_rules(write(tmp_path / "a.toml", "")).version == load_rules().version == "1"


RULE = "[[rule]]\nname = 'x'\nkind = 'foreign'\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[rule]", "is not TOML"),
        ("version = 1", "version must be a text"),
        ("verzion = '1'", "unknown field 'verzion'"),
        ("rule = 5", r"written as \[\[rule\]\] tables"),
        ("rule = [5]", r"written as \[\[rule\]\] tables"),
        ("[[rule]]\nagent = 'a'", "a rule needs a name of a-z, 0-9 and _, not None"),
        ("[[rule]]\nname = 'A-b'", "a rule needs a name of a-z, 0-9 and _, not 'A-b'"),
        ("[[rule]]\nname = ''", "a rule needs a name"),
        ("[[rule]]\nname = 'x'", "rule x: a tool's rule needs its agent"),
        (RULE + "colour = 'red'", "rule x: unknown field 'colour'"),
        (RULE + "limit = '200'", "rule x: limit must be int"),
        (RULE + "limit = true", "rule x: limit must be int"),
        (RULE + "lower = 1", "rule x: lower must be bool"),
        (RULE + "observed = '1.0.0'", "rule x: observed must be a list of versions"),
        (RULE + "observed = [1]", "rule x: observed must be a list of versions"),
        (RULE + "observed = ['1.0']\nfirst = '1.0.0'\nlast = '1.0.0'", "rule x: '1.0' is not a version"),
        (RULE + "observed = ['1.0.0']", "rule x: an observed version lies outside"),
        (
            RULE + "observed = ['1.0.3']\nfirst = '1.0.0'\nlast = '1.0.2'",
            "rule x: an observed version lies outside",
        ),
        (RULE + "first = '1.0'\nlast = '1.0.0'", "rule x: '1.0' is not a version"),
        (RULE + "first = '1.0.0'", "rule x: first and last belong together"),
        (RULE + "first = '1.0.10'\nlast = '1.0.9'", "rule x: first is later than last"),
        (RULE + "limit = 200", "rule x: a limit above 0 and a hash belong together"),
        (RULE + "hash = 'int32'", "rule x: a limit above 0 and a hash belong together"),
        (RULE + "limit = -1\nhash = 'int32'", "rule x: a limit above 0 and a hash belong together"),
        (RULE + "hash_base = 10", "rule x: hash_base must be 16 or 36"),
        (RULE + "override = 'NAME'", "rule x: override and override_first belong together"),
        (RULE + "override = 'NAME'\noverride_first = 'x'", "rule x: 'x' is not a version"),
        (RULE + "replaced = ''", "rule x: replaced is empty"),
        (RULE + "unit = 'utf8'", "rule x: unit must be one of 'utf16', 'codepoint', 'byte'"),
        (RULE.replace("foreign", "alien"), "rule x: kind must be one of 'tool', 'foreign'"),
        (RULE + "hash = 'md5'", "rule x: hash must be one of"),
        (RULE + "hash_over = 'all'", "rule x: hash_over must be one of"),
        (RULE + "hash_sign = 'minus'", "rule x: hash_sign must be one of"),
        (RULE + "normal_form = 'nfd'", "rule x: normal_form must be one of"),
        (RULE + "strip = 'all'", "rule x: strip must be one of"),
        (RULE + "refuses = 'all'", "rule x: refuses must be one of"),
    ],
)
def test_an_impossible_file_is_refused_with_its_name_and_the_fault(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = write(tmp_path / "bad.toml", text)
    with pytest.raises(RulesError, match=complaint) as caught:
        load_rules(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="cannot be read: No such file"):
        load_rules(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b"version = '\xff'")
    with pytest.raises(RulesError, match="is not TOML"):
        load_rules(tmp_path / "latin.toml")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(RulesError, match="is not TOML"):
        load_rules(tmp_path / "deep.toml")


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "rules.toml", "version = 'old'")
    assert load_rules(path).version == "1+old"
    write(path, "version = 'new'")
    assert load_rules(path).version == "1+new"


def test_the_packaged_rules_lie_in_the_package() -> None:
    assert PACKAGED.is_file()
    assert load_rules() is load_rules()
