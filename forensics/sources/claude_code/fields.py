"""The columns of lines that are fields of a record, its message and its usage block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from forensics.sources.claude_code.record import Message, Record, Usage

_NO_MESSAGE = Message()
_NO_USAGE = Usage()


def record_columns(records: Sequence[Record]) -> dict[str, list[Any]]:
    """The columns of lines that are fields of the record, its message and its usage block.

    One comprehension a column: turning rows into columns at once costs several times as much.
    """
    messages = [record.message or _NO_MESSAGE for record in records]
    usages = [message.usage or _NO_USAGE for message in messages]
    return {
        "type": [record.type for record in records],
        "subtype": [record.subtype for record in records],
        "uuid": [record.uuid for record in records],
        "parent_uuid": [record.parent_uuid for record in records],
        "logical_parent_uuid": [record.logical_parent_uuid for record in records],
        "session_id": [record.session_id for record in records],
        "agent_id": [record.agent_id for record in records],
        "cwd": [record.cwd for record in records],
        "git_branch": [record.git_branch for record in records],
        "agent_version": [record.version for record in records],
        "entrypoint": [record.entrypoint for record in records],
        "is_sidechain": [record.is_sidechain for record in records],
        "is_meta": [record.is_meta for record in records],
        "is_compact_summary": [record.is_compact_summary for record in records],
        "is_transcript_only": [record.is_transcript_only for record in records],
        "request_id": [record.request_id for record in records],
        "message_id": [message.id for message in messages],
        "model": [message.model for message in messages],
        "stop_reason": [message.stop_reason for message in messages],
        "input_tokens": [usage.input_tokens for usage in usages],
        "output_tokens": [usage.output_tokens for usage in usages],
        "cache_creation_tokens": [usage.cache_creation_input_tokens for usage in usages],
        "cache_read_tokens": [usage.cache_read_input_tokens for usage in usages],
    }


FIELDS = tuple(record_columns(()))
"""Their names, in writing order."""
