"""What a lookup takes, by situation and version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensics.dossier.scope import Candidate, ask_in, predict_continue, predict_resume
from forensics.keys import encode

OLD, BETWEEN, NEW, NEWEST = "2.1.112", "2.1.200", "2.1.223", "2.1.332"
LONG = "/srv/" + "x" * 210


def key_of(cwd: str) -> str:
    key = encode(cwd, "cli_e3")
    assert key is not None
    return key


def made_in(cwd: str, *, session: str = "s1", newness: int = 1, key: str | None = None) -> Candidate:
    """A session that began in a directory and lies where that belongs."""
    folder = key or key_of(cwd)
    return Candidate(f"projects/{folder}/{session}.jsonl", session, folder, cwd, newness)


@pytest.mark.parametrize(
    ("version", "verdict"), [(OLD, "not_found"), (BETWEEN, "unknown"), (NEW, "found"), (NEWEST, "found")]
)
@pytest.mark.parametrize(
    ("made", "asked"),
    [
        ("/srv/mill", "/srv/shop"),
        ("/srv/shop", "/srv/shop/cellar"),
        ("/srv/shop/.claude/worktrees/till", "/srv/shop"),
        ("/srv/shop", "/srv/shop/.claude/worktrees/till"),
    ],
    ids=["unrelated", "below", "worktree from root", "root from worktree"],
)
def test_a_resume_from_another_directory_depends_on_the_version(
    made: str, asked: str, version: str, verdict: str
) -> None:
    assert predict_resume([made_in(made)], ask_in(asked, version=version)).verdict == verdict


@pytest.mark.parametrize("version", [OLD, BETWEEN, NEW, NEWEST, None])
def test_a_resume_from_its_own_directory_or_one_of_the_same_key_always_finds_it(version: str | None) -> None:
    file = made_in("/srv/a.b")
    for asked in ("/srv/a.b", "/srv/a-b", "/srv/a b"):
        outcome = predict_resume([file], ask_in(asked, version=version))
        assert (outcome.verdict, outcome.why, outcome.path) == ("found", "own_folder", file.path)


def test_an_id_under_two_keys_is_taken_in_its_own_directories_and_refused_elsewhere() -> None:
    files = [made_in("/srv/mill"), made_in("/srv/shop")]
    for file in files:
        assert file.head_cwd is not None
        assert predict_resume(files, ask_in(file.head_cwd, version=NEWEST)).path == file.path
    third = predict_resume(files, ask_in("/srv/bakery", version=NEWEST))
    assert (third.verdict, third.why) == ("not_found", "several_elsewhere")


def test_an_id_of_no_file_is_found_nowhere() -> None:
    outcome = predict_resume([], ask_in("/srv/shop", version=NEWEST))
    assert (outcome.verdict, outcome.why, outcome.path) == ("not_found", "no_file", None)


def test_a_file_moved_by_hand_is_found_where_it_lies_and_not_where_it_belongs() -> None:
    file = made_in("/srv/mill", key="-srv-shop")
    assert predict_resume([file], ask_in("/srv/shop", version=OLD)).verdict == "found"
    assert predict_resume([file], ask_in("/srv/mill", version=OLD)).verdict == "not_found"
    assert predict_resume([file], ask_in("/srv/mill", version=NEWEST)).why == "elsewhere_in_home"


def test_on_windows_a_folder_is_found_whatever_the_case_of_its_letters() -> None:
    file = Candidate("projects/D--Code-shop/s1.jsonl", "s1", "D--Code-shop", "D:\\Code\\shop")
    assert predict_resume([file], ask_in("d:\\code\\shop", version=OLD)).verdict == "found"
    on_linux = Candidate("projects/-srv-Shop/s1.jsonl", "s1", "-srv-Shop", "/srv/Shop")
    assert predict_resume([on_linux], ask_in("/srv/shop", version=OLD)).verdict == "not_found"


@pytest.mark.parametrize(
    ("version", "is_there", "verdict"),
    [
        (OLD, True, "found"),
        (NEW, True, "found"),
        (NEWEST, True, "not_found"),
        (NEWEST, False, "found"),
        (NEWEST, None, "unknown"),
        ("2.1.300", True, "unknown"),
    ],
)
def test_a_continue_beside_a_colliding_directory(version: str, is_there: bool | None, verdict: str) -> None:
    file = made_in("/srv/a.b")
    asked = ask_in("/srv/a-b", version=version)
    outcome = predict_continue([file], asked, folders={"-srv-a-b"}, exists=lambda _: is_there)
    assert outcome.verdict == verdict


def test_a_colliding_session_is_passed_over_for_an_older_one_of_this_directory() -> None:
    own, others = made_in("/srv/a-b", session="own", newness=1), made_in("/srv/a.b", session="new", newness=2)
    asked = ask_in("/srv/a-b", version=NEWEST)
    taken = predict_continue([others, own], asked, folders={"-srv-a-b"}, exists=lambda _: True)
    assert taken.path == own.path


@pytest.mark.parametrize("version", [OLD, NEW, NEWEST])
def test_a_continue_takes_a_file_that_was_placed_under_this_key(version: str) -> None:
    stray = made_in("/srv/mill", key="-srv-shop", session="stray", newness=2)
    own = made_in("/srv/shop", session="own", newness=1)
    asked = ask_in("/srv/shop", version=version)
    assert (
        predict_continue([own, stray], asked, folders={"-srv-shop"}, exists=lambda _: True).path == stray.path
    )


@pytest.mark.parametrize(
    ("version", "has_folder", "verdict"),
    [
        (OLD, False, "not_found"),
        (NEW, False, "found"),
        (NEW, True, "not_found"),
        ("2.1.224", False, "not_found"),
        (NEWEST, False, "not_found"),
    ],
)
def test_a_continue_in_a_long_path_may_fall_back_to_the_same_beginning(
    version: str, has_folder: bool, verdict: str
) -> None:
    other = made_in(f"{LONG}/one")
    asked = ask_in(f"{LONG}/two", version=version)
    folders = {other.project_key} | (set(asked.keys) if has_folder else set())
    assert predict_continue([other], asked, folders=folders, exists=lambda _: True).verdict == verdict


@pytest.mark.parametrize(("version", "verdict"), [(NEW, "found"), (NEWEST, "found"), (OLD, "not_found")])
def test_a_long_path_finds_its_session_under_the_name_of_another_rule(version: str, verdict: str) -> None:
    wyhash = encode(LONG, "cli_e2_bun")
    file = made_in(LONG, key=wyhash)
    asked = ask_in(LONG, version=version)
    assert wyhash not in asked.keys
    taken = predict_continue([file], asked, folders={file.project_key}, exists=lambda _: True)
    assert taken.verdict == verdict


def test_two_long_directories_of_one_key_are_not_told_apart() -> None:
    """Paths that end in Aa and BB have one hash; 2.1.332 takes the other's session there."""
    file = made_in(f"{LONG}Aa")
    asked = ask_in(f"{LONG}BB", version=NEWEST)
    assert asked.keys == (file.project_key,)
    assert (
        predict_continue([file], asked, folders={file.project_key}, exists=lambda _: True).path == file.path
    )


