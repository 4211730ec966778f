"""The fields of rare records that marks are made of; everything else of them is skipped unread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from forensics.sources.claude_code.marks import PAYLOAD_FIELDS
from forensics.sources.claude_code.record import NO_RAW
from forensics.sources.damage import parse_value

_TREE_BYTES = 1 << 20
"""Objects larger than this are no payload of the agent; texts may be."""


def _decoder(names: tuple[str, ...], kind: object) -> Callable[[memoryview | bytes], Any]:
    fields = [(name, kind, msgspec.field(default=NO_RAW)) for name in names]
    return msgspec.json.Decoder(msgspec.defstruct("Payload", fields, gc=False)).decode


_DECODERS = {kind: _decoder(names, Any) for kind, names in PAYLOAD_FIELDS.items()}
_RAW_DECODERS = {kind: _decoder(names, Raw) for kind, names in PAYLOAD_FIELDS.items()}
_decode_any = msgspec.json.Decoder().decode
_as_dict = msgspec.structs.asdict


def _value(raw: Raw) -> Any:
    try:
        return _decode_any(raw)
    except msgspec.DecodeError:
        return parse_value(bytes(raw))


def _is_large_tree(raw: Raw) -> bool:
    view = memoryview(raw)
    return len(view) > _TREE_BYTES and bytes(view[:1]) != b'"'


def read_payload(kind: str, data: memoryview | bytes) -> dict[str, Any]:
    """The payload fields of a line of a rare type, which a typed pass has found to be one valid object.

    NO_RAW stands for a field that is not there.
    """
    if len(data) <= _TREE_BYTES:
        try:
            return _as_dict(_DECODERS[kind](data))
        except msgspec.DecodeError:
            pass
    raws = _as_dict(_RAW_DECODERS[kind](data))
    return {name: _value(raw) for name, raw in raws.items() if raw is not NO_RAW and not _is_large_tree(raw)}
