"""The fields of a record that a case keeps, as typed structures; everything else is skipped unread."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct, field

MAX_COUNT = 2**53
"""The largest count accepted: beyond it other readers lose digits."""

Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
Text = str | None
Flag = bool | None


# Fields stand in the order in which the agent writes them: the next one is looked for behind the last.


NO_RAW = Raw()
"""Stands for a field that is not there."""


class Usage(Struct, gc=False):
    """Token counts of an answer; repeated in every record of one message id."""

    input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    output_tokens: Count | None = None


class Block(Struct, gc=False):
    """One block of a message's content."""

    tool_use_id: Text = None
    type: Text = None
    text: Text = None
    id: Text = None
    name: Text = None
    input: Raw = NO_RAW
    content: Raw = NO_RAW
    is_error: Flag = None


class Message(Struct, gc=False):
    """The API message inside a record."""

    model: Text = None
    id: Text = None
    content: str | list[Block] | None = None
    stop_reason: Text = None
    usage: Usage | None = None


class Record(Struct, gc=False):
    """A record's own fields, as every type of record may have them."""

    parent_uuid: Text = field(default=None, name="parentUuid")
    logical_parent_uuid: Text = field(default=None, name="logicalParentUuid")
    is_sidechain: Flag = field(default=None, name="isSidechain")
    agent_id: Text = field(default=None, name="agentId")
    cwd: Text = None
    session_id: Text = field(default=None, name="sessionId")
    version: Text = None
    git_branch: Text = field(default=None, name="gitBranch")
    type: Text = None
    subtype: Text = None
    message: Message | None = None
    request_id: Text = field(default=None, name="requestId")
    is_meta: Flag = field(default=None, name="isMeta")
    is_transcript_only: Flag = field(default=None, name="isVisibleInTranscriptOnly")
    is_compact_summary: Flag = field(default=None, name="isCompactSummary")
    uuid: Text = None
    timestamp: Text = None
    tool_use_result: Raw = field(default=NO_RAW, name="toolUseResult")
    origin: Raw = NO_RAW
    entrypoint: Text = None


EMPTY = Record()
"""Stands for a line without a record; never changed."""

_decoder = msgspec.json.Decoder(Record)

decode_record = _decoder.decode
decode_records = _decoder.decode_lines
"""Records one after another; whether each stands on a line of its own is for the caller to know."""
