"""The verb alive: what went down with the machine, what runs, what could be restored and by which command."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forensics.cli import output
from forensics.cli.common import CaseOption, JsonOption, ZoneOption
from forensics.cli.edge import say
from forensics.cli.live import SourceOption, claude_home, read_case_or_source
from forensics.errors import NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.alive.alive import Alive
    from forensics.alive.look import Look
    from forensics.alive.query import Query
    from forensics.case import Case


def alive(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SLUG]...", help="Slugs, directories or session ids; else all candidates."),
    ] = None,
    case: CaseOption = None,
    source: SourceOption = None,
    last: Annotated[bool, typer.Option("--last", help="Only those alive at the last shutdown.")] = False,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="PERIOD",
            help="Only those written in 30s, 45m, 6h, 2d before the time of taking in.",
            show_default=False,
        ),
    ] = None,
    lift: Annotated[
        bool, typer.Option("--all", help="Also old ones, and those archived in the app.")
    ] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="List the conversations of the places that are named.")
    ] = False,
    session_id: Annotated[
        str | None,
        typer.Option("--session-id", metavar="ID", help="This one of the place named.", show_default=False),
    ] = None,
    pick: Annotated[
        str | None,
        typer.Option(
            "--pick",
            metavar="NUMBERS",
            help="Choose by number: '1 3', '1-3', all, none; '' decides nothing.",
            show_default=False,
        ),
    ] = None,
    untraced: Annotated[
        bool, typer.Option("--untraced", help="Also sessions that nobody started by the name of their place.")
    ] = False,
    figures: Annotated[
        bool,
        typer.Option(
            "--figures", help="Count instead how well the name on a first line tells who started a session."
        ),
    ] = False,
    boot: Annotated[
        str | None,
        typer.Option(
            "--boot",
            metavar="TIME",
            help="When the machine booted: ISO, or seconds since 1970; else what a probe says.",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        int, typer.Option("--window", min=0, metavar="SECONDS", help="How far a shutdown spreads.")
    ] = 300,
    max_age: Annotated[
        int, typer.Option("--max-age", min=0, metavar="DAYS", help="The age line; 0 for none.")
    ] = 7,
    within: Annotated[
        list[str] | None,
        typer.Option(
            "--within", metavar="DIR", help="Only places below DIR. Repeatable.", show_default=False
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option("--label", help="Only of this source.", show_default=False)
    ] = None,
    home: Annotated[
        str | None, typer.Option("--home", help="Only of this home of a source.", show_default=False)
    ] = None,
    look: Annotated[
        bool,
        typer.Option(
            "--look", help="Look at this machine: when it booted, what runs, which directories are."
        ),
    ] = False,
    shell: Annotated[
        str | None,
        typer.Option(
            "--shell",
            metavar="posix|powershell|cmd",
            help="For which shell commands are written; else by the directory's spelling.",
            show_default=False,
        ),
    ] = None,
    archived_patterns: Annotated[
        Path | None,
        typer.Option(
            "--archived-patterns",
            metavar="FILE",
            help="How your version says that a session was archived.",
            show_default=False,
        ),
    ] = None,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """Say what was alive at the last shutdown and how to restore it; nothing is started."""
    from forensics.alive.alive import find_alive
    from forensics.alive.look import look_here
    from forensics.alive.query import Query, check_query
    from forensics.alive.since import parse_boot, parse_since
    from forensics.dossier.shellquote import Shell

    if pick is not None and json_short:
        raise UsageError("--pick and --json exclude each other", hint="choose from the JSON by yourself")
    if listing and not names:
        raise UsageError("--list needs the places whose conversations are meant", hint="alive SLUG --list")
    if listing and pick is not None:
        raise UsageError("--pick and --list exclude each other", hint="--session-id chooses from a list")
    if figures and (names or pick is not None or listing):
        raise UsageError("--figures counts all of them", hint="--label and --home narrow it")
    if shell is not None and shell not in Shell.__members__:
        raise UsageError(f"no shell {shell!r} is known", hint=", ".join(Shell.__members__))
    query = Query(
        named=tuple(names or ()),
        last=last,
        since_s=None if since is None else parse_since(since),
        lift=lift,
        untraced=untraced,
        session_id=session_id,
        window_s=window,
        max_age_days=max_age,
        boot_s=None if boot is None else parse_boot(boot),
        roots=tuple(within or ()),
        label=label,
        home=home,
        shell=None if shell is None else Shell(shell),
    )
    check_query(query)
    zone = output.zone_named(tz)
    with read_case_or_source(case, source) as opened:
        looked = look_here(_home(source)) if look else None
        if figures:
            _show_figures(opened, query, looked, as_json=json_short)
            return
        answer = find_alive(opened, query, patterns=archived_patterns, look=looked)
    _show(answer, query, listing=listing, pick=pick, as_json=json_short, zone=zone)
    if query.named and not answer.ready and not answer.alive and not _has_conversation(answer):
        raise NothingThereError(
            f"no conversation is in {', '.join(query.named)}", hint="without a name all candidates are shown"
        )


def _show_figures(case: Case, query: Query, look: Look | None, *, as_json: bool) -> None:
    from forensics.alive.alive import know
    from forensics.alive.trace_figures import as_text, count_traces

    found = count_traces(know(case, look=look), query)
    output.put(output.as_json(found.record()) if as_json else as_text(found))


def _home(source: str | None) -> Path:
    """The agent's home on this machine whose live registry is meant."""
    return claude_home() if source is None else Path(source.rpartition("=")[2]).absolute()


def _has_conversation(answer: Alive) -> bool:
    return any(entry.reason is None or entry.reason.code != "no_log" for entry in answer.skipped)


def _show(
    answer: Alive, query: Query, *, listing: bool, pick: str | None, as_json: bool, zone: dt.tzinfo
) -> None:
    from forensics.alive import text
    from forensics.alive.pick import apply_pick
    from forensics.alive.record import record_of

    if as_json:
        output.put(output.as_json(record_of(answer, query, with_conversations=listing)))
    elif listing:
        output.put(text.conversations(answer, zone=zone))
    elif pick is not None:
        output.put(text.picked(answer, query, apply_pick(pick, len(answer.ready))))
    else:
        output.put(text.whole(answer, query, zone=zone))
    for line in text.notes(answer, query, zone=zone):
        say(line)
