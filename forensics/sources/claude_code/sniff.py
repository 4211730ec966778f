"""Whether a `.jsonl` file is a Claude Code transcript, decided by its first records."""

from __future__ import annotations

import msgspec

from forensics.sources.claude_code.place import Place, is_session_name

SNIFF_BYTES = 1 << 18
_SNIFF_LINES = 64

_TYPES = """
user assistant system attachment progress summary custom-title ai-title agent-name last-prompt tag mode
permission-mode queue-operation file-history-snapshot file-history-delta relocated worktree-state
bridge-session continued-in session-owner agent-setting pr-link api-request api-request-blob
api-request-shape atis-latch cost-state tools-used
"""
RECORD_TYPES = frozenset(_TYPES.split())
"""Record types met so far; a newer type still counts when it carries a session id."""


class _Head(msgspec.Struct, gc=False):
    type: object = None
    session_id: object = msgspec.field(default=None, name="sessionId")
    uuid: object = None
    leaf_uuid: object = msgspec.field(default=None, name="leafUuid")
    message_id: object = msgspec.field(default=None, name="messageId")

    def is_record(self) -> bool:
        if not isinstance(self.type, str):
            return False
        if isinstance(self.session_id, str) and is_session_name(self.session_id):
            return True
        ids = (self.session_id, self.uuid, self.leaf_uuid, self.message_id)
        return self.type in RECORD_TYPES and any(isinstance(value, str) for value in ids)


_decode = msgspec.json.Decoder(_Head).decode


def is_transcript(head: bytes, *, place: Place) -> bool:
    """Whether the first bytes of a file are the agent's records.

    One record of the agent's shape settles it; objects of another shape alone settle the contrary. A head
    without any whole object (empty, or damaged throughout) leaves the place to decide.
    """
    others = 0
    for line in head.split(b"\n")[:_SNIFF_LINES]:
        start = line.find(b"{")
        if start < 0:
            continue
        try:
            record = _decode(line[start:].rstrip(b"\0"))
        except (msgspec.DecodeError, RecursionError):
            continue
        if record.is_record():
            return True
        others += 1
    if others:
        return False
    by_name = place.role == "subagent" or is_session_name(place.session_id or "")
    return by_name and place.role in {"main", "subagent"}
