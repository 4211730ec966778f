"""Results on stdout in one of five formats; the same values in each."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from forensics.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

_WIDEST_CELL = 10_000
_NARROWEST_CELL = 12
# A line of a file in a pipe: columns beyond are cut, down to so many columns, but no name and no reference.
_WIDEST_PIPED_LINE = 200
_NARROWEST_PIPED_CELL = 24
_MOST_REFERENCES = 20

_ACTIVE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"

_IDS = re.compile(r"(?:^|_)(?:ids?|uuid|refs?|sha256)$")
_REFERENCE = re.compile(r"[^/]+/.*#L\d+(?:-L?\d+)?\Z", re.DOTALL)
_PLACES = re.compile(
    r"(?:^|_)(?:path|paths|key|keys|cwd|cwds|directory|directories|directory_guess|worktree|worktrees|root_guess"
    r"|place)$"
)


class Format(StrEnum):
    """How a result is written."""

    table = "table"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    md = "md"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A result as columns and rows of plain Python values."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]

    def records(self) -> list[dict[str, object]]:
        """The rows as dictionaries that JSON can hold."""
        return [dict(zip(self.columns, map(jsonable, row), strict=True)) for row in self.rows]


def sheet_of(table: pa.Table) -> Sheet:
    """The sheet that holds an Arrow table's rows."""
    columns = [table.column(index).to_pylist() for index in range(table.num_columns)]
    rows = list(zip(*columns, strict=True)) if columns else [()] * table.num_rows
    return Sheet(tuple(table.column_names), rows)


def only(sheet: Sheet, columns: Sequence[str]) -> Sheet:
    """The sheet with these columns alone, in this order."""
    places = [sheet.columns.index(name) for name in columns]
    return Sheet(tuple(columns), [tuple(row[place] for place in places) for row in sheet.rows])


