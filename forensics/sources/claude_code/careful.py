"""A record from an object that the typed pass refused: each field is taken or refused by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from forensics.sources.claude_code.record import MAX_COUNT, Block, Message, Record, Usage

Object = dict[str, Any]
Refusal = tuple[str, str]


def _clean(text: str) -> bool:
    """Whether there is no half of a surrogate pair in the text: then, and only then, it can be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def mend_text(text: str) -> str:
    """The text with halves of surrogate pairs and undecodable bytes replaced by U+FFFD."""
    if text.isascii() or _clean(text):
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


@dataclass(slots=True)
class _Taker:
    """Takes typed values out of one object and notes what it refuses; `where` prefixes the field's name."""

    pairs: Object
    where: str
    refusals: list[Refusal]

    def _refuse(self, kind: str, name: str) -> None:
        self.refusals.append((kind, f"{self.where}{name}"))

    def text(self, name: str) -> str | None:
        value = self.pairs.get(name)
        if isinstance(value, str):
            if value.isascii() or _clean(value):
                return value
            escaped = any("\udc80" <= char <= "\udcff" for char in value)
            self._refuse("bad_utf8" if escaped else "lone_surrogate", name)
        elif value is not None:
            self._refuse("type_clash", name)
        return None

    def prose(self, name: str) -> str | None:
        value = self.pairs.get(name)
        if isinstance(value, str):
            return mend_text(value)
        return self.text(name)

    def flag(self, name: str) -> bool | None:
        value = self.pairs.get(name)
        if value is None or isinstance(value, bool):
            return value
        self._refuse("type_clash", name)
        return None

    def count(self, name: str) -> int | None:
        value = self.pairs.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._refuse("type_clash", name)
        elif value == float("inf") or not 0 <= value <= MAX_COUNT:
            self._refuse("out_of_range", name)
        elif isinstance(value, float):
            self._refuse("type_clash", name)
        else:
            return value
        return None

    def object(self, name: str) -> Object | None:
        value = self.pairs.get(name)
        if value is None or isinstance(value, dict):
            return value
        self._refuse("type_clash", name)
        return None

    def below(self, name: str, pairs: Object) -> _Taker:
        return _Taker(pairs, f"{self.where}{name}.", self.refusals)


def _raw(value: Any) -> Raw:
    """A value as JSON again; an integer too long to hold stands as null."""
    try:
        return Raw(json.dumps(value, allow_nan=False).encode("ascii"))
    except ValueError:
        return Raw(b"null")


def _block(taker: _Taker) -> Block:
    return Block(
        type=taker.text("type"),
        text=taker.prose("text"),
        id=taker.text("id"),
        name=taker.text("name"),
        tool_use_id=taker.text("tool_use_id"),
        is_error=taker.flag("is_error"),
        input=_raw(taker.pairs["input"]) if "input" in taker.pairs else Raw(),
        content=_raw(taker.pairs["content"]) if "content" in taker.pairs else Raw(),
    )


def _content(taker: _Taker) -> str | list[Block] | None:
    value = taker.pairs.get("content")
    if value is None or isinstance(value, str):
        return None if value is None else mend_text(value)
    if not isinstance(value, list):
        taker.refusals.append(("type_clash", f"{taker.where}content"))
        return None
    blocks: list[Block] = []
    for i, item in enumerate(value):
        if isinstance(item, dict):
            blocks.append(_block(taker.below(f"content[{i}]", item)))
        else:
            taker.refusals.append(("type_clash", f"{taker.where}content[{i}]"))
            blocks.append(Block())
    return blocks


def _usage(taker: _Taker) -> Usage | None:
    pairs = taker.object("usage")
    if pairs is None:
        return None
    inner = taker.below("usage", pairs)
    return Usage(
        input_tokens=inner.count("input_tokens"),
        output_tokens=inner.count("output_tokens"),
        cache_creation_input_tokens=inner.count("cache_creation_input_tokens"),
        cache_read_input_tokens=inner.count("cache_read_input_tokens"),
    )


def _message(taker: _Taker) -> Message:
    return Message(
        id=taker.text("id"),
        model=taker.text("model"),
        stop_reason=taker.text("stop_reason"),
        content=_content(taker),
        usage=_usage(taker),
    )


_TOLD_WHEN_REPEATED = frozenset({"cwd", "sessionId"})
"""The fields that place a line; for others the typed pass cannot say, so nobody does."""

FLAGS = frozenset({"isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"})
"""Fields that say of a line of type user that no person wrote it."""

_SETTERS: dict[str, Callable[[_Taker, str], Any]] = dict.fromkeys(FLAGS, _Taker.flag)
_RAW_FIELDS = frozenset({"toolUseResult", "origin"})


def record_from(pairs: Object, *, repeated: frozenset[str] = frozenset()) -> tuple[Record, list[Refusal]]:
    """The record that the pairs make, and which fields were refused, each with the class of its damage.

    `repeated` names keys that stand in the object more than once; the value given is the last one.
    """
    refusals: list[Refusal] = [("duplicate_key", name) for name in sorted(repeated & _TOLD_WHEN_REPEATED)]
    taker = _Taker(pairs, "", refusals)
    record = Record()
    for attribute, name in zip(Record.__struct_fields__, Record.__struct_encode_fields__, strict=True):
        if name not in pairs:
            continue
        if name == "message":
            inner = taker.object(name)
            record.message = None if inner is None else _message(taker.below(name, inner))
        elif name in _RAW_FIELDS:
            setattr(record, attribute, _raw(pairs[name]))
        else:
            setattr(record, attribute, _SETTERS.get(name, _Taker.text)(taker, name))
    return record, refusals


def looks_like_record(pairs: Object) -> bool:
    """Whether an object found inside a damaged line has the shape of one of the agent's own records."""
    if not isinstance(pairs.get("type"), str):
        return False
    return isinstance(pairs.get("sessionId"), str) or ("uuid" in pairs and "parentUuid" in pairs)
