"""What the spelling of a working directory tells."""

from __future__ import annotations

import pytest
from hypothesis import given

from forensics.keys import aliases, resolve_lexical
from forensics.paths import (
    WORKTREE_PATTERNS,
    WorktreeGuess,
    canonical_guess,
    common_ancestor,
    excursion_class,
    is_inside,
    style,
    worktree_guess,
)
from forensics.testing import strategies as paths


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("/srv/app", "posix"),
        ("/", "posix"),
        ("", "posix"),
        ("relative/x", "posix"),
        ("/mnt/cc/x", "posix"),
        ("/mnt", "posix"),
        ("///srv/x", "posix"),
        ("CC:\\x", "posix"),
        ("C:x", "posix"),
        ("C:\n", "posix"),
        ("/mnt/c\n", "posix"),
        ("//wsl$\n/x", "unc"),
        ("C:\\x", "windows"),
        ("c:/x", "windows"),
        ("Z:", "windows"),
        ("\\\\?\\C:\\x", "windows"),
        ("\\\\srv\\share\\x", "unc"),
        ("//srv/share/x", "unc"),
        ("\\\\?\\UNC\\srv\\share", "unc"),
        ("/mnt/c", "wsl"),
        ("/mnt/d/x", "wsl"),
        ("\\\\wsl$\\Ubuntu\\home\\kit", "wsl"),
        ("\\\\wsl.localhost\\Ubuntu\\home\\kit", "wsl"),
        ("//WSL.localhost/Ubuntu", "wsl"),
    ],
)
def test_a_path_has_a_style(cwd: str, expected: str) -> None:
    assert style(cwd) == expected


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "C:\\Users\\kit\\app",
            "c:\\Users\\kit\\app",
            "c:/Users/kit/app/",
            "/mnt/c/Users/kit/app",
            "\\\\?\\C:\\Users\\kit\\app",
        ],
        ["C:\\", "c:", "C:/", "/mnt/c", "/mnt/c/", "C:\\x\\.."],
        ["/tmp/x", "/private/tmp/x", "/private/tmp/x/", "/tmp//./x"],
        ["/var", "/private/var"],
        ["/etc/x", "/private/etc/x"],
        ["/srv/café", "/srv/cafe\u0301", "/srv/cafe\u0301/"],
        ["\\\\SRV\\Share\\App", "//srv/share/App/", "\\\\srv\\share\\App", "\\\\?\\UNC\\srv\\share\\App"],
        ["\\\\wsl$\\Ubuntu\\home\\kit", "\\\\wsl.localhost\\Ubuntu\\home\\kit", "//wsl$/Ubuntu/home/kit"],
        ["//", "/", "/..", "/."],
    ],
    ids=lambda spellings: spellings[0],
)
def test_spellings_of_one_directory_have_one_canonical_guess(spellings: list[str]) -> None:
    assert len({canonical_guess(cwd) for cwd in spellings}) == 1


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("C:\\Users\\Kit\\", "c:/Users/Kit"),
        ("/mnt/D/x", "d:/x"),
        ("\\\\Srv\\Share\\Sub\\..\\X", "//srv/share/X"),
        ("\\\\Srv", "//srv"),
        ("/private/tmp", "/tmp"),
        ("/private/x", "/private/x"),
        ("/private/tmpx", "/private/tmpx"),
        ("/x/private/tmp/y", "/x/private/tmp/y"),
        ("/private/tmp/private/tmp", "/tmp/private/tmp"),
        ("/srv/a\\b", "/srv/a\\b"),
        ("", "."),
    ],
)
def test_the_canonical_guess_is_the_short_spelling(cwd: str, expected: str) -> None:
    assert canonical_guess(cwd) == expected


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("/srv/a.b", "/srv/a-b"),
        ("/srv/App", "/srv/app"),
        ("C:\\App", "C:\\app"),
        ("C:\\x", "D:\\x"),
        ("/private/home/x", "/home/x"),
        ("/mnt/c/x", "/c/x"),
        ("/mnt/c\n", "C:\\\n"),
        ("/private/tmp\n", "/tmp\n"),
        ("//srv/share/x", "/srv/share/x"),
    ],
)
def test_different_directories_keep_different_guesses(one: str, two: str) -> None:
    assert canonical_guess(one) != canonical_guess(two)


@given(paths.hostile_texts())
def test_the_canonical_guess_of_any_text_is_its_own(cwd: str) -> None:
    once = canonical_guess(cwd)
    assert canonical_guess(once) == once


@given(paths.hostile_texts())
def test_every_question_about_a_spelling_has_an_answer_for_every_text(cwd: str) -> None:
    assert style(cwd) in ("posix", "windows", "unc", "wsl")
    assert excursion_class(cwd)
    worktree_guess(cwd)
    assert is_inside(cwd, cwd)
    assert common_ancestor([cwd, cwd]) is not None


SURE = ("drive_case", "private_prefix", "nfc", "nfd", "slash", "trailing_slash", "unc")


