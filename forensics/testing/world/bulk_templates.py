"""Lines of large transcripts with slots for what differs, in the field order of recent versions."""

from __future__ import annotations

from dataclasses import dataclass

from .eras import era_of
from .lines import encode_record

_SLOT = "\x00"
_HEAD = f'{{"parentUuid":"{_SLOT}","isSidechain":false,'
_STAMP = f'"uuid":"{_SLOT}","timestamp":"{_SLOT}",@PLACE}}'
_USAGE = (
    f'"usage":{{"input_tokens":{_SLOT},"cache_creation_input_tokens":{_SLOT},'
    f'"cache_read_input_tokens":{_SLOT},"output_tokens":{_SLOT},"service_tier":"standard"}}'
)


@dataclass(frozen=True, slots=True)
class Templates:
    """A template a kind of line; slots are filled with `%` in the order of the line."""

    prompt: bytes
    thinking: bytes
    text: bytes
    call: bytes
    result: bytes
    boundary: bytes
    summary: bytes
    last_prompt: bytes


def make_templates(*, cwd: str, session_id: str, version: str) -> Templates:
    """The templates of one session."""
    place = encode_record({"cwd": cwd, "sessionId": session_id, "version": version})[1:-1].decode()
    place = f'"userType":"external","entrypoint":"cli",{place},"gitBranch":"main"'
    model = era_of(version).model

    def finish(line: str) -> bytes:
        return line.replace("@PLACE", place).replace("%", "%%").replace(_SLOT, "%b").encode() + b"\n"

    def answer(block: str) -> bytes:
        return finish(
            f'{_HEAD}"message":{{"model":"{model}","id":"{_SLOT}","type":"message","role":"assistant",'
            f'"content":[{block}],"stop_reason":null,"stop_sequence":null,{_USAGE}}},"requestId":"{_SLOT}",'
            f'"type":"assistant",{_STAMP}'
        )

    return Templates(
        prompt=finish(
            f'{_HEAD}"promptId":"{_SLOT}","type":"user",'
            f'"message":{{"role":"user","content":"{_SLOT}"}},{_STAMP}'
        ),
        thinking=answer(f'{{"type":"thinking","thinking":"{_SLOT}","signature":"{_SLOT}"}}'),
        text=answer(f'{{"type":"text","text":"{_SLOT}"}}'),
        call=answer(
            f'{{"type":"tool_use","id":"{_SLOT}","name":"Bash",'
            f'"input":{{"command":"grep -rn keep src","description":"{_SLOT}"}}}}'
        ),
        result=finish(
            f'{_HEAD}"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{_SLOT}",'
            f'"type":"tool_result","content":"{_SLOT}","is_error":false}}]}},'
            f'"toolUseResult":{{"stdout":"{_SLOT}","stderr":"","interrupted":false}},{_STAMP}'
        ),
        boundary=finish(
            f'{{"parentUuid":null,"logicalParentUuid":"{_SLOT}","isSidechain":false,"type":"system",'
            f'"subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info",'
            f'"compactMetadata":{{"trigger":"auto","preTokens":{_SLOT}}},{_STAMP}'
        ),
        summary=finish(
            f'{_HEAD}"type":"user","message":{{"role":"user","content":"This session is being continued '
            f'from a previous conversation that ran out of context. {_SLOT}"}},'
            f'"isVisibleInTranscriptOnly":true,"isCompactSummary":true,{_STAMP}'
        ),
        last_prompt=finish(f'{{"type":"last-prompt","lastPrompt":"{_SLOT}","sessionId":"{session_id}"}}'),
    )
