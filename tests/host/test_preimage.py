"""The guided walk finds what a walk over everything finds, and opens less."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.errors import SourceError
from forensics.host.awkward import pad_path
from forensics.host.preimage import locate_under, may_lead_to
from forensics.keys import Rule, encode, load_rules

RULES = load_rules().rules
NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "a.b", "a-b", "a_b", "a b", "A", "--", "caf\u00e9", "cafe\u0301", "\u65e5", "\U0001f600"]
    ),
    st.text("ab.-_ \u0301\u0308e\u65e5\u212a\U0001f600", min_size=1, max_size=70).filter(
        lambda name: name.strip(".") and len(os.fsencode(name)) <= 255
    ),
)
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=5), min_size=1, max_size=8)


def walk_naively(key: str, root: str, rules: tuple[Rule, ...]) -> dict[str, tuple[str, ...]]:
    found = {}
    for folder, _, _ in os.walk(root):
        names = tuple(rule.name for rule in rules if encode(folder, rule) == key)
        if names:
            found[folder] = names
    return found


@given(paths=PATHS, data=st.data())
def test_the_guided_walk_finds_what_a_walk_over_everything_finds(
    paths: list[list[str]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.realpath(folder)
        for steps in paths:
            os.makedirs(os.path.join(root, *steps), exist_ok=True)
        everything = sorted(folder for folder, _, _ in os.walk(root))
        rule = data.draw(st.sampled_from(RULES))
        key = encode(data.draw(st.sampled_from(everything)), rule)
        assert key is not None
        located = locate_under(key, Path(root), rules=RULES)
        assert located.matches == walk_naively(key, root, RULES)
        assert located.n_visited + located.n_pruned == len(
            {root} | {path for path in everything if _was_met(path, key, root)}
        )


def _was_met(path: str, key: str, root: str) -> bool:
    """Whether some rule may lead on from every directory above this one, up to the root."""
    above = os.path.dirname(path)
    steps = [above]
    while steps[-1] != root and len(steps[-1]) > len(root):
        steps.append(os.path.dirname(steps[-1]))
    return any(all(may_lead_to(key, step, rule) for step in steps) for rule in RULES)


@given(steps=st.lists(NAMES, min_size=1, max_size=12), rule=st.sampled_from(RULES))
def test_every_directory_above_a_preimage_may_lead_to_it(steps: list[str], rule: Rule) -> None:
    path = "/" + "/".join(steps)
    key = encode(path, rule)
    assert key is not None
    while path != "/":
        path = os.path.dirname(path)
        assert may_lead_to(key, path, rule)


def test_only_directories_that_can_still_match_are_opened(tmp_path: Path) -> None:
    for name in ("a.b/wanted", "a-b/wanted", "a/b/wanted", "c/deep/er", "a.b/other/deep", "ab/wanted"):
        (tmp_path / name).mkdir(parents=True)
    root = os.path.realpath(tmp_path)
    key = encode(f"{root}/a.b/wanted", "cli_e3")
    assert key is not None
    located = locate_under(key, tmp_path)
    assert located.paths == (f"{root}/a-b/wanted", f"{root}/a.b/wanted", f"{root}/a/b/wanted")
    # Opened: the root, a.b, a-b, a and a/b; below the three that match nothing else can.
    assert located.n_visited == 5
    # Seen and left closed: c, ab, a.b/other and the three that match.
    assert located.n_pruned == 6
    assert (located.n_unreadable, located.n_links) == (0, 0)


def test_a_long_key_is_followed_to_its_limit_and_settled_by_its_hash(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    stem = pad_path(root, length=215)
    for end in ("Aa", "BB", "Cc"):
        Path(stem + end).mkdir(parents=True)
    key = encode(stem + "Aa", "cli_e3")
    assert key is not None
    assert len(key) > 200
    assert locate_under(key, tmp_path).paths == (stem + "Aa", stem + "BB")


def test_a_short_key_is_not_sought_beyond_the_limit(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    # One name longer than the limit, whose beginning is the whole of what is sought.
    Path(f"{root}/{'x' * 220}/below").mkdir(parents=True)
    key = encode(f"{root}/{'x' * (190 - len(root))}", "cli_e3")
    assert key is not None
    assert len(key) <= 200
    newest = [rule for rule in RULES if rule.name == "cli_e3"]
    located = locate_under(key, tmp_path, rules=newest)
    assert located.paths == ()
    assert (located.n_visited, located.n_pruned) == (1, 1)


def test_a_normal_form_explains_a_key_that_the_spelling_does_not(tmp_path: Path) -> None:
    (tmp_path / "cafe\u0301").mkdir()
    root = os.path.realpath(tmp_path)
    key = encode(f"{root}/caf\u00e9", "cli_e3")
    assert key is not None
    with_form = locate_under(key, tmp_path, version="2.1.112")
    assert [os.path.basename(path) for path in with_form.paths] == ["cafe\u0301"]
    assert locate_under(key, tmp_path, version="2.1.332").paths == ()


def test_links_below_the_root_are_counted_and_not_followed(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "real/sub").mkdir(parents=True)
    (root / "link").symlink_to(root / "real")
    key = encode(str(root / "link/sub"), "cli_e3")
    assert key is not None
    located = locate_under(key, root)
    assert located.paths == ()
    assert located.n_links == 1


def test_a_link_above_the_root_is_resolved(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "real/sub").mkdir(parents=True)
    (root / "link").symlink_to(root / "real")
    key = encode(str(root / "real/sub"), "cli_e3")
    assert key is not None
    assert locate_under(key, root / "link").paths == (str(root / "real/sub"),)


def test_the_root_itself_can_be_the_answer(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    key = encode(root, "cli_e3")
    assert key is not None
    located = locate_under(key, tmp_path)
    assert located.paths == (root,)
    assert located.matches[root][0] == "cli_e3"


def test_names_that_are_not_utf8_are_walked_through(tmp_path: Path) -> None:
    strange = os.path.join(os.fsencode(os.path.realpath(tmp_path)), b"caf\xe9", b"sub")
    try:
        os.makedirs(strange)
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    key = encode(os.fsdecode(strange), "cli_e3")
    assert key is not None
    assert locate_under(key, tmp_path).paths == (os.fsdecode(strange),)


def test_a_directory_that_does_not_open_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = os.path.realpath(tmp_path)
    (tmp_path / "closed/sub").mkdir(parents=True)
    opened = os.scandir

    def refuse(path: str) -> os._ScandirIterator[str]:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return opened(path)

    monkeypatch.setattr(os, "scandir", refuse)
    key = encode(f"{root}/closed/sub", "cli_e3")
    assert key is not None
    located = locate_under(key, tmp_path)
    assert located.paths == ()
    assert located.n_unreadable == 1


def test_a_named_key_has_no_preimage_and_costs_nothing(tmp_path: Path) -> None:
    located = locate_under("my_project", tmp_path)
    assert located.paths == ()
    assert (located.n_visited, located.n_pruned) == (0, 1)


def test_a_root_that_is_no_directory_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for root in ("file", "absent"):
        with pytest.raises(SourceError):
            locate_under("-srv-x", tmp_path / root)
