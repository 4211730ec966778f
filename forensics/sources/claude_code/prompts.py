"""What is a person's request, and what only looks like one.

Source: lines of type user as written by CLI 1.0 to 2.1; the agent puts its own texts there too.
"""

from __future__ import annotations

import re

import msgspec

from forensics.sources.claude_code.record import NO_RAW, Record

_BY_PREFIX: tuple[tuple[str, str], ...] = (
    ("[Request interrupted by user", "interrupt"),
    ("<command-name>", "command"),
    ("<command-message>", "command"),
    ("<command-args>", "command"),
    ("<local-command-", "command_output"),
    ("<bash-input>", "command"),
    ("<bash-stdout>", "command_output"),
    ("<bash-stderr>", "command_output"),
    ("Unknown slash command:", "command_output"),
    ("<system-reminder>", "system_reminder"),
    ("<task-notification>", "notification"),
    ("<user-prompt-submit-hook>", "hook"),
    ("<teammate-message", "peer_message"),
    ("<agent-message", "peer_message"),
    ("Caveat: The messages below", "caveat"),
    ("Base directory for this skill:", "skill"),
    ("This session is being continued from", "compact_summary"),
    ("Please continue the conversation from where we left", "continuation"),
)
_CONTINUATIONS = frozenset({"Continue from where you left off", "Please continue"})
"""Said by the agent word for word; a person who goes on after these words said something."""
_PREFIX = re.compile("|".join(f"({re.escape(text)})" for text, _ in _BY_PREFIX))
_ASIDES = frozenset({"system_reminder", "image"})
_FIRST_CHARS = frozenset(text[0] for text in (*(text for text, _ in _BY_PREFIX), *_CONTINUATIONS, "[Image"))
_IMAGE = re.compile(r"(?:\[Image[ #:][^\]]*\]\s*)+")


class _Origin(msgspec.Struct, gc=False):
    kind: str | None = None


_decode_origin = msgspec.json.Decoder(_Origin).decode


def _origin_kind(record: Record) -> str | None:
    """What the record says of its own origin, when it says so in the agent's shape."""
    try:
        return _decode_origin(record.origin).kind
    except (msgspec.DecodeError, RecursionError):
        return None


def _class_of(text: str, *, has_image: bool) -> str | None:
    """What one text of a message is by its beginning; None when there is nothing in it but white space."""
    first = text[:1]
    if first not in _FIRST_CHARS and not first.isspace():
        return "human" if first else None
    text = text.strip()
    if not text:
        return None
    if match := _PREFIX.match(text):
        return _BY_PREFIX[match.lastindex - 1][1] if match.lastindex else "human"
    if text.removesuffix(".") in _CONTINUATIONS:
        return "continuation"
    return "image" if _IMAGE.fullmatch(text) and not has_image else "human"


def prompt_class(record: Record, *, texts: list[str], has_tool_result: bool, has_image: bool) -> str:
    """Why a line of type user counts as a person's request (`human`) or not.

    Of several reasons the first in this order is given: what the flags say, what the shape says, what the
    text begins with. An image a person sends with words is human, the agent's own `[Image: …]` note is not;
    reminders and such notes may stand beside a request without taking anything from it.
    """
    if has_tool_result:
        return "tool_result"
    if record.is_compact_summary:
        return "compact_summary"
    if record.is_sidechain:
        return "sidechain"
    if record.is_meta:
        return "meta"
    if record.origin is not NO_RAW:
        kind = _origin_kind(record)
        if kind is not None and kind != "human":
            return kind.replace("-", "_")
    why = _class_of(texts[0], has_image=has_image) if texts else None
    if why is None or why in _ASIDES:
        classes = [one for text in texts if (one := _class_of(text, has_image=has_image))]
        if not classes:
            return "image" if has_image else "empty"
        why = next((one for one in classes if one not in _ASIDES), classes[0])
    return "transcript_only" if why == "human" and record.is_transcript_only else why
