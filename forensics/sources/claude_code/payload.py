"""The fields of rare records that marks are made of; everything else of them is skipped unread."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from forensics.sources.claude_code.marks import PAYLOAD_FIELDS
from forensics.sources.damage import parse_value

_TREE_BYTES = 1 << 20
"""Objects larger than this are no payload of the agent; texts may be."""

_NAMES = tuple(sorted(PAYLOAD_FIELDS))
_Payload = msgspec.defstruct(
    "Payload", [(f"f{i}", Raw, msgspec.field(default=Raw(), name=name)) for i, name in enumerate(_NAMES)]
)
_decode = msgspec.json.Decoder(_Payload).decode
_decode_any = msgspec.json.Decoder().decode


def _value(raw: Raw) -> Any:
    view = memoryview(raw)
    if len(view) > _TREE_BYTES and bytes(view[:1]) != b'"':
        return None
    try:
        return _decode_any(raw)
    except msgspec.DecodeError:
        return parse_value(bytes(view))


def read_payload(data: memoryview | bytes) -> dict[str, Any]:
    """The payload fields that a line holds, which a typed pass has found to be one valid object."""
    payload = _decode(data)
    raws = ((name, getattr(payload, f"f{i}")) for i, name in enumerate(_NAMES))
    return {name: _value(raw) for name, raw in raws if len(memoryview(raw))}
