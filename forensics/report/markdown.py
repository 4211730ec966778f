"""The report as Markdown for a terminal, a ticket or a review."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from forensics.display import clean_text, harmless_text
from forensics.report.layout import lay_out
from forensics.report.model import Examined, Finding, ReportContext, Value
from forensics.report.text import NONE, count_of, format_bytes, format_time, format_value, is_number
from forensics.report.words import BASES, CONFIDENCES, KIND_DOCS, KIND_NAMES, say_headline, split_code

_SIGNS = re.compile(r"([\\`*_{}\[\]#~!])")
_BAR = re.compile(r"(\\*)\|")
_TICKS = re.compile(r"`+")
_ROWS = 50


def write_markdown(context: ReportContext) -> str:
    """The report; its bytes depend on the context alone."""
    blocks = [
        f"# {_plain(context.title)}: {_plain(say_headline(context))}",
        _plain(context.verdict),
        _table(
            ["", "asked", "found rows", "rows", "not assessed"],
            [
                [
                    KIND_NAMES[head.kind],
                    str(head.n_findings - head.n_not_assessed),
                    str(head.n_with_rows),
                    f"{head.n_rows:,}",
                    str(head.n_not_assessed),
                ]
                for head in context.headlines
            ],
        ),
        *_examined(context.examined),
        *_kinds(context),
        *_not_assessed(context),
        *_sessions(context),
        *_gaps(context),
        *_unseen(context),
        *_repeat(context),
    ]
    return "\n\n".join(blocks) + "\n"


def _plain(text: str) -> str:
    """The text with nothing left that Markdown or HTML would read as markup."""
    text = harmless_text(text)
    escaped = _SIGNS.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
    return escaped.replace("://", ":&#47;/").replace("www.", "www&#46;").replace("@", "&#64;")


def _code(text: str) -> str:
    """The text as code, whatever ticks it holds."""
    text = clean_text(text)
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _prose(text: str) -> str:
    return "".join(_code(piece) if is_code else _plain(piece) for is_code, piece in split_code(text))


def _cell(value: Value, column: str) -> str:
    if value is None or isinstance(value, bool) or is_number(value):
        return format_value(value, column)
    shown = format_value(value, column)
    return shown if shown == NONE else _code(shown)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_keep_bars, line))} |" for line in lines)


def _keep_bars(cell: str) -> str:
    # A bar ends a cell even in code; a backslash before it would undo the escape, and so it is shown twice.
    return _BAR.sub(lambda found: f"{found[1] * 2}\\|", cell)


def _tally(finding: Finding) -> str:
    among = "" if finding.denominator is None else f" among {finding.denominator:,} {finding.denominator_of}"
    return _plain(f"{finding.n_rows:,}{among}")


def _examined(looked: Examined) -> list[str]:
    as_of = (
        "no time: the evidence records none"
        if looked.as_of is None
        else f"{format_time(looked.as_of)}, {BASES.get(str(looked.as_of_basis), looked.as_of_basis)}"
    )
    libraries = "".join(f", {library.name} {library.version}" for library in looked.libraries)
    rows = [
        [_code(source.label), f"the same folder as {_code(str(source.same_as))}", "", "", "", ""]
        if source.same_as
        else [
            _code(source.label),
            f"{source.n_files:,}",
            format_bytes(source.n_bytes),
            f"{source.n_lines:,}",
            f"{source.n_sessions:,}",
            f"{source.n_keys:,}",
        ]
        for source in looked.sources
    ]
    counts = [
        count_of(looked.n_files, "file"),
        format_bytes(looked.n_bytes),
        count_of(looked.n_lines, "line"),
        count_of(looked.n_sessions, "session"),
        count_of(looked.n_keys, "project key"),
    ]
    tool = f"{looked.tool.name} {looked.tool.version}, ruleset {looked.ruleset.version}{libraries}"
    return [
        "## What was examined",
        "\n".join(
            [
                f"- {', '.join(counts)}; {looked.n_unread:,} listed and not read",
                f"- As of: {_plain(as_of)}",
                f"- With: {_plain(tool)}; case schema {_plain(looked.case_schema)}",
                f"- Content digest: {_code(looked.content_sha256)}",
            ]
        ),
        _table(["source", "files", "size", "lines", "sessions", "project keys"], rows),
    ]


def _kinds(context: ReportContext) -> list[str]:
    blocks: list[str] = []
    for kind, name in KIND_NAMES.items():
        of_kind = [finding for finding in context.assessed if finding.kind == kind]
        blocks += [f"## {name}", KIND_DOCS[kind]]
        for finding in of_kind:
            if finding.n_rows:
                blocks += _finding(finding, context)
        quiet = [finding for finding in of_kind if not finding.n_rows]
        if quiet:
            blocks.append("Asked, nothing found:")
            blocks.append("\n".join(f"- {_plain(f.title)} ({f.id}): {_tally(f)}" for f in quiet))
        if not of_kind:
            blocks.append("No question of this kind could be asked.")
    return blocks


def _finding(finding: Finding, context: ReportContext) -> list[str]:
    shown = finding.shown if context.is_full else finding.shown[:_ROWS]
    layout = lay_out(finding)
    heads = [*(column.name for _, column in layout.columns), "evidence"]
    rows = [
        [*(_cell(value, name) for name, value in layout.cells(row)), _first_place(row.refs)] for row in shown
    ]
    same = ", ".join(f"{_plain(column.name)} {_cell(value, column.name)}" for column, value in layout.same)
    blocks = [
        f"### {_plain(finding.title)} ({finding.id})",
        _prose(finding.claim),
        "\n".join(
            [
                f"- Found: {_tally(finding)}",
                f"- Does not show: {_prose(finding.does_not_show)}",
                f"- Confidence: {CONFIDENCES.get(finding.confidence, finding.confidence)}",
                f"- What next: {_prose(finding.next)}",
            ]
        ),
        *([f"In every row: {same}"] if same else []),
        _table(heads, rows),
    ]
    if len(shown) < finding.n_rows:
        blocks.append(f"The first {len(shown):,} of {finding.n_rows:,} rows; all stand in report.json.")
    quotes = [quote for row in shown[:5] for quote in row.quotes[:1] if quote.text]
    if quotes:
        blocks.append(
            "\n".join(
                f"- {_code(quote.text)}\n  {_code(f'forensics show {shlex.quote(quote.ref)}')}"
                for quote in quotes
            )
        )
    return blocks


def _first_place(refs: Sequence[str]) -> str:
    if not refs:
        return NONE
    more = f" and {len(refs) - 1:,} more" if len(refs) > 1 else ""
    return _code(refs[0]) + more


def _not_assessed(context: ReportContext) -> list[str]:
    if not context.not_assessed:
        return ["## Not assessed", "Every question could be asked."]
    return [
        "## Not assessed",
        "These questions could not be asked. That is no answer.",
        "\n".join(
            f"- {_plain(finding.title)} ({finding.id}): {_plain(finding.reason or '')}"
            for finding in context.not_assessed
        ),
    ]


def _sessions(context: ReportContext) -> list[str]:
    sessions = context.sessions
    shown = sessions.cited[: sessions.n_shown if context.is_full else _ROWS]
    said = f"{len(sessions.cited):,} of {count_of(sessions.n_sessions, 'main transcript')}"
    more = f"; the {len(shown):,} with most findings are here" if len(shown) < len(sessions.cited) else ""
    blocks = ["## Sessions that findings point at", f"{said}{more}."]
    if shown:
        blocks.append(
            _table(
                ["session", "project key", "lines", "stretches", "findings", "transcript"],
                [
                    [
                        _code(session.session_id or NONE),
                        _code(session.project_key or NONE),
                        f"{session.n_lines:,}",
                        f"{session.n_runs:,}",
                        _plain(", ".join(session.findings)),
                        _code(session.ref),
                    ]
                    for session in shown
                ],
            )
        )
    return blocks


def _gaps(context: ReportContext) -> list[str]:
    gaps = context.gaps
    if not gaps.n_gaps:
        return ["## Gaps", f"None: every byte of {count_of(context.examined.n_files, 'file')} was read."]
    shown = gaps.files[: gaps.n_shown]
    is_cut = len(shown) < gaps.n_files
    among = f"{gaps.n_files:,} of {count_of(context.examined.n_files, 'file')}"
    return [
        "## Gaps",
        f"{count_of(gaps.n_gaps, 'place')} in {among} could not be read, or only with a reservation.",
        _table(
            ["class", "meaning", "gaps", "files", "size"],
            [
                [
                    _code(gap.name),
                    _plain(gap.meaning),
                    f"{gap.n_gaps:,}",
                    f"{gap.n_files:,}",
                    NONE if gap.n_bytes is None else format_bytes(gap.n_bytes),
                ]
                for gap in gaps.classes
            ],
        ),
        f"The {len(shown):,} files with most of {gaps.n_files:,}:" if is_cut else "By file:",
        _table(
            ["file", "gaps", "classes"],
            [[_code(file.ref), f"{file.n_gaps:,}", _plain(", ".join(file.classes))] for file in shown],
        ),
    ]


def _unseen(context: ReportContext) -> list[str]:
    return [
        "## What was not looked at",
        "\n".join(f"- {_prose(item.what)}. {_prose(item.why)} {_prose(item.how)}" for item in context.unseen),
    ]


def _repeat(context: ReportContext) -> list[str]:
    steps = "\n\n".join(f"{step.purpose}\n\n    {step.command}" for step in context.steps)
    return ["## How to repeat", steps]