@given(paths.resolved_paths())
def test_aliases_that_change_only_the_spelling_share_the_canonical_guess(cwd: str) -> None:
    for alias in aliases(cwd):
        if set(alias.kind.split("+")) <= set(SURE):
            assert canonical_guess(alias.spelling) == canonical_guess(cwd)


@given(paths.windows_paths())
def test_a_drive_and_its_mount_share_the_canonical_guess(cwd: str) -> None:
    mount = f"/mnt/{cwd[0].lower()}/{cwd[3:]}".replace("\\", "/")
    assert canonical_guess(mount) == canonical_guess(cwd)
    assert style(mount) == "wsl"


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        (
            "/home/kit/r/.claude/worktrees/wone",
            ("claude", "/home/kit/r", "wone", "/home/kit/r/.claude/worktrees/wone"),
        ),
        (
            "/home/kit/r/.claude/worktrees/wone/src/a",
            ("claude", "/home/kit/r", "wone", "/home/kit/r/.claude/worktrees/wone"),
        ),
        ("/srv/r/.worktrees/topic/x", ("dot_worktrees", "/srv/r", "topic", "/srv/r/.worktrees/topic")),
        ("/srv/r/.wt/task-7", ("dot_wt", "/srv/r", "task-7", "/srv/r/.wt/task-7")),
        ("/srv/r.worktrees/topic/x", ("sibling_dot", "/srv/r", "topic", "/srv/r.worktrees/topic")),
        ("/srv/r-worktrees/feature-a", ("sibling_dash", "/srv/r", "feature-a", "/srv/r-worktrees/feature-a")),
        (
            "/Users/kit/conductor/workspaces/r/lima/src",
            ("conductor", None, "lima", "/Users/kit/conductor/workspaces/r/lima"),
        ),
        (
            "/Users/kit/conductor/workspaces/r-worktrees/lima",
            ("conductor", None, "lima", "/Users/kit/conductor/workspaces/r-worktrees/lima"),
        ),
        ("/srv/r/.conductor/lima", ("conductor_inside", "/srv/r", "lima", "/srv/r/.conductor/lima")),
        ("C:\\r\\.claude\\worktrees\\w\\src", ("claude", "C:\\r", "w", "C:\\r\\.claude\\worktrees\\w")),
        ("C:\\src\\r-worktrees\\w", ("sibling_dash", "C:\\src\\r", "w", "C:\\src\\r-worktrees\\w")),
        ("c:/r/.wt/w/", ("dot_wt", "c:/r", "w", "c:/r/.wt/w")),
        (
            "/r/.claude/worktrees/a/.wt/b/c",
            ("dot_wt", "/r/.claude/worktrees/a", "b", "/r/.claude/worktrees/a/.wt/b"),
        ),
        ("/r/.wt/a/.claude/worktrees/b", ("claude", "/r/.wt/a", "b", "/r/.wt/a/.claude/worktrees/b")),
        ("/srv/a\nb/.wt/w", ("dot_wt", "/srv/a\nb", "w", "/srv/a\nb/.wt/w")),
    ],
)
def test_a_worktree_is_recognised_by_its_path(cwd: str, expected: tuple[str, str | None, str, str]) -> None:
    assert worktree_guess(cwd) == WorktreeGuess(*expected)
    assert excursion_class(cwd) == "worktree"


@pytest.mark.parametrize(
    "cwd",
    [
        "/srv/r",
        "/srv/r/.claude/worktrees",
        "/srv/r/.claude/worktrees/",
        "/srv/r/.wt",
        "/srv/r/worktrees/x",
        "/srv/r/xclaude/worktrees/y",
        "/srv/r/wt/x",
        "/srv/-worktrees/x",
        "/Users/kit/conductor/workspaces/r",
        "/srv/rxworktrees/x",
        "/.wt/x",
        "",
    ],
)
def test_what_only_resembles_a_worktree_is_none(cwd: str) -> None:
    assert worktree_guess(cwd) is None


def test_every_pattern_has_a_name_and_says_whose_habit_it_is() -> None:
    assert len({pattern.name for pattern in WORKTREE_PATTERNS}) == len(WORKTREE_PATTERNS) == 7
    assert all(pattern.source for pattern in WORKTREE_PATTERNS)


