"""git's porcelain and git's own files say the same about working trees."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from forensics.host.bounded import run_bounded
from forensics.host.worktrees import (
    GitPlace,
    Worktree,
    find_git_place,
    list_worktrees,
    parse_worktree_list,
    read_worktrees,
)

COMMIT = "1f" * 20
needs_git = pytest.mark.skipif(
    shutil.which("git") is None and not os.environ.get("CI"), reason="git is absent"
)


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=kit", "-c", "user.email=kit@example.org", "-c", "init.defaultBranch=trunk")
    outcome = run_bounded(["git", *identity, "-C", str(folder), *words], seconds=30)
    assert outcome.is_success, outcome.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = Path(os.path.realpath(tmp_path)) / "my repo"
    root.mkdir()
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "first")
    return root


def test_each_block_is_one_working_tree() -> None:
    text = (
        f"worktree /srv/my app\nHEAD {COMMIT}\nbranch refs/heads/trunk\n\n"
        f"worktree /srv/my app-worktrees/feature-a\nHEAD {COMMIT}\nbranch refs/heads/kit/feature-a\n\n"
    )
    assert parse_worktree_list(text.encode()) == (
        Worktree("/srv/my app", COMMIT, "trunk"),
        Worktree("/srv/my app-worktrees/feature-a", COMMIT, "kit/feature-a"),
    )


def test_attributes_without_a_value_are_flags() -> None:
    text = f"worktree /srv/b.git\nbare\n\nworktree /srv/w\nHEAD {COMMIT}\ndetached\nlocked\n\n"
    assert parse_worktree_list(text.encode()) == (
        Worktree("/srv/b.git", is_bare=True),
        Worktree("/srv/w", COMMIT, is_detached=True, is_locked=True),
    )


def test_a_reason_to_lock_is_unquoted_and_a_reason_to_prune_is_only_a_flag() -> None:
    text = (
        f'worktree /srv/w\nHEAD {COMMIT}\ndetached\nlocked "on a \\"stick\\"\\nsince \\303\\251t\\303\\251"\n'
        "prunable gitdir file points to non-existent location\n\n"
    )
    (tree,) = parse_worktree_list(text.encode())
    assert tree.lock_reason == 'on a "stick"\nsince été'
    assert tree.is_locked
    assert tree.is_prunable


def test_a_newline_in_a_path_belongs_to_the_path() -> None:
    text = f"worktree /srv/two\nlines\nHEAD {COMMIT}\nbranch refs/heads/x\n\n"
    assert [tree.path for tree in parse_worktree_list(text.encode())] == ["/srv/two\nlines"]


def test_a_quoted_path_is_unquoted() -> None:
    text = f'worktree "/srv/two\\nlines\\ttab"\nHEAD {COMMIT}\ndetached\n\n'
    assert [tree.path for tree in parse_worktree_list(text.encode())] == ["/srv/two\nlines\ttab"]


def test_nothing_is_quoted_where_nul_ends_a_line() -> None:
    text = f'worktree /srv/two\nlines\0HEAD {COMMIT}\0detached\0locked a "b"\nc\0\0worktree "/x"\0bare\0\0'
    assert parse_worktree_list(text.encode()) == (
        Worktree("/srv/two\nlines", COMMIT, is_detached=True, is_locked=True, lock_reason='a "b"\nc'),
        Worktree('"/x"', is_bare=True),
    )


def test_a_branch_without_a_commit_has_no_head() -> None:
    text = f"worktree /srv/new\nHEAD {'0' * 40}\nbranch refs/heads/trunk\n\n"
    assert parse_worktree_list(text.encode()) == (Worktree("/srv/new", None, "trunk"),)


def test_an_attribute_of_a_later_git_is_passed_over() -> None:
    text = f"worktree /srv/w\nHEAD {COMMIT}\nbranch refs/heads/x\ncolour green\nlocked\n\n"
    assert parse_worktree_list(text.encode()) == (Worktree("/srv/w", COMMIT, "x", is_locked=True),)


def test_a_path_that_is_not_utf8_keeps_its_bytes() -> None:
    text = b"worktree /srv/caf\xe9\nHEAD " + COMMIT.encode() + b"\ndetached\n\n"
    assert [os.fsencode(tree.path) for tree in parse_worktree_list(text)] == [b"/srv/caf\xe9"]


@pytest.mark.parametrize("text", [b"", b"\n\n", b"fatal: not a git repository\n", b"HEAD abc\nbranch x\n"])
def test_output_without_a_working_tree_gives_none(text: bytes) -> None:
    assert parse_worktree_list(text) == ()


@needs_git
def test_the_files_alone_say_what_git_says(repository: Path) -> None:
    trees = repository.parent
    git(repository, "worktree", "add", "-q", "-b", "kit/feature", str(trees / "two\nlines"))
    git(repository, "worktree", "add", "-q", "--detach", str(trees / "away"))
    git(repository, "worktree", "lock", "--reason", 'on a "stick"', str(trees / "away"))
    git(repository, "worktree", "add", "-q", "-b", "gone", str(trees / "gone"))
    shutil.rmtree(trees / "gone")
    place = find_git_place(str(repository))
    assert place is not None
    by_git, told_by = list_worktrees(place)
    by_files, read_from = list_worktrees(place, git=None)
    assert (told_by, read_from) == ("git", "files")
    assert by_git == by_files
    assert {tree.path.removeprefix(f"{trees}/"): (tree.branch, tree.lock_reason) for tree in by_git} == {
        "my repo": ("trunk", None),
        "two\nlines": ("kit/feature", None),
        "away": (None, 'on a "stick"'),
        "gone": ("gone", None),
    }
    assert [tree.path for tree in by_git if tree.is_prunable] == [str(trees / "gone")]
    assert by_git[0].path == str(repository)


@needs_git
def test_packed_references_are_read_too(repository: Path) -> None:
    before = read_worktrees(str(repository / ".git"))
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/trunk").exists()
    assert before[0].head is not None
    assert read_worktrees(str(repository / ".git")) == before


@needs_git
def test_a_bare_repository_has_a_bare_main_tree(repository: Path) -> None:
    bare = repository.parent / "b.git"
    git(repository, "clone", "-q", "--bare", ".", str(bare))
    git(bare, "worktree", "add", "-q", str(repository.parent / "from-bare"))
    place = find_git_place(str(repository.parent / "from-bare"))
    assert place is not None
    assert place.is_worktree
    assert place.common_dir == str(bare)
    assert list_worktrees(place)[0] == read_worktrees(str(bare))
    assert read_worktrees(str(bare))[0] == Worktree(str(bare), is_bare=True)


@needs_git
def test_a_directory_deep_in_a_worktree_lies_in_the_worktree(repository: Path) -> None:
    tree = repository / ".wt" / "task-7"
    git(repository, "worktree", "add", "-q", str(tree))
    (tree / "src").mkdir()
    common = str(repository / ".git")
    assert find_git_place(str(tree / "src")) == GitPlace(
        str(tree), f"{common}/worktrees/task-7", common, is_worktree=True
    )
    assert find_git_place(str(repository / ".wt")) == GitPlace(
        str(repository), common, common, is_worktree=False
    )


@needs_git
def test_a_submodule_has_a_git_file_and_is_no_worktree(repository: Path) -> None:
    part = repository.parent / "part"
    part.mkdir()
    git(part, "init", "-q")
    git(part, "commit", "-q", "--allow-empty", "-m", "first")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(part), "lib")
    place = find_git_place(str(repository / "lib"))
    assert place is not None
    assert (repository / "lib/.git").is_file()
    assert not place.is_worktree
    assert place.common_dir == str(repository / ".git/modules/lib")
    assert [tree.path for tree in read_worktrees(place.common_dir)] == [str(repository / "lib")]
    assert list_worktrees(place)[0][0].path == str(repository / "lib")


def test_a_relative_git_file_is_followed(tmp_path: Path) -> None:
    admin = tmp_path / "repo/.git/worktrees/a"
    admin.mkdir(parents=True)
    (tmp_path / "repo/.git/objects").mkdir()
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/trunk\n")
    (admin / "commondir").write_text("../..\n")
    (admin / "gitdir").write_text("../../../../a/.git\n")
    (admin / "HEAD").write_text(f"{COMMIT}\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a/.git").write_text("gitdir: ../repo/.git/worktrees/a\n")
    place = find_git_place(str(tmp_path / "a"))
    assert place is not None
    assert place.is_worktree
    assert place.common_dir == str(tmp_path / "repo/.git")
    assert read_worktrees(place.common_dir) == (
        Worktree(str(tmp_path / "repo"), None, "trunk"),
        Worktree(str(tmp_path / "a"), COMMIT, is_detached=True),
    )


def test_a_stray_git_entry_makes_no_repository(tmp_path: Path) -> None:
    inner = tmp_path / "work"
    (inner / ".git").mkdir(parents=True)
    (tmp_path / ".git").write_text("not a pointer\n")
    place = find_git_place(str(inner))
    assert place is None or place.top not in (str(inner), str(tmp_path))


@needs_git
def test_a_repository_that_git_refuses_is_read_from_its_files(repository: Path) -> None:
    place = find_git_place(str(repository))
    assert place is not None
    with (repository / ".git/config").open("a") as config:
        config.write("[core]\n\trepositoryformatversion = 99\n")
    trees, told_by = list_worktrees(place)
    assert told_by == "files"
    assert [tree.path for tree in trees] == [str(repository)]


@needs_git
def test_asking_git_leaves_the_repository_as_it_was(repository: Path) -> None:
    hook = repository / ".git/hooks/fsmonitor"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{repository}/ran'\n")
    hook.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(hook))
    before = {path: path.stat().st_mtime_ns for path in repository.rglob("*")}
    place = find_git_place(str(repository))
    assert place is not None
    assert list_worktrees(place)[1] == "git"
    assert {path: path.stat().st_mtime_ns for path in repository.rglob("*")} == before
