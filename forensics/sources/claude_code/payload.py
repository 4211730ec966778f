"""The fields of rare records that marks are made of; everything else of them is skipped unread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Raw

from forensics.sources.claude_code.marks import PAYLOAD_FIELDS
from forensics.sources.claude_code.record import NO_RAW
from forensics.sources.damage import parse_value

_TREE_BYTES = 1 << 20
"""Objects larger than this are no payload of the agent; texts may be."""


def _decoder(names: tuple[str, ...]) -> Callable[[memoryview | bytes], Any]:
    fields = [(f"f{i}", Raw, msgspec.field(default=NO_RAW, name=name)) for i, name in enumerate(names)]
    return msgspec.json.Decoder(msgspec.defstruct("Payload", fields)).decode


_DECODERS = {kind: _decoder(names) for kind, names in PAYLOAD_FIELDS.items()}
_decode_any = msgspec.json.Decoder().decode


def _value(raw: Raw) -> Any:
    try:
        return _decode_any(raw)
    except msgspec.DecodeError:
        return parse_value(bytes(raw))


def _is_large_tree(raw: Raw) -> bool:
    view = memoryview(raw)
    return len(view) > _TREE_BYTES and bytes(view[:1]) != b'"'


def read_payload(kind: str, data: memoryview | bytes) -> dict[str, Any]:
    """The payload fields of a line of a rare type, which a typed pass has found to be one valid object."""
    raws: Iterable[tuple[str, Any]] = zip(
        PAYLOAD_FIELDS[kind], msgspec.structs.astuple(_DECODERS[kind](data)), strict=True
    )
    if len(data) > _TREE_BYTES:
        raws = ((name, raw) for name, raw in raws if not _is_large_tree(raw))
    return {name: _value(raw) for name, raw in raws if raw is not NO_RAW}