@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        ("/home/kit/.claude/uploads/5b1e", "claude_uploads"),
        ("C:\\Users\\kit\\.claude\\uploads\\5b1e", "claude_uploads"),
        ("/home/kit/.claude/skills", "claude_skills"),
        ("/home/kit/.claude/skills/pdf", "claude_skills"),
        ("/private/tmp/claude-501/-srv-app/5b1e/scratchpad", "scratchpad"),
        ("/tmp/scratchpad/x", "scratchpad"),
        ("/srv/Temp/a/scratchpad/b/scratchpad", "scratchpad"),
        ("/Temp/x/scratchpad", "scratchpad"),
        ("/srv/scratchpad/a/Temp/b/scratchpad", "scratchpad"),
        ("/private/var/folders/zz/T/scratchpad", "scratchpad"),
        ("C:\\Users\\kit\\AppData\\Local\\Temp\\claude\\scratchpad", "scratchpad"),
        ("/home/kit", "home"),
        ("/Users/kit/", "home"),
        ("/root", "home"),
        ("C:\\Users\\kit", "home"),
        ("/mnt/c/users/kit", "home"),
        ("\\\\wsl$\\Ubuntu\\home\\kit", "home"),
        ("/", "other"),
        ("/tmp", "other"),
        ("/home", "other"),
        ("C:\\", "other"),
        ("C:\\Users", "other"),
        ("\\\\srv\\share", "other"),
        ("/home/kit/.claude", "other"),
        ("/home/kit/.claude/projects/x", "other"),
        ("/home/kit/app", "project"),
        ("/tmp/x", "project"),
        ("/srv/scratchpad", "project"),
        ("/srv/scratchpad/Temp", "project"),
        ("/srv/app/.claudex/skills", "project"),
        ("/home/kit/.claude/uploads\n", "other"),
        ("/home/kit/.claude/skills\n", "other"),
        ("\\\\srv\\share\\app", "project"),
        ("C:\\src\\app", "project"),
    ],
)
def test_a_place_has_a_class(cwd: str, expected: str) -> None:
    assert excursion_class(cwd) == expected


@pytest.mark.parametrize(
    ("child", "parent", "expected"),
    [
        ("/srv/a/b", "/srv/a", True),
        ("/srv/a", "/srv/a/", True),
        ("/srv/ab", "/srv/a", False),
        ("/srv", "/srv/a", False),
        ("/srv/a", "/", True),
        ("C:\\a\\b", "c:/a", True),
        ("/mnt/c/a/b", "C:\\a", True),
        ("/private/tmp/x", "/tmp", True),
        ("\\\\srv\\share\\a", "//SRV/share", True),
        ("//srv/share/a", "/", False),
        ("C:\\a", "/", False),
        ("/srv/a/../b", "/srv/a", False),
    ],
)
def test_a_path_is_inside_another_by_whole_parts(child: str, parent: str, expected: bool) -> None:
    assert is_inside(child, parent) is expected


@pytest.mark.parametrize(
    ("cwds", "expected"),
    [
        ([], None),
        (["/srv/a"], "/srv/a"),
        (["/srv/a", "/srv/b"], "/srv"),
        (["/srv/ab", "/srv/a"], "/srv"),
        (["/srv/a", "/home/kit"], "/"),
        (["/srv/a/b", "/srv/a"], "/srv/a"),
        (["C:\\a\\b", "c:/a/c"], "c:/a"),
        (["C:\\a", "C:\\b"], "c:/"),
        (["C:\\a", "D:\\a"], None),
        (["/srv/a", "C:\\a"], None),
        (["//srv/share/a", "\\\\srv\\share\\b"], "//srv/share"),
        (["//srv/share/a/x", "\\\\srv\\share\\a"], "//srv/share/a"),
        (["//srv/share/a", "/srv/share/a"], None),
        (["a/b", "a/c"], "a"),
        (["a", "b"], None),
    ],
)
def test_the_common_ancestor_is_the_deepest_directory_of_all(cwds: list[str], expected: str | None) -> None:
    assert common_ancestor(cwds) == expected


@given(paths.posix_paths(), paths.posix_paths(), paths.posix_paths())
def test_the_common_ancestor_holds_every_path_whatever_their_order(base: str, left: str, right: str) -> None:
    both = [resolve_lexical(base + left), resolve_lexical(base + right)]
    above = common_ancestor(both)
    assert above is not None
    assert above == common_ancestor(reversed(both))
    assert all(is_inside(path, above) for path in [*both])
    assert is_inside(above, base)


_PIECES = (
    *("/Temp", "/Temp/scratchpa", "/scratchpad", "/.claude", "/.claude/worktrees", "/.claude/uploads"),
    *("/.worktrees/", "/conductor/workspaces/", "a.worktrees/", "-worktrees/", "/Users/", "/home/"),
    *("/", "\\", "//?/", "/..", "/./", "C:\\", "/mnt/c", "/private/tmp", "\n", "é/", "e\u0301/"),
)


@pytest.mark.parametrize("piece", _PIECES)
@pytest.mark.parametrize("begin", ["/a", "C:\\a", "\\\\host\\share"])
def test_a_path_of_a_piece_repeated_without_end_is_told_at_once(begin: str, piece: str) -> None:
    cwd = begin + piece * (200_000 // len(piece))
    assert excursion_class(cwd) in {"project", "worktree", "other", "claude_uploads"}
    assert is_inside(cwd, cwd)
    assert all(alias.spelling != cwd for alias in aliases(cwd))


def test_marks_in_the_worst_order_are_put_in_order_at_once() -> None:
    above, below, across = "\u0301" * 100_000, "\u0323" * 100_000, "\u0334" * 100_000
    assert canonical_guess(f"/srv/e{above}{below}/x") == f"/srv/\u1eb9{below[1:]}{above}/x"
    assert canonical_guess(f"/srv/e{above}{across}") == f"/srv/\u00e9{across}{above[1:]}"
    tibetan = "\u0f73" * 60_000
    assert canonical_guess(f"/srv/{tibetan}") == "/srv/" + "\u0f71" * 60_000 + "\u0f72" * 60_000