def jsonable(value: object) -> object:
    """The value as JSON can hold it: times as ISO 8601 in UTC, bytes as hex, numbers never NaN."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat().replace("+00:00", "Z") if value.tzinfo else str(value)
        case dt.timedelta():
            return value.total_seconds()
        case bytes():
            return value.hex()
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case Mapping():
            return {str(key): jsonable(item) for key, item in value.items()}
        case list() | tuple():
            return [jsonable(item) for item in value]
        case _:
            return str(value)


def as_json(value: object) -> str:
    """The value as JSON text for people and programs: indented, UTF-8, keys in the order given."""
    return _escape_active(json.dumps(jsonable(value), ensure_ascii=False, indent=2, allow_nan=False))


def as_jsonl(records: Iterable[Mapping[str, object]]) -> str:
    """One JSON object a line."""
    lines = (json.dumps(jsonable(record), ensure_ascii=False, allow_nan=False) for record in records)
    return "\n".join(map(_escape_active, lines))


def _escape_active(text: str) -> str:
    # JSON allows these inside strings; terminals act on them and many line readers cut there.
    return _ACTIVE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def as_csv(sheet: Sheet, *, is_shown: bool = False) -> str:
    """The sheet as RFC 4180 text with a header; lists as JSON, nothing for null.

    The cells are exact, or harmless to look at where the text `is_shown` to a person.
    """
    lines = []
    for row in (sheet.columns, *sheet.rows):
        cells = map(_csv_cell, row)
        out = io.StringIO()
        # A cell is quoted when it holds a character of the line's end: so both of them are in it here.
        csv.writer(out, lineterminator="\r\n").writerow(map(_shown_cell, cells) if is_shown else cells)
        lines.append(out.getvalue().removesuffix("\r\n"))
    return "\n".join(lines)


def _shown_cell(value: object) -> object:
    from forensics.display import harmless_text

    return harmless_text(value) if isinstance(value, str) else value


def as_markdown(sheet: Sheet, *, zone: dt.tzinfo = dt.UTC) -> str:
    """The sheet as a pipe table; nothing of the evidence is markup."""
    lines = [_md_row(sheet.columns), _md_row(["---"] * len(sheet.columns))]
    lines += [_md_row([escape_markdown(cell_text(value, zone)) for value in row]) for row in sheet.rows]
    return "\n".join(lines)


def as_table(sheet: Sheet, *, zone: dt.tzinfo = dt.UTC, width: int | None = None) -> str:
    """The sheet as aligned columns; with a `width` cut to fit, or one value a line where it cannot fit.

    Without a width one line stands for each row, and a line is cut where that costs only prose.
    """
    from forensics.display import display_width, row_text

    cells = [[cell_text(value, zone) for value in row] for row in sheet.rows]
    natural = [
        max([display_width(name), *(display_width(row[index]) for row in cells)])
        for index, name in enumerate(sheet.columns)
    ]
    rigid = [_is_rigid(sheet, index) for index in range(len(sheet.columns))]
    if width is None:
        named = [stays or _PLACES.search(name) for stays, name in zip(rigid, sheet.columns, strict=True)]
        least = _least(natural, named, _NARROWEST_PIPED_CELL)
        widths = fit_widths(natural, _WIDEST_PIPED_LINE, least) or least
    else:
        fitting = fit_widths(natural, width, _least(natural, rigid, _NARROWEST_CELL))
        if fitting is None:
            return _as_records(sheet, zone, width)
        widths = fitting
    right = [_is_numeric(sheet, index) for index in range(len(sheet.columns))]
    lines = [_pad_row(sheet.columns, widths, right)]
    lines.append("  ".join("-" * column for column in widths))
    lines += [
        _pad_row([row_text(cell, widths[index]) for index, cell in enumerate(row)], widths, right)
        for row in cells
    ]
    return "\n".join(lines)


def fit_widths(natural: Sequence[int], width: int, least: Sequence[int]) -> list[int] | None:
    """Column widths that fit so many terminal columns, the widest cut first; None when they cannot."""
    room = width - 2 * (len(natural) - 1)
    if sum(least) > room:
        return None
    widths = list(natural)
    while (excess := sum(widths) - room) > 0:
        widest = max(width for width, low in zip(widths, least, strict=True) if width > low)
        at_widest = [i for i, low in enumerate(least) if widths[i] == widest and widest > low]
        # Down to the next wide column, but not past what is needed or allowed.
        below = max([w for w, low in zip(widths, least, strict=True) if low < w < widest], default=0)
        floor = max(below, *(least[i] for i in at_widest))
        step = max(1, min(widest - floor, math.ceil(excess / len(at_widest))))
        for index in at_widest:
            widths[index] -= step
    return widths


def cell_text(value: object, zone: dt.tzinfo = dt.UTC) -> str:
    """The value as one harmless line: times with their offset, lists joined, nothing for null."""
    from forensics.display import row_text

    match value:
        case None:
            return ""
        case str():
            return row_text(value, _WIDEST_CELL)
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6g}"
        case dt.datetime():
            if value.tzinfo is None:
                return str(value)
            return value.astimezone(zone).isoformat(sep=" ", timespec="seconds")
        case list() | tuple():
            return ", ".join(cell_text(item, zone) for item in value)
        case dict():
            return row_text(json.dumps(jsonable(value), ensure_ascii=False), _WIDEST_CELL)
        case _:
            return row_text(str(jsonable(value)), _WIDEST_CELL)


def escape_markdown(text: str) -> str:
    """The text with nothing in it that Markdown or HTML would read as markup."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|~#!" else char for char in text)


def zone_named(name: str) -> dt.tzinfo:
    """The time zone of a name such as `Europe/Berlin`.

    Raises:
        UsageError: no zone has this name.
    """
    if name.upper() in {"UTC", "Z"}:
        return dt.UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"no time zone is called {name!r}", hint="for example Europe/Berlin") from error


