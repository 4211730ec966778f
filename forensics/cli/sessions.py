"""Verbs about sessions and the keys they lie under: sessions, session, key."""

from __future__ import annotations

import datetime as dt
import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption, RootsOption, ZoneOption
from forensics.cli.edge import say
from forensics.cli.key_dossier import keys_of_directory, put_dossier, read_dossier
from forensics.cli.live import SourceOption, claude_home, read_case_or_source
from forensics.cli.output import Format, Sheet
from forensics.errors import NothingThereError, UsageError

if TYPE_CHECKING:
    from forensics.case import Case
    from forensics.dossier.dossier import SessionDossier
    from forensics.dossier.find import Found
    from forensics.dossier.listing import Scope, Sort

_BRIEF = ("last_ts", "n_requests", "title", "last_request", "workspace", "session_id")
_BY_PATH = "--repo takes a path, or the last folder of a repository that has sessions; {!r} may be neither"
_SHELLS = ("posix", "powershell", "cmd")


def sessions(
    case: CaseOption = None,
    source: SourceOption = None,
    repo: Annotated[
        str | None,
        typer.Option(
            "--repo",
            metavar="DIR",
            help="Only sessions that worked in DIR, below it, or in a worktree of it, removed ones too; "
            "DIR is a path or a repository's last folder.",
            show_default=False,
        ),
    ] = None,
    worktree: Annotated[
        str | None,
        typer.Option(
            "--worktree",
            metavar="DIR",
            help="Only sessions that worked in DIR or below it.",
            show_default=False,
        ),
    ] = None,
    everywhere: Annotated[
        bool,
        typer.Option(
            "--everywhere", help="All of them, where a live home is read and its list would begin here."
        ),
    ] = False,
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help="Only under this key.", show_default=False)
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="TIME",
            help="Only with a record since then: a time, or 30s, 45m, 6h, 2d before the evidence's end.",
            show_default=False,
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option("--sort", metavar="when|title|workspace|turns|size", help="What sorts them."),
    ] = "when",
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.", show_default=False)] = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """List sessions, the latest first."""
    chosen = common.chosen_format(fmt, json_short)
    zone = output.zone_named(tz)
    by = _sort_named(sort)
    if everywhere and (repo or worktree):
        raise UsageError("--everywhere contradicts --repo and --worktree", hint="leave one out")
    begins_here = _live_source(case, source) is not None and source is None and not (everywhere or key)
    from forensics.dossier.listing import COLUMNS, Scope, list_sessions, moment_of, parse_since

    after = None if since is None else parse_since(since)
    with read_case_or_source(case, source) as opened:
        scope = Scope(
            repo=_absolute(repo),
            worktree=_absolute(worktree),
            project_key=key,
            since=None if after is None else moment_of(after, opened),
        )
        if repo is not None:
            scope = _scope_named(opened, scope, repo)
        if begins_here and repo is None and worktree is None:
            scope = _scope_here(opened, scope)
        rows = list_sessions(opened, scope, sort=by)[:limit]
        envelope = common.versions(opened.manifest)
    sheet = Sheet(COLUMNS, [tuple(row.values()) for row in rows])
    if chosen is Format.table:
        output.put(output.terminal_table(_brief(rows), zone=zone))
    else:
        output.put_sheet(sheet, chosen, envelope=envelope, zone=zone)
    if not rows:
        raise NothingThereError(
            "no session is there",
            hint=_BY_PATH.format(repo)
            if repo is not None and _is_name(repo)
            else "without --repo, --worktree, --key and --since all are listed",
        )


def session(
    word: Annotated[
        str,
        typer.Argument(metavar="ID", help="A session id, the beginning of one, or a title."),
    ],
    case: CaseOption = None,
    source: SourceOption = None,
    asked_from: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="DIR",
            help="Where it would be taken up; else the current directory.",
            show_default=False,
        ),
    ] = None,
    cli_version: Annotated[
        str | None,
        typer.Option(
            "--cli-version",
            metavar="V",
            help="The version of the agent that would be run; else the newest in the evidence.",
            show_default=False,
        ),
    ] = None,
    shell: Annotated[
        str | None,
        typer.Option(
            "--shell",
            metavar="|".join(_SHELLS),
            help="The shell to write commands for; else the one that goes with the directory.",
            show_default=False,
        ),
    ] = None,
    roots: RootsOption = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look whether its directory is there on this machine.")
    ] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Look for refused resumes in all results of tools too.")
    ] = False,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """Say who a session is, where it was, and how it can be taken up again; nothing is started."""
    zone = output.zone_named(tz)
    if shell is not None:
        _one_of(shell, _SHELLS, option="--shell")
    _check_version(cli_version)
    asked_in = _absolute(asked_from) or str(Path.cwd())
    from forensics.dossier.dossier import Question, read_dossiers
    from forensics.dossier.find import find_sessions
    from forensics.dossier.shellquote import Shell

    question = Question(
        asked_in=asked_in,
        version=cli_version,
        shell=None if shell is None else Shell(shell),
        roots=common.split_pairs(roots, option="--root") | _live_root(case, source),
        look=os.path.isdir if look else None,
        deep=deep,
    )
    with read_case_or_source(case, source) as opened:
        found = find_sessions(opened, word)
        dossiers = read_dossiers(opened, found.matches, question) if found.n_sessions == 1 else ()
        envelope = common.versions(opened.manifest)
    if json_short:
        output.put(output.as_json({**envelope, **_record(found, dossiers)}))
    elif dossiers:
        _put_dossiers(dossiers, zone)
    elif found.matches:
        output.put(output.terminal_table(_matches(found), zone=zone))
    if not found.matches:
        raise NothingThereError(
            f"no session has the id or the title {word!r}", hint="`forensics sessions` lists them"
        )
    if found.n_sessions > 1:
        raise UsageError(
            f"{word!r} may mean {found.n_sessions:,} sessions",
            hint="give more of the id, or a path",
        )


def key(
    key: Annotated[str, typer.Argument(metavar="KEY", help="A folder's name under projects/.")],
    case: CaseOption = None,
    source: SourceOption = None,
    label: Annotated[
        str | None, typer.Option("--label", help="Only of this source.", show_default=False)
    ] = None,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """Say who shares a key, what it holds, and what would be lost if it were deleted."""
    zone = output.zone_named(tz)
    with read_case_or_source(case, source) as opened:
        dossiers = read_dossier(opened, key, label=label)
        envelope = common.versions(opened.manifest)
        meant = [] if dossiers else keys_of_directory(opened, key, label=label)
    if meant:
        one = "its key here is" if len(meant) == 1 else "its keys here are"
        raise NothingThereError(
            f"{key!r} is a directory, not a key",
            hint=f"{one} {', '.join(meant)}: forensics key {shlex.quote(meant[0])}",
        )
    if not dossiers:
        raise NothingThereError(
            f"no folder {key!r} is in this case", hint="forensics sql 'select project_key from keys'"
        )
    if json_short:
        record: dict[str, Any] = {**envelope, "keys": [dossier.record() for dossier in dossiers]}
        output.put(output.as_json(record))
    else:
        put_dossier(dossiers, zone=zone)


def _absolute(path: str | None) -> str | None:
    from forensics.cli.keys import absolute

    return None if path is None else absolute(path)


def _sort_named(word: str) -> Sort:
    from forensics.dossier.listing import SORTS

    _one_of(word, SORTS, option="--sort")
    return next(each for each in SORTS if each == word)


def _one_of(word: str, words: Sequence[str], *, option: str) -> None:
    if word not in words:
        raise UsageError(f"{option} takes one of {', '.join(words)}, not {word!r}")


def _check_version(version: str | None) -> None:
    from forensics.keys import parse_version

    if version is not None and parse_version(version) is None:
        raise UsageError(f"{version!r} is not a version", hint="for example 2.1.332")


def _live_source(case: Path | None, source: str | None) -> str | None:
    """The source that is read as it is now, or None where a case is read."""
    if source is not None:
        return source
    is_case = case is not None or common.case_path(None).exists() or os.environ.get("FORENSICS_CASE")
    return None if is_case else str(claude_home())


def _live_root(case: Path | None, source: str | None) -> dict[str, Path]:
    """Where the source that is read as it is now lies, by its label."""
    live = _live_source(case, source)
    if live is None:
        return {}
    from forensics.ingest.sources import resolve_source

    resolved = resolve_source(live)
    return {} if resolved.is_container else {resolved.label: Path(resolved.root)}


def _scope_named(case: Case, scope: Scope, word: str) -> Scope:
    """The scope, cut to the repository of this name where the word is no path that is recorded."""
    from forensics.dossier.listing import Scope, find_repositories, list_sessions

    if not _is_name(word) or list_sessions(case, Scope(repo=scope.repo)):
        return scope
    named = find_repositories(case, word)
    if not named:
        return scope
    if len(named) > 1:
        raise UsageError(
            f"{word!r} may mean {len(named):,} repositories", hint=f"give a path: {', '.join(named)}"
        )
    say(f"{word} is {named[0]}")
    return replace(scope, repo=named[0])


def _is_name(word: str) -> bool:
    return not ("/" in word or "\\" in word or word in (".", ".."))


def _scope_here(case: Case, scope: Scope) -> Scope:
    """The scope cut to the current directory, if any session worked there."""
    from forensics.dossier.listing import list_sessions

    here = replace(scope, repo=str(Path.cwd()))
    n_here, n_all = len(list_sessions(case, here)), len(list_sessions(case, scope))
    if not n_here:
        return scope
    if n_here < n_all:
        say(f"{n_here:,} of {n_all:,} sessions, those of {here.repo}; --everywhere lists all")
    return here


def _brief(rows: Sequence[dict[str, Any]]) -> Sheet:
    from forensics.display import row_text
    from forensics.dossier.identity import REQUEST_WIDTH

    def cells(row: dict[str, Any]) -> tuple[object, ...]:
        shown = {
            **row,
            "title": row["row_label"],
            "last_request": row_text(row["last_request"] or "", REQUEST_WIDTH),
        }
        return tuple(shown[name] for name in _BRIEF)

    return Sheet(_BRIEF, [cells(row) for row in rows])


def _matches(found: Found) -> Sheet:
    columns = ("session_id", "last_ts", "title", "label", "path")
    rows = [
        (match.session_id, match.last_ts, match.title, match.label, match.path) for match in found.matches
    ]
    return Sheet(columns, rows)


def _record(found: Found, dossiers: Sequence[SessionDossier]) -> dict[str, Any]:
    from forensics.dossier.record import record_of

    sheet = _matches(found)
    return {
        "asked": found.word,
        "found_by": found.how if found.matches else None,
        "matches": sheet.records(),
        "sessions": [record_of(dossier) for dossier in dossiers],
    }


def _put_dossiers(dossiers: Sequence[SessionDossier], zone: dt.tzinfo) -> None:
    from forensics.dossier.text import Style, write_dossier

    style = Style(zone, output.terminal_width() or 100)
    output.put("\n\n\n".join(write_dossier(dossier, style) for dossier in dossiers))
