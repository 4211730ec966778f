"""Text of the evidence made safe to look at: one line, no controls, no hidden characters, a known width.

Parquet keeps what was recorded; only what is shown passes through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wcwidth import iter_graphemes, wcswidth

_ELLIPSIS = "…"
# A cluster may carry any number of combining marks and still be one column wide; Unicode's stream-safe
# format stops at 30, and so does a row here.
_MAX_CLUSTER = 32

# Bodies of control strings end at the next control of any kind, so that an unterminated one hides nothing
# but its own introducer and a megabyte of introducers costs one pass.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[PX^_\]]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_SPACES = re.compile("[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+")
_CONTROLS = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]|[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)
_UNPRINTABLE = re.compile("[\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe\\uffff]")

_PICTURE = (
    "[\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u21ff\\u2300-\\u23ff\\u2460-\\u24ff\\u25a0-\\u27bf"
    "\\u2900-\\u297f\\u2b00-\\u2bff\\u3030\\u303d\\u3297\\u3299\\U0001f000-\\U0001faff]"
)
_PICTURE_AS_SHOWN = f"{_PICTURE}(?:\\ufe0f|[\\U0001f3fb-\\U0001f3ff])?"
_EMOJI_OR_HIDDEN = re.compile(
    f"({_PICTURE_AS_SHOWN}(?:\\u200d{_PICTURE_AS_SHOWN})+"
    f"|{_PICTURE}[\\ufe0e\\ufe0f]"
    "|[0-9#*]\\ufe0f\\u20e3"
    "|\\U0001f3f4\\U000e0067\\U000e0062"
    "(?:\\U000e0065\\U000e006e\\U000e0067|\\U000e0073\\U000e0063\\U000e0074|\\U000e0077\\U000e006c\\U000e0073)"
    "\\U000e007f)"
    "|[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f"
    "\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff9-\\ufffb\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
    "\\U000e0000-\\U000e0fff]+"
)


# All that a terminal acts on, or that another program takes for the end of a line; a tab only moves along.
_ACTIVE = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]|[\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"
)
_LINE_ENDS = re.compile("\r\n|[\n\x0b\x0c\r\x85\u2028\u2029]")


def inert_lines(text: str) -> str:
    """Finished lines without anything a terminal would act on; columns and visible characters stay."""
    return _ACTIVE.sub("", _SEQUENCES.sub("", text))


def inert_line(text: str) -> str:
    """The text as one finished line: what would end it is a blank."""
    return inert_lines(_LINE_ENDS.sub(" ", text))


def harmless_text(text: str) -> str:
    """A piece of a line without escape sequences, controls, direction marks or hidden characters."""
    seen = _CONTROLS.sub("", _SEQUENCES.sub("", text))
    seen = _EMOJI_OR_HIDDEN.sub(lambda match: match[1] or "", _UNPRINTABLE.sub("\ufffd", seen))
    return _SPACES.sub(" ", seen)


def clean_text(text: str) -> str:
    """The text on one line, harmless, without blanks around it."""
    return harmless_text(text).strip(" ")


def display_width(text: str) -> int:
    """How many terminal columns the text takes.

    Units: columns; wide characters take two.
    """
    return sum(_width_of(cluster) for cluster in iter_graphemes(text))


def row_text(text: str, width: int) -> str:
    """The text as one line of at most so many columns, cut between graphemes with `…` for the rest."""
    if width <= 0:
        return ""
    kept: list[str] = []
    used = 0
    clusters = _shorten(clean_text(text))
    for cluster in clusters:
        used += _width_of(cluster)
        kept.append(cluster)
        if used > width:
            break
    else:
        return "".join(kept)
    while kept and display_width("".join(kept).rstrip(" ") + _ELLIPSIS) > width:
        kept.pop()
    return "".join(kept).rstrip(" ") + _ELLIPSIS


def _shorten(text: str) -> Iterator[str]:
    for cluster in iter_graphemes(text):
        yield cluster[:_MAX_CLUSTER]


def _width_of(cluster: str) -> int:
    # wcwidth says -1 for controls; where text was not cleaned they take no column here.
    return max(0, wcswidth(cluster))