def terminal_width() -> int | None:
    """How many columns stdout shows; None in a pipe, unless $COLUMNS asks for a width there too."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(20, _columns())


def wrapped(text: str) -> str:
    """The text cut into lines at spaces where this is a terminal."""
    from forensics.display import inert_line

    text = inert_line(text)
    width = terminal_width()
    return text if width is None else textwrap.fill(text, width, break_long_words=False)


def emphasise(text: str) -> str:
    """The line in bold on a terminal that wants it, and bare in a pipe, with NO_COLOR or on a dumb one."""
    from forensics.display import inert_line

    return f"{_BOLD}{inert_line(text)}{_PLAIN}" if _wants_bold() else inert_line(text)


def put(text: str) -> None:
    """Nothing; the text stands on stdout and ends in one newline, and no terminal acts on it."""
    # The last gate: whatever a writer forgot to clean stops here. A line in bold is one of our own.
    text = "\n".join(map(_gate, text.split("\n")))
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def put_csv(sheet: Sheet) -> None:
    """Nothing; the sheet stands on stdout, exact for a program and harmless on a terminal."""
    text = as_csv(sheet, is_shown=sys.stdout.isatty())
    sys.stdout.write(f"{text}\n")


def _gate(line: str) -> str:
    from forensics.display import inert_line, inert_lines

    if line.startswith(_BOLD) and line.endswith(_PLAIN) and _wants_bold():
        return f"{_BOLD}{inert_line(line)}{_PLAIN}"
    return inert_lines(line)


def _wants_bold() -> bool:
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def put_sheet(sheet: Sheet, fmt: Format, *, envelope: Mapping[str, object], zone: dt.tzinfo = dt.UTC) -> None:
    """Nothing; the sheet stands on stdout, in JSON together with the versions that made it."""
    match fmt:
        case Format.json:
            put(as_json({**envelope, "columns": list(sheet.columns), "rows": sheet.records()}))
        case Format.jsonl:
            if sheet.rows:
                put(as_jsonl(sheet.records()))
        case Format.csv:
            put_csv(sheet)
        case Format.md:
            put(as_markdown(sheet, zone=zone))
        case Format.table:
            put(terminal_table(sheet, zone=zone))


def terminal_table(sheet: Sheet, *, zone: dt.tzinfo = dt.UTC) -> str:
    """The sheet as a table for this terminal, its head set off."""
    text = as_table(sheet, zone=zone, width=terminal_width())
    head, newline, rest = text.partition("\n")
    return f"{emphasise(head)}{newline}{rest}" if rest.startswith("-") else text


def _columns() -> int:
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(sys.stdout.fileno()).columns)
    except (ValueError, OSError):
        return 80


def _csv_cell(value: object) -> object:
    plain = jsonable(value)
    if isinstance(plain, (list, dict)):
        return json.dumps(plain, ensure_ascii=False)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return "" if plain is None else plain


def _md_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_rigid(sheet: Sheet, index: int) -> bool:
    """Whether a value cut short would be of no use: numbers, times, ids, references."""
    values = [row[index] for row in sheet.rows if row[index] is not None]
    return _is_id(sheet, index) or (
        bool(values) and all(isinstance(value, (int, float, dt.datetime)) for value in values)
    )


def _is_id(sheet: Sheet, index: int) -> bool:
    values = [row[index] for row in sheet.rows if row[index] is not None]
    return _IDS.search(sheet.columns[index]) is not None or (
        bool(values) and all(isinstance(value, str) and _REFERENCE.match(value) for value in values)
    )


def _least(natural: Sequence[int], stays: Sequence[object], narrowest: int) -> list[int]:
    return [column if fixed else min(column, narrowest) for column, fixed in zip(natural, stays, strict=True)]


def _is_numeric(sheet: Sheet, index: int) -> bool:
    values = [row[index] for row in sheet.rows if row[index] is not None]
    return bool(values) and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def _pad_row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    from forensics.display import display_width, row_text

    padded: list[str] = []
    for text, width, to_right in zip(cells, widths, right, strict=True):
        cell = row_text(text, width)
        space = " " * max(0, width - display_width(cell))
        padded.append(space + cell if to_right else cell + space)
    return "  ".join(padded).rstrip(" ")


def _as_records(sheet: Sheet, zone: dt.tzinfo, width: int) -> str:
    from forensics.display import display_width

    name_width = max(display_width(name) for name in sheet.columns)
    room = max(_NARROWEST_CELL, width - name_width - 2)
    whole = [
        _is_id(sheet, index) or _PLACES.search(name) is not None for index, name in enumerate(sheet.columns)
    ]
    blocks: list[str] = []
    for row in sheet.rows:
        lines: list[str] = []
        for index, name in enumerate(sheet.columns):
            first, *more = _record_lines(row[index], zone, room, whole=whole[index])
            lines.append(f"{name.ljust(name_width)}  {first}".rstrip(" "))
            lines += [f"{' ' * name_width}  {line}" for line in more]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) if blocks else "  ".join(sheet.columns)


def _record_lines(value: object, zone: dt.tzinfo, room: int, *, whole: bool) -> list[str]:
    """A value below its name: what can be pasted elsewhere whole, and many such things one a line."""
    from forensics.display import display_width, row_text

    text = cell_text(value, zone)
    if not whole or display_width(text) <= room:
        return [row_text(text, room)]
    if not isinstance(value, (list, tuple)):
        return [text]
    items = [cell_text(item, zone) for item in value[:_MOST_REFERENCES]]
    n_more = len(value) - len(items)
    return [*items, f"and {n_more:,} more; --format json lists all"] if n_more else items
