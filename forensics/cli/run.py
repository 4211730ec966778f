"""Verbs that take evidence in: run and convert."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forensics.cli import common, completion, fail_on, output
from forensics.cli.ask import end_on_failures
from forensics.cli.common import JsonOption, OutOption, ZoneOption
from forensics.cli.progress import drawn_progress
from forensics.cli.results import summary_record
from forensics.cli.summary import put_run_summary
from forensics.errors import SourceError

if TYPE_CHECKING:
    from forensics.ingest.convert import Conversion

SourcesArgument = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE...", help="Folders or files to read, each PATH or LABEL=PATH."),
]
NoRawOption = Annotated[
    bool, typer.Option("--no-raw", help="Leave the bytes out; show and verify then need --root.")
]
NoTextOption = Annotated[bool, typer.Option("--no-text", help="Leave the prose out.")]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, metavar="N", help="How many processes; else one a core.", show_default=False
    ),
]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        help="What counts as now: an ISO time or `now`; else the newest time in the evidence.",
        show_default=False,
    ),
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="Encoding rules to add.", show_default=False)
]
ProbeFileOption = Annotated[
    list[str] | None,
    typer.Option(
        "--probe-file",
        metavar="LABEL=FILE",
        help="What `forensics probe` wrote on the machine of that source.",
        show_default=False,
    ),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="KIND=PATH",
        help="Facts from outside: registry=DIR|FILE, tmux=FILE, dismissed=FILE, listing=FILE.",
        show_default=False,
    ),
]


def convert(
    sources: SourcesArgument,
    out: OutOption = None,
    no_raw: NoRawOption = False,
    no_text: NoTextOption = False,
    workers: WorkersOption = None,
    as_of: AsOfOption = None,
    rules: RulesOption = None,
    probe_files: ProbeFileOption = None,
    withs: WithOption = None,
    json_short: JsonOption = False,
) -> None:
    """Take evidence into a case; the evidence itself is only read."""
    conversion = take_in(
        sources,
        out=out,
        raw=not no_raw,
        text=not no_text,
        workers=workers,
        as_of=as_of,
        rules=rules,
        probe_files=probe_files,
        withs=withs,
    )
    with common.read_case(common.case_path(out)) as opened:
        envelope = common.versions(opened.manifest)
        common.say_gaps(opened)
    if json_short:
        output.put(
            output.as_json(
                {**envelope, "conversion": conversion_record(conversion, case=common.case_path(out))}
            )
        )
    else:
        output.put(f"{conversion_sentence(conversion)}\ncase: {common.case_path(out)}")
    end_on_unread(conversion)


def run(
    sources: SourcesArgument,
    out: OutOption = None,
    no_raw: NoRawOption = False,
    no_text: NoTextOption = False,
    workers: WorkersOption = None,
    as_of: AsOfOption = None,
    rules: RulesOption = None,
    probe_files: ProbeFileOption = None,
    withs: WithOption = None,
    json_short: JsonOption = False,
    tz: ZoneOption = "UTC",
    fail_on_words: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="WHAT",
            help="Exit 10 when this has rows or is not assessed: NAME, KIND, new:NAME, gaps. Repeatable.",
            autocompletion=completion.complete_fail_on,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Convert, ask every finding, write the report; prints a short summary."""
    from forensics.spec import load_findings

    output.zone_named(tz)
    conditions = fail_on.parse_conditions(fail_on_words or (), load_findings())
    place = common.case_path(out)
    before = _rows_before(conditions, place)
    conversion = take_in(
        sources,
        out=out,
        raw=not no_raw,
        text=not no_text,
        workers=workers,
        as_of=as_of,
        rules=rules,
        probe_files=probe_files,
        withs=withs,
    )
    from forensics.report import build_context, write_report

    with common.read_case(place) as opened:
        results = opened.findings()
        context = build_context(opened, findings=results, tz=tz)
        written = write_report(context, place / "report")
        n_gaps = opened.sql("select count(*) as n from gaps").column("n")[0].as_py()
        common.say_gaps(opened)
        envelope = common.versions(opened.manifest)
    if json_short:
        record: dict[str, Any] = {
            **envelope,
            "conversion": conversion_record(conversion, case=place),
            "findings": [summary_record(result) for result in results],
            "report": [str(path) for path in written],
        }
        output.put(output.as_json(record))
    else:
        put_run_summary(conversion_sentence(conversion), results, case=place, written=written)
    end_on_unread(conversion)
    end_on_failures(fail_on.failures(conditions, results, n_gaps=n_gaps, known_rows=before))


def take_in(
    sources: list[str],
    *,
    out: Path | None,
    raw: bool,
    text: bool,
    workers: int | None,
    as_of: str | None,
    rules: Path | None,
    probe_files: list[str] | None,
    withs: list[str] | None,
) -> Conversion:
    """What a conversion with these words did; progress is drawn on a terminal."""
    from forensics.ingest.convert import ConvertOptions
    from forensics.ingest.convert import convert as ingest

    if rules is not None:
        common.load_ruleset(rules)
    options = ConvertOptions(
        raw=raw,
        text=text,
        workers=workers,
        as_of=as_of,
        rules=rules,
        probe_files=common.split_pairs(probe_files, option="--probe-file"),
        withs=common.split_pairs(withs, option="--with"),
    )
    with drawn_progress() as progress:
        return ingest(sources, common.case_path(out), options=options, progress=progress)


def conversion_record(conversion: Conversion, *, case: Path) -> dict[str, Any]:
    """What a conversion did, for JSON; `case` as the person named it."""
    return {
        "case": str(case),
        "n_files": conversion.n_files,
        "n_transcripts": conversion.n_transcripts,
        "n_bytes": conversion.n_bytes,
        "n_read_bytes": conversion.n_read_bytes,
        "n_lines": conversion.n_lines,
        "n_gaps": conversion.n_gaps,
        "n_unread": conversion.n_unread,
        "seconds": round(conversion.seconds, 3),
    }


def conversion_sentence(conversion: Conversion) -> str:
    """What a conversion did, for people."""
    rate = conversion.n_read_bytes / 1e6 / conversion.seconds if conversion.seconds else 0.0
    return (
        f"examined {conversion.n_transcripts:,} transcripts among {conversion.n_files:,} files: "
        f"{conversion.n_lines:,} lines, {conversion.n_bytes / 1e6:,.1f} MB "
        f"in {conversion.seconds:,.1f} s ({rate:,.0f} MB/s){_kept(conversion)}"
    )


def _kept(conversion: Conversion) -> str:
    known = conversion.n_bytes - conversion.n_read_bytes
    return f"; {known / 1e6:,.1f} MB were known already" if known > 0 else ""


def end_on_unread(conversion: Conversion) -> None:
    """Nothing when every file could be read.

    Raises:
        SourceError: some could not; the case is published and says which.
    """
    if conversion.n_unread:
        files = "a file" if conversion.n_unread == 1 else f"{conversion.n_unread:,} files"
        raise SourceError(
            f"{files} under a root could not be read; everything else is in the case",
            hint="forensics sql 'select label, path, class from gaps join files using (file_id, generation)'",
        )


def _rows_before(conditions: tuple[fail_on.Condition, ...], case: Path) -> frozenset[str] | None:
    asked = frozenset().union(*(c.names for c in conditions if c.only_new))
    if not asked or not case.exists():
        return None
    with common.read_case(case) as opened:
        results = opened.findings(sorted(asked))
    return frozenset(row for result in results for row in result.rows.column("row_id").to_pylist())
