"""The outermost edge of the command: what a person sees when something goes wrong, and the exit code."""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

import typer

from forensics.errors import ForensicsError

if TYPE_CHECKING:
    from typing import Protocol

    class Runnable(Protocol):
        """A command that can be called with words."""

        def main(self, args: Sequence[str] | None, *, prog_name: str, standalone_mode: bool) -> object:
            """The exit code, or what the verb returned."""


INTERRUPTED = 130

# Names of Python's own errors that the parser puts before what was meant.
_PYTHONS = re.compile(r"\b(?:Value|Type|Assertion) error, ")


def run_command(command: Runnable, *, args: Sequence[str] | None = None) -> int:
    """The exit code of one call; nothing is raised to the interpreter."""
    _open_closed_streams()
    _speak_utf8()
    try:
        code = command.main(args, prog_name="forensics", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):
            return _hang_up()
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BrokenPipeError:
        return _hang_up()
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except ForensicsError as error:
        print_error(str(error), hint=error.hint)
        return error.exit_code
    except typer.TyperException as error:
        print_error(_first_small(error.format_message()), hint=_usage_hint(error))
        return error.exit_code
    except OSError as error:
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        print_error(f"{where}{error.strerror or error}", hint="nothing was changed in an existing case")
        return 6
    except MemoryError:
        print_error("memory is short", hint="nothing was changed in an existing case; --workers 1 needs less")
        return 6
    except BaseException:
        # The one place where a bug of ours becomes an exit code; a library's panic is no Exception.
        say(traceback.format_exc().rstrip("\n"))
        print_error("this is a fault in forensics itself", hint="the lines above say where")
        return 1
    if code == INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else 0


def print_error(message: str, *, hint: str | None = None) -> None:
    """Nothing; the message and what to do about it stand on stderr."""
    say(f"error: {message}")
    if hint:
        say(f"hint: {hint}")


def say(line: str) -> None:
    """Nothing; the line stands on stderr, and a closed stderr is no reason to fail.

    What an engine says in several lines keeps them, indented: none can pass for a line of ours.
    """
    from forensics.display import inert_lines

    shown = "\n".join(map(inert_lines, line.split("\n"))).replace("\n", "\n  ")
    try:
        sys.stderr.write(shown + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        _silence(sys.stderr.fileno())


def _open_closed_streams() -> None:
    # Python has None for a stream that was closed before it began, and the next file opened would take its
    # descriptor: what is said would stand in that file.
    if sys.stdout is None:
        sys.stdout = _nowhere(1)
    if sys.stderr is None:
        sys.stderr = _nowhere(2)


def _nowhere(descriptor: int) -> TextIO:
    _silence(descriptor)
    return os.fdopen(descriptor, "w", encoding="utf-8", closefd=False)


def _speak_utf8() -> None:
    # A locale without UTF-8 must neither change what a program reads nor end in a traceback.
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _interrupted() -> int:
    say("interrupted")
    return INTERRUPTED


def _hang_up() -> int:
    # The reader has had enough: quiet, and nothing is left that the interpreter would try to flush.
    _silence(1)
    return 0


def _silence(descriptor: int) -> None:
    devnull = os.open(os.devnull, os.O_WRONLY)
    if devnull != descriptor:
        os.dup2(devnull, descriptor)
        os.close(devnull)


def _first_small(message: str) -> str:
    text = _PYTHONS.sub("", " ".join(message.split()))
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _usage_hint(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    option = getattr(error, "option_name", None)
    verbs = getattr(getattr(context, "command", None), "commands", {})
    takers = [verb for verb in verbs.values() if any(option in param.opts for param in verb.params)]
    if option is not None and takers:
        named = f"forensics {takers[0].name}" if len(takers) == 1 else "forensics VERB"
        return f"{option} goes after the verb: {named} ... {option}"
    path = context.command_path if context is not None else "forensics"
    return f"{path} --help"
