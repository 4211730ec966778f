"""Laws that hold for every path, under the rules that the tools follow."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import assume, example, given
from hypothesis import strategies as st

from forensics.keys import (
    LIMIT,
    Rule,
    encode,
    is_named_key,
    load_rules,
    nfc_is_certain,
    resolve_lexical,
    variants,
)
from forensics.keys.collide import tail_with_hash
from forensics.keys.hashing import hash_int32, join_surrogates, to_bytes
from forensics.testing import strategies as paths
from tests.keys import reference

TOOLS = [rule for rule in load_rules().rules if rule.kind == "tool"]
DASHING = [rule for rule in load_rules().rules if rule.replaced == "other"]
CLI_AND_SDK = [rule for rule in TOOLS if rule.agent.startswith("claude_")]
HASHING = [rule for rule in CLI_AND_SDK if rule.limit]
WITHOUT_LIMIT = ("cli_e1", "codepoints", "bytes")
ANY_TEXT = st.one_of(paths.hostile_texts(), paths.resolved_paths())


def key_of(cwd: str, rule: Rule | str) -> str:
    key = encode(cwd, rule)
    assert key is not None
    return key


def as_units(text: str) -> str:
    """The text with each UTF-16 unit as a character of its own."""
    return "".join(map(chr, reference.utf16_units(text)))


@given(ANY_TEXT)
def test_every_rule_answers_every_text_and_only_the_python_sdk_refuses(cwd: str) -> None:
    for name, key in variants(cwd).items():
        is_refused = name == "sdk_python" and re.search("[\ud800-\udc7f\udd00-\udfff]", cwd)
        assert (key is None) == bool(is_refused)


@given(ANY_TEXT)
def test_every_tool_rule_agrees_with_a_naive_second_implementation(cwd: str) -> None:
    assert encode(cwd, "cli_e1") == reference.cli_key(cwd, nfc=False, limit=None)
    assert encode(cwd, "cli_e1_nfc") == reference.cli_key(cwd, nfc=True, limit=None)
    assert encode(cwd, "cli_e2_node") == reference.cli_key(cwd, nfc=True, limit=200)
    assert encode(cwd, "cli_e2_bun") == reference.cli_key(cwd, nfc=True, limit=200, wyhash=True)
    assert encode(cwd, "cli_e3_nfc") == reference.cli_key(cwd, nfc=True, limit=200)
    assert encode(cwd, "cli_e3") == reference.cli_key(cwd, nfc=False, limit=200)
    assert encode(cwd, "sdk_python") == reference.python_sdk_key(cwd)
    assert encode(cwd, "sdk_typescript") == encode(cwd, "cli_e3")
    assert (
        encode(cwd, "sdk_typescript_nfc") == encode(cwd, "sdk_typescript_macos") == encode(cwd, "cli_e3_nfc")
    )


@given(st.one_of(paths.resolved_paths(), st.text(max_size=60)))
def test_pi_agrees_with_a_naive_second_implementation(cwd: str) -> None:
    assert encode(cwd, "pi_0_73") == reference.pi_key(cwd)
    assert encode(cwd, "pi_1_6") == reference.pi_key(resolve_lexical(cwd))


@given(ANY_TEXT, st.sampled_from(DASHING))
def test_a_key_is_made_of_ascii_letters_digits_and_dashes(cwd: str, rule: Rule) -> None:
    key = encode(cwd, rule)
    assert key is None or re.fullmatch("[A-Za-z0-9-]*", key)


@given(ANY_TEXT)
def test_without_a_limit_a_key_is_as_long_as_the_path_in_the_rule_s_unit(cwd: str) -> None:
    assert len(key_of(cwd, "cli_e1")) == len(reference.utf16_units(cwd))
    assert len(key_of(cwd, "codepoints")) == len(cwd)
    assert len(key_of(cwd, "bytes")) == len(to_bytes(cwd))


@given(ANY_TEXT)
def test_each_place_depends_on_its_own_unit_alone(cwd: str) -> None:
    for unit, char in zip(as_units(cwd), key_of(cwd, "cli_e1"), strict=True):
        assert char == (unit if unit.isascii() and unit.isalnum() else "-")


@given(ANY_TEXT, ANY_TEXT, st.sampled_from(WITHOUT_LIMIT))
def test_without_a_limit_the_key_of_a_sum_is_the_sum_of_the_keys(left: str, right: str, name: str) -> None:
    assert key_of(left + right, name) == key_of(left, name) + key_of(right, name)


@given(ANY_TEXT, st.sampled_from(CLI_AND_SDK))
def test_a_key_of_at_most_200_is_its_own_key(cwd: str, rule: Rule) -> None:
    key = encode(cwd, rule)
    assume(key is not None and len(key) <= LIMIT)
    assert key is not None
    assert encode(key, rule) == key


@given(
    ANY_TEXT,
    st.sampled_from([rule for rule in HASHING if rule.unit == "utf16" and rule.normal_form == "none"]),
)
def test_a_key_is_the_whole_name_or_200_units_of_it_and_a_hash(cwd: str, rule: Rule) -> None:
    whole, key = key_of(cwd, "cli_e1"), key_of(cwd, rule)
    if len(whole) <= LIMIT:
        assert key == whole
    else:
        assert key[: LIMIT + 1] == whole[:LIMIT] + "-"
        assert re.fullmatch("[0-9a-z]{1,6}", key[LIMIT + 1 :])
        assert int(key[LIMIT + 1 :], 36) <= 2**31


@given(st.integers(-3, 3), st.sampled_from("aé日😀"), st.sampled_from(HASHING))
def test_the_limit_counts_units_after_the_normal_form(more: int, char: str, rule: Rule) -> None:
    width = 1 if rule.unit == "codepoint" else len(reference.utf16_units(char))
    count, pad = divmod(LIMIT + more - 1, width)
    cwd = "/" + "b" * pad + char * count
    key = key_of(cwd, rule)
    if more <= 0:
        assert len(key) == LIMIT + more
    else:
        assert key[LIMIT] == "-"
        assert LIMIT + 2 <= len(key) <= LIMIT + 14


@given(paths.long_paths())
def test_a_bun_suffix_has_at_most_13_digits_and_everything_else_is_as_on_node(cwd: str) -> None:
    bun, node = key_of(cwd, "cli_e2_bun"), key_of(cwd, "cli_e2_node")
    assert bun[: LIMIT + 1] == node[: LIMIT + 1]
    assert len(bun) <= LIMIT + 14
    if len(bun) > LIMIT:
        assert int(bun[LIMIT + 1 :], 36) == reference.wyhash_v4(cwd.encode(), 0)


@given(paths.resolved_paths(), st.sampled_from(CLI_AND_SDK))
def test_case_is_kept(cwd: str, rule: Rule) -> None:
    path = unicodedata.normalize("NFC", cwd) if rule.normal_form == "nfc" else cwd
    letters = re.sub("[^A-Za-z0-9]", "", path)
    kept = key_of(cwd, rule)[:LIMIT].replace("-", "")
    assert kept == letters[: len(kept)]


@given(paths.ascii_paths())
def test_all_tools_of_one_family_agree_on_short_ascii_paths(cwd: str) -> None:
    assume(len(cwd) <= LIMIT)
    assert len({encode(cwd, rule) for rule in CLI_AND_SDK}) == 1


@given(st.one_of(paths.ascii_paths(), paths.bmp_paths(), paths.long_paths()))
def test_the_sdks_and_the_newest_cli_agree_on_bmp_paths_in_nfc(cwd: str) -> None:
    assume(unicodedata.is_normalized("NFC", cwd))
    assert encode(cwd, "sdk_python") == encode(cwd, "sdk_typescript") == encode(cwd, "cli_e3")


@given(paths.astral_paths())
def test_the_sdks_differ_on_every_short_astral_path(cwd: str) -> None:
    cwd = unicodedata.normalize("NFC", cwd)
    assume(any(char > "\uffff" for char in cwd) and paths.unit_length(cwd) <= LIMIT)
    n_astral = sum(char > "\uffff" for char in cwd)
    assert len(key_of(cwd, "sdk_typescript")) == len(key_of(cwd, "sdk_python")) + n_astral


@given(paths.resolved_paths())
def test_the_two_eras_without_a_normal_form_agree_up_to_200(cwd: str) -> None:
    assert key_of(cwd, "cli_e1")[:LIMIT] == key_of(cwd, "cli_e3")[:LIMIT]


@given(paths.nfd_paths())
def test_a_normal_form_matters_exactly_when_the_names_of_both_forms_differ(cwd: str) -> None:
    nfc = unicodedata.normalize("NFC", cwd)
    assert encode(cwd, "cli_e1_nfc") == encode(nfc, "cli_e1")
    assert encode(cwd, "cli_e3_nfc") == encode(nfc, "cli_e3")
    assert (encode(cwd, "cli_e1") == encode(cwd, "cli_e1_nfc")) == (
        encode(cwd, "cli_e1") == encode(nfc, "cli_e1")
    )


@given(st.one_of(paths.nfd_paths(), paths.bmp_paths()))
def test_all_canonically_equal_spellings_share_a_key_under_nfc(cwd: str) -> None:
    forms = {cwd, unicodedata.normalize("NFC", cwd), unicodedata.normalize("NFD", cwd)}
    for rule in CLI_AND_SDK:
        if rule.normal_form == "nfc":
            assert len({encode(form, rule) for form in forms}) == 1


@given(paths.resolved_paths())
def test_an_uncertain_normal_form_needs_an_unassigned_character(cwd: str) -> None:
    assert nfc_is_certain(cwd) == all(unicodedata.category(char) != "Cn" for char in cwd)


@given(paths.resolved_paths(), st.sampled_from("-_. @~é日\u2028"), st.data())
def test_units_that_are_not_alphanumeric_can_be_exchanged_up_to_the_limit(
    cwd: str, other: str, data: st.DataObject
) -> None:
    path = cwd[:190]
    places = [at for at, char in enumerate(path) if char not in reference.ALPHANUMERIC and char <= "\uffff"]
    at = data.draw(st.sampled_from(places))
    changed = path[:at] + other + path[at + 1 :]
    assert encode(changed, "cli_e1") == encode(path, "cli_e1")


@given(paths.resolved_paths(), st.data())
def test_a_changed_letter_changes_a_short_key(cwd: str, data: st.DataObject) -> None:
    path = cwd[:90]
    at = data.draw(st.integers(0, len(path) - 1))
    other = data.draw(st.sampled_from(paths.LETTERS))
    assume(other != path[at])
    for name in ("cli_e1", "cli_e3", "codepoints", "bytes", "sdk_typescript"):
        assert encode(path[:at] + other + path[at + 1 :], name) != encode(path, name)


@given(paths.long_paths(), st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31), 35, 36, -36]))
def test_a_path_can_be_made_for_every_hash_and_its_suffix_is_the_magnitude(cwd: str, number: int) -> None:
    head = cwd + "y" * max(0, LIMIT - len(cwd))
    path = head + tail_with_hash(hash_int32(head), number)
    expected = {
        0: "0",
        1: "1",
        -1: "1",
        2**31 - 1: "zik0zj",
        -(2**31): "zik0zk",
        35: "z",
        36: "10",
        -36: "10",
    }
    for name in ("cli_e2_node", "cli_e3", "sdk_python", "sdk_typescript"):
        assert key_of(path, name)[LIMIT + 1 :] == expected[number]


@given(paths.windows_paths(), st.sampled_from(CLI_AND_SDK))
def test_a_drive_becomes_its_letter_and_two_dashes_whatever_the_slashes(cwd: str, rule: Rule) -> None:
    key = key_of(cwd, rule)
    assert key[:3] == f"{cwd[0]}--"
    if len(cwd) <= LIMIT:
        assert encode(cwd.replace("\\", "/"), rule) == key


@given(paths.unc_paths(), st.sampled_from(CLI_AND_SDK))
def test_a_share_begins_with_two_dashes_in_either_spelling(cwd: str, rule: Rule) -> None:
    key = key_of(cwd, rule)
    assert key.startswith("--")
    if len(cwd) <= LIMIT:
        assert encode(cwd.replace("\\", "/"), rule) == key


@given(paths.wsl_paths())
def test_a_drive_under_wsl_is_another_key_than_on_windows(cwd: str) -> None:
    assume(len(cwd) <= LIMIT)
    key = key_of(cwd, "cli_e3")
    assert key.startswith(f"-mnt-{cwd[5]}")
    assert key != encode(f"{cwd[5]}:\\{cwd[7:]}".replace("/", "\\"), "cli_e3")


@given(paths.resolved_paths(), st.text("/.", max_size=5))
def test_resolving_is_idempotent_and_forgets_trailing_slashes_and_dots(cwd: str, noise: str) -> None:
    assume(".." not in noise)
    assert resolve_lexical(cwd) == cwd
    if cwd.startswith("/"):
        assert resolve_lexical(f"{cwd}/{noise}/") == cwd
        assert resolve_lexical(f"/{noise}/{cwd}") == cwd


@given(ANY_TEXT)
def test_a_resolved_path_is_resolved(cwd: str) -> None:
    once = resolve_lexical(cwd)
    assert resolve_lexical(once) == once


@given(paths.posix_paths(), paths.names(paths.LETTERS + "._-"))
def test_a_child_and_back_is_where_one_was(cwd: str, name: str) -> None:
    assert resolve_lexical(f"{cwd}/{name}/..") == cwd


@given(paths.keys())
def test_an_encoded_absolute_path_is_never_taken_for_a_chosen_name(key: str) -> None:
    assert not is_named_key(key)


@given(paths.named_keys(), paths.resolved_paths())
def test_no_path_encodes_to_a_chosen_name(name: str, cwd: str) -> None:
    assert encode(cwd, "cli_e3") != name
    assert encode(name, "cli_e3") != name or not name.startswith("-")


@given(ANY_TEXT)
@example("\ud83d" + "\ude00")
def test_a_pair_of_surrogates_is_never_told_from_its_character_in_utf_16(cwd: str) -> None:
    joined = join_surrogates(cwd)
    for rule in TOOLS:
        if rule.unit == "utf16" and not rule.resolve:
            assert encode(cwd, rule) == encode(joined, rule)


def test_a_path_of_100_000_characters_is_encoded_like_any_other() -> None:
    cwd = "/" + "Ab.日😀\ud800e\u0301\udcff" * 11_111
    assert len(cwd) >= 100_000 - 11_111
    keys = variants(cwd)
    assert keys["cli_e3"] == reference.cli_key(cwd, nfc=False, limit=200)
    assert keys["cli_e2_bun"] == reference.cli_key(cwd, nfc=True, limit=200, wyhash=True)
    assert keys["cli_e1"] == reference.cli_key(cwd, nfc=False, limit=None)
    assert keys["sdk_python"] is None
