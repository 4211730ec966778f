"""Commands for people to copy, quoted for the shell they will paste them into."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from forensics.errors import UsageError
from forensics.paths import style


class Shell(StrEnum):
    """A shell that commands are written for."""

    posix = "posix"
    powershell = "powershell"
    cmd = "cmd"


_SESSION_ID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# PowerShell takes each of these for the beginning of an option.
_DASHES: Final = ("-", "\u2013", "\u2014", "\u2015")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
# What a terminal would act on, or show as something else, must not be pasted as it stands.
_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
_PLAIN_POWERSHELL: Final = re.compile(r"[A-Za-z0-9_./\\:-]+")
# cmd takes a slash for the beginning of an option.
_PLAIN_CMD: Final = re.compile(r"[A-Za-z0-9_.\\:-]+")
# PowerShell takes each of these for a single quote.
_POWERSHELL_QUOTES: Final = re.compile("['\u2018\u2019\u201a\u201b]")
_NOT_FOR_CMD: Final = re.compile('[%!"\r\n]')


@dataclass(frozen=True, slots=True)
class ResumeCommand:
    """What is to be run: in which directory, which session, with which home if not the default one.

    `session` is an id or the path of a file; `make_directory` makes the directory first.
    """

    session: str
    cwd: str | None = None
    make_directory: bool = False
    config_dir: str | None = None


def is_session_id(text: str) -> bool:
    """Whether the text has the shape of a session id, which no option and no title has."""
    return _SESSION_ID.fullmatch(text) is not None


def default_shell(cwd: str | None) -> Shell:
    """The shell that goes with a directory's spelling."""
    return Shell.powershell if cwd is not None and style(cwd) in ("windows", "unc") else Shell.posix


def quote(text: str, shell: Shell) -> str:
    """The text as one word of the shell.

    Raises:
        UsageError: the shell has no safe way to say it.
    """
    match shell:
        case Shell.posix:
            return _quote_posix(text)
        case Shell.powershell:
            return _quote_powershell(text)
        case Shell.cmd:
            return _quote_cmd(text)


def refuse_option(text: str) -> None:
    """Nothing; the text can be a word of a command without being an option of it.

    Raises:
        UsageError: it begins with a dash.
    """
    # Quotes are the shell's: the program that is run sees a dash in front all the same.
    if text.startswith(_DASHES):
        raise UsageError(
            "a word of this command begins with a dash and would be taken for an option",
            hint="name the session by its id, the directory by its whole path",
        )


def write_command(command: ResumeCommand, shell: Shell) -> str:
    """The command as one line of the shell; a directory that cannot be entered ends it.

    Raises:
        UsageError: the shell has no safe way to say it, or a word of it would be taken for an option.
    """
    refuse_option(command.session)
    if command.cwd is not None:
        refuse_option(command.cwd)
    match shell:
        case Shell.posix:
            return " && ".join(_posix_steps(command))
        case Shell.powershell:
            return "; ".join(_powershell_steps(command))
        case Shell.cmd:
            return " && ".join(_cmd_steps(command))


def _posix_steps(command: ResumeCommand) -> list[str]:
    steps = []
    if command.cwd is not None:
        word = _quote_posix(command.cwd)
        steps = [f"mkdir -p {word}"] if command.make_directory else []
        steps.append(f"cd {word}")
    home = f"CLAUDE_CONFIG_DIR={_quote_posix(command.config_dir)} " if command.config_dir else ""
    return [*steps, f"{home}claude --resume {_quote_posix(command.session)}"]


def _powershell_steps(command: ResumeCommand) -> list[str]:
    steps = []
    if command.cwd is not None:
        word = _quote_powershell(command.cwd)
        if command.make_directory:
            steps.append(f"New-Item -ItemType Directory -Force -ErrorAction Stop -Path {word} | Out-Null")
        steps.append(f"Set-Location -ErrorAction Stop -LiteralPath {word}")
    if command.config_dir:
        steps.append(f"$env:CLAUDE_CONFIG_DIR = '{_inside_powershell(command.config_dir)}'")
    return [*steps, f"claude --resume {_quote_powershell(command.session)}"]


def _cmd_steps(command: ResumeCommand) -> list[str]:
    steps = []
    if command.cwd is not None:
        word = _quote_cmd(command.cwd)
        if command.make_directory:
            steps.append(f"(if not exist {word} mkdir {word})")
        steps.append(f"cd /d {word}")
    if command.config_dir:
        _refuse_for_cmd(command.config_dir)
        steps.append(f'set "CLAUDE_CONFIG_DIR={command.config_dir}"')
    return [*steps, f"claude --resume {_quote_cmd(command.session)}"]


def _quote_posix(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    if _UNSEEN.search(text):
        return f"$'{''.join(map(_escape_posix, text))}'"
    return "'" + text.replace("'", "'\\''") + "'"


def _escape_posix(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    # Octal, a byte each: what follows can never be read as one more digit.
    return "".join(f"\\{byte:03o}" for byte in char.encode()) if _UNSEEN.match(char) else char


def _quote_powershell(text: str) -> str:
    return text if _PLAIN_POWERSHELL.fullmatch(text) else f"'{_inside_powershell(text)}'"


def _inside_powershell(text: str) -> str:
    if _UNSEEN.search(text):
        raise UsageError(
            "this path holds signs that cannot be shown in a PowerShell command", hint="use --shell posix"
        )
    return _POWERSHELL_QUOTES.sub(lambda match: match[0] * 2, text)


def _quote_cmd(text: str) -> str:
    _refuse_for_cmd(text)
    return text if _PLAIN_CMD.fullmatch(text) else f'"{text}"'


def _refuse_for_cmd(text: str) -> None:
    if _NOT_FOR_CMD.search(text) or _UNSEEN.search(text):
        raise UsageError(
            "cmd has no safe way to write this path: it holds a percent sign, an exclamation mark, a quote"
            " or a sign that cannot be shown",
            hint="use --shell powershell",
        )
