"""Examples of encoding, resolving and naming, each with its expectation by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensics.keys import (
    LIMIT,
    RESERVED_NAMES,
    RulesError,
    encode,
    is_allowed_name,
    is_named_key,
    load_rules,
    nfc_is_certain,
    resolve_lexical,
    variants,
)
from tests.keys.reference import in_base36, java_hash, utf16_units, wyhash_v4

LONG = "/srv/w/" + "Ab.c" * 60
CUT = ("-srv-w-" + "Ab-c" * 60)[:200]


@pytest.mark.parametrize(
    ("cwd", "key"),
    [
        ("/", "-"),
        ("", ""),
        ("/srv/w/UPPER09lower", "-srv-w-UPPER09lower"),
        ("/home/kit/.cc-scratch/1", "-home-kit--cc-scratch-1"),
        ("/srv/project-a", "-srv-project-a"),
        ("/srv/project.a", "-srv-project-a"),
        ("/srv/project_a", "-srv-project-a"),
        ("/srv/project a", "-srv-project-a"),
        ("/srv/project/a", "-srv-project-a"),
        ("/srv/日本", "-srv---"),
        ("/srv/한글", "-srv---"),
        ("/srv/🙂", "-srv---"),
        ("/srv/cafe\u0301x", "-srv-cafe-x"),
        ("/srv/a\nb\t\0c", "-srv-a-b--c"),
        ("/srv/\u212a\u017f\uff11\u0663", "-srv-----"),
        ("C:\\Users\\kit\\my app", "C--Users-kit-my-app"),
        ("C:/Users/kit/my app", "C--Users-kit-my-app"),
        ("\\\\srv\\share\\x", "--srv-share-x"),
        ("//srv/share/x", "--srv-share-x"),
        ("/mnt/c/Users/kit", "-mnt-c-Users-kit"),
    ],
)
def test_short_paths_under_the_newest_rule(cwd: str, key: str) -> None:
    assert encode(cwd, "cli_e3") == key


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("cli_e1", "-w-" + "e-" + "-" + "-" + "--" + "-"),
        ("cli_e1_nfc", "-w-" + "-" + "-" + "-" + "--" + "-"),
        ("cli_e3", "-w-" + "e-" + "-" + "-" + "--" + "-"),
        ("sdk_python", "-w-" + "-" + "-" + "-" + "-" + "-"),
        ("codepoints", "-w-" + "e-" + "-" + "-" + "-" + "-"),
        ("bytes", "-w-" + "e--" + "-" + "---" + "----" + "-"),
    ],
)
def test_one_path_in_every_unit_and_normal_form(rule: str, key: str) -> None:
    """A decomposed é, a slash, a Hangul syllable, an astral sign and a dot."""
    assert encode("/w/e\u0301/한😀.", rule) == key


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("slash_only", "-srv-My_App.v2 ü--x"),
        ("slash_and_dot", "-srv-My_App-v2 ü--x"),
        ("slash_no_lead", "srv-My_App.v2 ü--x"),
        ("codepoints", "-srv-My-App-v2----x"),
        ("bytes", "-srv-My-App-v2-----x"),
        ("collapsed", "-srv-My-App-v2-x"),
        ("lower_cased", "-srv-my-app-v2----x"),
        ("no_truncation", "-srv-My-App-v2----x"),
        ("hash_over_name", "-srv-My-App-v2----x"),
        ("hash_unsigned", "-srv-My-App-v2----x"),
        ("hash_hex", "-srv-My-App-v2----x"),
    ],
)
def test_wrong_rules_of_other_tools_on_a_short_path(rule: str, key: str) -> None:
    assert encode("/srv/My_App.v2 ü/-x", rule) == key


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ("slash_only", "-C:\\a.b_c-d"),
        ("slash_and_dot", "-C:\\a-b_c-d"),
        ("slash_no_lead", "C:\\a.b_c-d"),
        ("pilee", "--C:\\a.b_c-d--"),
        ("pi_0_73", "--C--a.b_c-d--"),
        ("pi_1_6", "--C--a.b_c-d--"),
        ("cli_e1", "-C--a-b-c-d"),
    ],
)
def test_what_each_rule_of_separators_leaves_alone(rule: str, key: str) -> None:
    assert encode("/C:\\a.b_c/d", rule) == key


def test_every_packaged_rule_on_a_long_path() -> None:
    h = java_hash(utf16_units(LONG))
    assert h < 0, "the path must tell abs from unsigned"
    absolute = in_base36(-h)
    whole = "-srv-w-" + "Ab-c" * 60
    slashed = "-srv-w-" + "Ab.c" * 60
    expected = {
        "cli_e1": whole,
        "cli_e1_nfc": whole,
        "cli_e2_node": f"{CUT}-{absolute}",
        "cli_e2_bun": f"{CUT}-{in_base36(wyhash_v4(LONG.encode(), 0))}",
        "cli_e3_nfc": f"{CUT}-{absolute}",
        "cli_e3": f"{CUT}-{absolute}",
        "sdk_python": f"{CUT}-{absolute}",
        "sdk_typescript_nfc": f"{CUT}-{absolute}",
        "sdk_typescript": f"{CUT}-{absolute}",
        "sdk_typescript_macos": f"{CUT}-{absolute}",
        "pi_0_73": f"-{slashed}--",
        "pi_1_6": f"-{slashed}--",
        "pilee": f"-{slashed}--",
        "slash_only": slashed,
        "slash_and_dot": whole,
        "slash_no_lead": slashed[1:],
        "codepoints": whole,
        "bytes": whole,
        "collapsed": f"{CUT}-{absolute}",
        "lower_cased": f"{CUT.lower()}-{absolute}",
        "no_truncation": whole,
        "hash_over_name": f"{CUT}-{in_base36(abs(java_hash(utf16_units(whole))))}",
        "hash_unsigned": f"{CUT}-{in_base36(h + 2**32)}",
        "hash_hex": f"{CUT}-{-h:x}",
    }
    assert variants(LONG) == expected
    assert list(variants(LONG)) == [rule.name for rule in load_rules().rules]


def test_dashes_are_collapsed_after_the_cut() -> None:
    cwd = "/" + "--" * 60 + "x" * 100
    h = in_base36(abs(java_hash(utf16_units(cwd))))
    assert encode(cwd, "collapsed") == "-" + "x" * 79 + "-" + h


@pytest.mark.parametrize(("units", "is_cut"), [(199, False), (200, False), (201, True)])
def test_the_limit_is_passed_by_the_201st_unit(units: int, is_cut: bool) -> None:
    ascii_path = "/" + "a" * (units - 1)
    astral_path = "/" + "a" * (units - 3) + "😀"
    assert (encode(ascii_path, "cli_e3") != "-" + ascii_path[1:]) is is_cut
    assert (encode(astral_path, "cli_e3") != "-" + astral_path[1:-1] + "--") is is_cut
    assert encode(astral_path, "sdk_python") == "-" + astral_path[1:-1] + "-", "199 characters at most"
    assert LIMIT == 200


def test_the_cut_may_fall_between_the_two_units_of_a_character() -> None:
    cwd = "/" + "a" * 198 + "😀" + "b"
    key = encode(cwd, "cli_e3")
    assert key is not None
    assert key.startswith("-" + "a" * 198 + "--")
    assert key[201:] == in_base36(abs(java_hash(utf16_units(cwd))))


def test_known_suffixes() -> None:
    assert encode("/" + "a" * 200, "cli_e3") == "-" + "a" * 199 + "-b6ymvl"
    assert encode("/" + "a" * 199 + "b", "cli_e3") == "-" + "a" * 199 + "-b6ymvk"
    assert encode("/" + "a" * 199 + "c", "cli_e3") == "-" + "a" * 199 + "-b6ymvj"
    assert encode("/" + "a" * 200 + "Aa", "cli_e3") == "-" + "a" * 199 + "-v6kd75"
    assert encode("/" + "a" * 200 + "BB", "cli_e3") == "-" + "a" * 199 + "-v6kd75"


def test_a_lone_surrogate_is_one_unit_and_refused_by_the_python_sdk_alone() -> None:
    keys = variants("/srv/a\ud800b")
    assert keys["cli_e3"] == "-srv-a-b"
    assert keys["bytes"] == "-srv-a---b"
    assert keys["pi_0_73"] == "--srv-a\ufffdb--"
    assert [name for name, key in keys.items() if key is None] == ["sdk_python"]


def test_bytes_that_are_not_utf_8_give_a_dash_each() -> None:
    keys = variants("/srv/a\udcff\udcfe")
    assert keys["cli_e3"] == keys["sdk_python"] == keys["bytes"] == "-srv-a--"
    assert keys["slash_only"] == "-srv-a\udcff\udcfe"


def test_a_pair_of_surrogates_is_the_character_it_spells_where_utf_16_is_counted() -> None:
    assert encode("/\ud834\udd5e", "cli_e2_node") == encode("/\U0001d15e", "cli_e2_node") == "-----"
    assert encode("/\ud83d\ude00", "pi_0_73") == "--😀--"


def test_a_rule_that_hashes_bytes_hashes_those_of_the_file_name() -> None:
    rule = load_rules(Path(__file__).with_name("extra_rules.toml")).get("kept_bytes_cut")
    assert encode("/a/\udcffbcd", rule) == "-a-\udcffb-" + in_base36(wyhash_v4(b"/a/\xffbcd", 0))
    assert encode("/a/\ud800bcd", rule) == "-a-\ud800b-" + in_base36(wyhash_v4(b"/a/\xef\xbf\xbdbcd", 0))


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/x", "x"),
        ("\\x", "x"),
        ("//x", "-x"),
        ("\\\\x", "-x"),
        ("/\\x", "-x"),
        ("x/", "x-"),
        ("", ""),
        (":x", "-x"),
    ],
)
def test_pi_drops_one_leading_separator_of_either_kind(path: str, kept: str) -> None:
    assert encode(path, "pi_0_73") == f"--{kept}--"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("x", ""),
        ("xy", "y"),
        ("\uffffy", "y"),
        ("\U00010000y", "\ufffdy"),
        ("\ud83d\ude00y", "\ufffdy"),
        ("\ud83dy", "y"),
        ("", ""),
    ],
)
def test_pilee_drops_one_utf_16_unit_and_half_a_character_cannot_be_a_name(path: str, kept: str) -> None:
    assert encode(path, "pilee") == f"--{kept}--"


def test_a_rule_may_be_named_and_an_unknown_name_is_an_error_that_lists_the_known_ones() -> None:
    assert encode("/x", load_rules().get("cli_e1")) == encode("/x", "cli_e1")
    with pytest.raises(RulesError, match="no rule is named 'cli_e9'; there are cli_e1, "):
        encode("/x", "cli_e9")


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("/", "/"),
        ("//", "/"),
        ("///a", "/a"),
        ("//srv/share", "/srv/share"),
        ("/a//b/", "/a/b"),
        ("/a/./b/../c/", "/a/c"),
        ("/../a", "/a"),
        ("/a/..", "/"),
        ("/a/...", "/a/..."),
        ("/a\\b/..", "/"),
        ("/a/..b", "/a/..b"),
        ("", "."),
        (".", "."),
        ("a/../..", ".."),
        ("../../a/./..", "../.."),
        ("./a", "a"),
        ("C:\\", "C:\\"),
        ("c:/", "c:\\"),
        ("C:\\a\\..\\..\\b\\", "C:\\b"),
        ("C:/a//b/./c", "C:\\a\\b\\c"),
        ("C:", "C:"),
        ("C:a\\..", "C:a\\.."),
        ("\\\\srv\\share", "\\\\srv\\share\\"),
        ("\\\\srv\\share\\..\\x\\", "\\\\srv\\share\\x"),
        ("\\\\srv\\\\share/x", "\\\\srv\\share\\x"),
        ("\\\\srv", "\\\\srv"),
        ("\\a", "\\a"),
        ("/a/\udcff/", "/a/\udcff"),
    ],
)
def test_paths_are_resolved_by_spelling(path: str, resolved: str) -> None:
    assert resolve_lexical(path) == resolved


@pytest.mark.parametrize(
    ("path", "is_certain"),
    [
        ("/plain", True),
        ("/café/cafe\u0301/한글/😀", True),
        ("/\ue000\U000f0000", True),
        ("/\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff", True),
        ("/\udcff\ud800", True),
        ("/x\u0378", False),
        ("/\U0001ffff\U00040000", False),
    ],
)
def test_a_normal_form_is_certain_unless_a_character_is_yet_to_be_assigned(
    path: str, is_certain: bool
) -> None:
    assert nfc_is_certain(path) is is_certain


@pytest.mark.parametrize(
    ("name", "is_allowed", "is_named"),
    [
        ("short", True, True),
        ("my_project", True, True),
        ("-srv-my_app", True, True),
        ("_", True, True),
        ("9", True, True),
        ("a" * 64, True, True),
        ("a" * 65, False, False),
        ("", False, False),
        ("a.b", False, False),
        ("a b", False, False),
        ("café", False, False),
        ("a\n", False, False),
        ("con", False, False),
        ("CON", False, False),
        ("Aux", False, False),
        ("nul", False, False),
        ("prn", False, False),
        ("com0", False, False),
        ("LPT9", False, False),
        ("com10", True, True),
        ("con1", True, True),
        ("-", True, False),
        ("-srv-x", True, False),
        ("--srv-share", True, False),
        ("C--Users-kit", True, False),
        ("C-", True, False),
        ("C-Users", True, True),
        ("CC--Users", True, True),
    ],
)
def test_names_that_may_be_chosen_and_keys_that_must_have_been(
    name: str, is_allowed: bool, is_named: bool
) -> None:
    assert is_allowed_name(name) is is_allowed
    assert is_named_key(name) is is_named


def test_the_reserved_names_are_the_devices_of_windows() -> None:
    assert len(RESERVED_NAMES) == 24
    assert {"con", "prn", "aux", "nul", "com0", "com9", "lpt0", "lpt9"} <= RESERVED_NAMES
