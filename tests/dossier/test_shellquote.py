"""Commands come back from the shell as they were meant, and nothing else does."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensics.dossier.shellquote import ResumeCommand, Shell, default_shell, quote, write_command
from forensics.errors import UsageError

ID = "5e551111-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("command", "shell", "line"),
    [
        (ResumeCommand(ID), Shell.posix, f"claude --resume {ID}"),
        (ResumeCommand(ID, "/srv/shop"), Shell.posix, f"cd /srv/shop && claude --resume {ID}"),
        (
            ResumeCommand(ID, "/srv/my shop", make_directory=True),
            Shell.posix,
            f"mkdir -p '/srv/my shop' && cd '/srv/my shop' && claude --resume {ID}",
        ),
        (
            ResumeCommand(ID, "/srv/kit's", config_dir="/home/kit/.claude two"),
            Shell.posix,
            f"cd '/srv/kit'\\''s' && CLAUDE_CONFIG_DIR='/home/kit/.claude two' claude --resume {ID}",
        ),
        (
            ResumeCommand(ID, "D:\\Kit's shop", make_directory=True, config_dir="D:\\homes"),
            Shell.powershell,
            (
                "New-Item -ItemType Directory -Force -ErrorAction Stop -Path 'D:\\Kit''s shop' | Out-Null; "
                "Set-Location -ErrorAction Stop -LiteralPath 'D:\\Kit''s shop'; "
                f"$env:CLAUDE_CONFIG_DIR = 'D:\\homes'; claude --resume {ID}"
            ),
        ),
        (
            ResumeCommand(ID, "D:\\my shop", make_directory=True, config_dir="D:\\my homes"),
            Shell.cmd,
            (
                '(if not exist "D:\\my shop" mkdir "D:\\my shop") && cd /d "D:\\my shop" && '
                f'set "CLAUDE_CONFIG_DIR=D:\\my homes" && claude --resume {ID}'
            ),
        ),
    ],
)
def test_a_command_reads_as_a_person_would_write_it(command: ResumeCommand, shell: Shell, line: str) -> None:
    assert write_command(command, shell) == line


def test_no_command_gives_the_session_a_name() -> None:
    for shell in Shell:
        assert " -n" not in write_command(ResumeCommand(ID, "/srv/shop", True, "/srv/home"), shell)


@pytest.mark.parametrize(
    ("cwd", "shell"),
    [
        ("/srv/shop", Shell.posix),
        ("/mnt/c/shop", Shell.posix),
        ("C:\\shop", Shell.powershell),
        ("\\\\server\\share", Shell.powershell),
        (None, Shell.posix),
    ],
)
def test_the_shell_goes_with_the_directory(cwd: str | None, shell: Shell) -> None:
    assert default_shell(cwd) is shell


BASH = shutil.which("bash")
WORDS = st.text(
    st.one_of(
        st.sampled_from(" '\"\\$`!%&|;<>()*?[]{}~#=\n\t\r\x1b\x07\u202e\u200b\u2019a-/."),
        st.characters(min_codepoint=1, exclude_categories=["Cs"]),
    ),
    max_size=30,
)


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@settings(max_examples=60)
@given(st.lists(WORDS, min_size=1, max_size=8))
def test_bash_reads_back_what_was_quoted(words: list[str]) -> None:
    line = "printf '%s\\0' " + " ".join(quote(word, Shell.posix) for word in words)
    ended = subprocess.run(
        [str(BASH), "-c", line], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert ended.stdout.decode().split("\0")[:-1] == words


@given(WORDS)
def test_a_posix_word_shows_no_control_and_stays_on_its_line(word: str) -> None:
    quoted = quote(word, Shell.posix)
    assert all(char.isprintable() or char.isspace() for char in quoted if char.isascii())
    assert "\n" not in quoted
    assert "\x1b" not in quoted
    assert "\u202e" not in quoted


def read_powershell(word: str) -> str:
    """What PowerShell makes of one argument, read by its grammar: quotes of four kinds, doubled for one."""
    if not word.startswith("'"):
        return word
    out, at = [], 1
    while True:
        char = word[at]
        if char in "'\u2018\u2019\u201a\u201b":
            if at + 1 < len(word) and word[at + 1] in "'\u2018\u2019\u201a\u201b":
                out.append(char)
                at += 2
                continue
            assert at == len(word) - 1, "the string ends where the word ends"
            return "".join(out)
        out.append(char)
        at += 1


@given(WORDS)
def test_powershell_reads_back_what_was_quoted_or_nothing_was(word: str) -> None:
    try:
        quoted = quote(word, Shell.powershell)
    except UsageError:
        assert any(not char.isprintable() for char in word)
        return
    assert read_powershell(quoted) == word


@given(WORDS)
def test_cmd_is_given_nothing_that_it_would_expand(word: str) -> None:
    try:
        quoted = quote(word, Shell.cmd)
    except UsageError:
        assert any(char in '%!"' or not char.isprintable() for char in word)
        return
    assert quoted.strip('"') == word
    assert not set("%!") & set(quoted)
    assert quoted == word or quoted == f'"{word}"'
    if set(word) & set(" &|<>()^;,=/"):
        assert quoted.startswith('"')


@pytest.mark.parametrize("path", ["C:\\100%", "C:\\wow!", "C:\\a\nb"])
def test_what_cmd_cannot_say_is_refused_with_another_way(path: str) -> None:
    with pytest.raises(UsageError, match="cmd has no safe way") as refused:
        write_command(ResumeCommand(ID, path), Shell.cmd)
    assert refused.value.hint == "use --shell powershell"


@pytest.mark.parametrize("shell", Shell)
@pytest.mark.parametrize(
    "command", [ResumeCommand(ID, "-rf"), ResumeCommand("--dangerously-skip-permissions", "/srv/shop")]
)
def test_no_word_of_a_command_can_be_an_option(command: ResumeCommand, shell: Shell) -> None:
    with pytest.raises(UsageError, match="begins with a dash"):
        write_command(command, shell)
