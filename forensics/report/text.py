"""Values as people read them: counts, bytes, durations and times."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from forensics.display import row_text
from forensics.errors import UsageError
from forensics.report.model import Value

NONE = "–"
_CELL = 160
_UNITS = ("B", "kB", "MB", "GB", "TB")
_PLAIN = frozenset({"line_no", "first_line", "last_line", "part", "generation", "file_id", "version_order"})


def read_zone(name: str) -> tzinfo:
    """The time zone of that name.

    Raises:
        UsageError: there is no such zone.
    """
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"no time zone {name!r}", hint="names look like Europe/Vienna or UTC") from error


def count_of(n: int, one: str, many: str | None = None) -> str:
    """The number with its noun, as `1 file` or `1,204 files`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def format_bytes(n: int) -> str:
    """A size in decimal units with three digits at most."""
    size = float(n)
    for unit in _UNITS:
        if size < 999.5 or unit == _UNITS[-1]:
            break
        size /= 1000
    return f"{n} B" if unit == "B" else f"{size:.3g} {unit}" if size < 99.5 else f"{size:.0f} {unit}"


def format_seconds(seconds: float) -> str:
    """A duration in its two largest units."""
    left = round(abs(seconds))
    sign = "−" if seconds < 0 and left else ""
    parts: list[str] = []
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        n, left = divmod(left, size)
        if n or (parts and len(parts) < 2):
            parts.append(f"{n} {unit}")
        if len(parts) == 2:
            break
    return sign + (" ".join(parts) or "0 s")


def format_time(moment: datetime) -> str:
    """A time to the second with its offset."""
    text = moment.strftime("%Y-%m-%d %H:%M:%S")
    offset = moment.strftime("%z")
    if offset == "+0000":
        return f"{text}Z"
    return f"{text} {offset[:3]}:{offset[3:]}" if offset else text


def format_value(value: Value, column: str = "", *, width: int = _CELL) -> str:
    """A cell as one line; what a number means is read from the column's name."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, str):
        return row_text(value, width) or NONE
    if isinstance(value, int | float):
        return _format_number(value, column)
    if isinstance(value, dict):
        pairs = (f"{name}={format_value(item, name, width=width)}" for name, item in value.items())
        return row_text(", ".join(pairs), width) or NONE
    return row_text(", ".join(format_value(item, column, width=width) for item in value), width) or NONE


def _format_number(value: float, column: str) -> str:
    if column in _PLAIN or column.endswith(("_line", "_line_no")):
        return str(value)
    if column.endswith("_bytes") or column == "bytes":
        return format_bytes(int(value))
    if column.endswith("_s"):
        return format_seconds(value)
    if isinstance(value, int):
        return f"{value:,}"
    if column.startswith("share") or column.endswith(("_share", "_rate")):
        return f"{100 * value:.3g} %"
    return f"{value:,.4g}"


def is_number(value: Value) -> bool:
    """Whether a cell stands at the right, with digits below each other."""
    return isinstance(value, int | float) and not isinstance(value, bool)