VERSIONS = st.sampled_from([OLD, "2.1.170", BETWEEN, NEW, "2.1.224", "2.1.300", NEWEST, "2.9.0", None])
DIRECTORIES = st.sampled_from(
    ["/srv/a.b", "/srv/a-b", "/srv/mill", "/srv/shop", f"{LONG}/one", f"{LONG}/two"]
)


@given(made=st.lists(DIRECTORIES, max_size=4), asked=DIRECTORIES, version=VERSIONS)
def test_a_newer_version_never_loses_what_an_older_one_finds(
    made: list[str], asked: str, version: str | None
) -> None:
    files = [made_in(cwd) for cwd in dict.fromkeys(made)]
    if predict_resume(files, ask_in(asked, version=OLD)).verdict == "found":
        assert predict_resume(files, ask_in(asked, version=NEWEST)).verdict == "found"


@given(made=st.lists(DIRECTORIES, max_size=4), asked=DIRECTORIES, version=VERSIONS)
def test_what_is_taken_is_one_of_the_files_and_the_order_of_files_is_no_matter(
    made: list[str], asked: str, version: str | None
) -> None:
    files = [made_in(cwd, session=f"s{at}", newness=at) for at, cwd in enumerate(dict.fromkeys(made))]
    folders = {file.project_key for file in files}
    where = ask_in(asked, version=version)
    taken = predict_continue(files, where, folders=folders, exists=lambda _: None)
    assert taken == predict_continue(files[::-1], where, folders=folders, exists=lambda _: None)
    assert taken.path in (None, *(file.path for file in files))
    assert (taken.verdict == "found") <= (taken.path is not None)
