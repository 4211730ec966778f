"""Verbs about sessions and the keys they lie under: sessions, key."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import typer

from forensics.cli import common, output
from forensics.cli.common import CaseOption, FormatOption, JsonOption, ZoneOption
from forensics.cli.key_dossier import put_dossier, read_dossier
from forensics.cli.live import SourceOption, read_case_or_source
from forensics.cli.output import Format
from forensics.errors import NothingThereError, UsageError

_SESSIONS = """
with
titled as (
    select t.file_id, t.generation, arg_max(t.text, (t.line_no, t.part, t.ord)) as title
    from "text" as t
    where t.kind = 'title'
    group by t.file_id, t.generation
),

asked as (
    select
        t.file_id,
        t.generation,
        arg_min(t.text, (t.line_no, t.part, t.ord)) as first_request,
        arg_max(t.text, (t.line_no, t.part, t.ord)) as last_request
    from "text" as t
    where t.kind = 'human'
    group by t.file_id, t.generation
),

placed as (
    select
        c.file_id,
        c.generation,
        bool_or(
            starts_with(d.canonical_guess || '/', $below) or starts_with(d.repo_root_guess || '/', $below)
        ) as is_below
    from session_cwds as c
    inner join cwds as d using (cwd)
    group by c.file_id, c.generation
)

select
    s.session_id,
    s.last_ts,
    s.n_human as n_requests,
    coalesce(n.title, a.first_request) as title,
    a.last_request,
    s.last_cwd,
    s.project_key,
    s.label,
    s.home,
    s.size_bytes,
    s.path
from sessions as s
left join titled as n using (file_id, generation)
left join asked as a using (file_id, generation)
left join placed as p using (file_id, generation)
where ($below is null or p.is_below)
    and ($since is null or s.last_ts >= $since::timestamp with time zone)
    and ($project_key is null or s.project_key = $project_key)
order by s.last_ts desc nulls last, s.label, s.path
"""
_BRIEF = ("last_ts", "n_requests", "title", "last_cwd", "session_id")


def sessions(
    case: CaseOption = None,
    source: SourceOption = None,
    repo: Annotated[
        str | None,
        typer.Option(
            "--repo",
            metavar="DIR",
            help="Only sessions that worked in DIR, below it, or in a worktree of it, removed ones too.",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        str | None, typer.Option("--key", metavar="KEY", help="Only under this key.", show_default=False)
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="Only with a record since then.", show_default=False),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many.", show_default=False)] = None,
    fmt: FormatOption = Format.table,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
) -> None:
    """List sessions, the latest first."""
    from forensics.cli.keys import absolute
    from forensics.paths import canonical_guess

    chosen = common.chosen_format(fmt, json_short)
    zone = output.zone_named(tz)
    below = None if repo is None else canonical_guess(absolute(repo)).rstrip("/") + "/"
    values = {"below": below, "since": _time(since), "project_key": key}
    with read_case_or_source(case, source) as opened:
        sheet = output.sheet_of(opened.sql(_SESSIONS, values))
        envelope = common.versions(opened.manifest)
    if limit is not None:
        sheet = output.Sheet(sheet.columns, sheet.rows[:limit])
    if chosen is Format.table:
        output.put(output.terminal_table(output.only(sheet, _BRIEF), zone=zone))
    else:
        output.put_sheet(sheet, chosen, envelope=envelope, zone=zone)
    if not sheet.rows:
        raise NothingThereError(
            "no session is there", hint="without --repo, --key and --since all are listed"
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
    if not dossiers:
        raise NothingThereError(
            f"no folder {key!r} is in this case", hint="forensics sql 'select project_key from keys'"
        )
    if json_short:
        record: dict[str, Any] = {**envelope, "keys": [dossier.record() for dossier in dossiers]}
        output.put(output.as_json(record))
    else:
        put_dossier(dossiers, zone=zone)


def _time(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text!r} is not a time", hint="for example 2026-03-01 or 2026-03-01T12:00"
        ) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).isoformat()
