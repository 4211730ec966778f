"""The few shapes of Markdown that the reference pages are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A pipe table; a pipe or a newline in a cell does not end it."""
    lines = [_row(header), _row(["---"] * len(header)), *(_row(row) for row in rows)]
    return "\n".join(lines)


def code(text: str) -> str:
    """The text as code, whatever backticks are in it; empty for an empty text."""
    if not text:
        return ""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") or text.strip(" ") == "" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def join(blocks: Iterable[str]) -> str:
    """The blocks that are not empty, a blank line between them and one newline at the end."""
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"
