"""What a message holds: counts, tool calls and results, and the prose a case keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from forensics.sources.claude_code.prompts import prompt_class
from forensics.sources.claude_code.record import Block, Record

NO_CONTENT: tuple[Any, ...] = (None, None, None, None, None, None)
_ANSWERS_BYTES = 1 << 16


class _ToolInput(msgspec.Struct, gc=False):
    file_path: object = None
    notebook_path: object = None


class _Question(msgspec.Struct, gc=False):
    question: str = ""


class _Questions(msgspec.Struct, gc=False):
    questions: list[_Question] = []


class _Answers(msgspec.Struct, gc=False):
    answers: dict[str, str] = {}


_decode_input = msgspec.json.Decoder(_ToolInput).decode
_decode_questions = msgspec.json.Decoder(_Questions).decode
_decode_answers = msgspec.json.Decoder(_Answers).decode
_decode_any = msgspec.json.Decoder().decode
_REFUSED = (msgspec.DecodeError, RecursionError)


@dataclass(slots=True)
class ContentRows:
    """The content of one message; `counts` are the content columns of lines in order."""

    counts: tuple[Any, ...] = NO_CONTENT
    calls: list[tuple[int, tuple[str | None, str | None, str | None]]] = field(default_factory=list)
    results: list[tuple[int, tuple[str | None, bool | None]]] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)


def _path_in(block: Block) -> str | None:
    if b"_path" not in bytes(block.input):
        return None
    try:
        found = _decode_input(block.input)
    except _REFUSED:
        return None
    value = found.file_path if isinstance(found.file_path, str) else found.notebook_path
    return value if isinstance(value, str) else None


def _questions_in(block: Block) -> list[str]:
    try:
        return [item.question for item in _decode_questions(block.input).questions if item.question]
    except _REFUSED:
        return []


def _answers_in(record: Record) -> list[str]:
    raw = record.tool_use_result
    data = bytes(raw) if len(memoryview(raw)) <= _ANSWERS_BYTES else b""
    if b'"answers"' not in data or b'"questions"' not in data:
        return []
    try:
        return list(_decode_answers(data).answers.values())
    except _REFUSED:
        return []


def _plain_text(block: Block) -> str:
    """The text of a tool result, whichever of its two shapes it has."""
    try:
        value = _decode_any(block.content)
    except _REFUSED:
        return ""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    return "\n".join(p["text"] for p in parts if isinstance(p, dict) and isinstance(p.get("text"), str))


def _read_blocks(blocks: list[Block], rows: ContentRows) -> tuple[list[str], bool]:
    """Texts of the message, and whether an image is in it; calls and results go into the rows."""
    texts: list[str] = []
    has_image = False
    for block_no, block in enumerate(blocks):
        kind = block.type
        if kind == "text":
            texts.append(block.text or "")
        elif kind == "tool_use":
            rows.calls.append((block_no, (block.id, block.name, _path_in(block))))
            if block.name == "AskUserQuestion":
                rows.texts += [("question", text) for text in _questions_in(block)]
        elif kind == "tool_result":
            rows.results.append((block_no, (block.tool_use_id, block.is_error)))
            if block.is_error and (text := _plain_text(block)):
                rows.texts.append(("tool_error", text))
        elif kind == "image":
            has_image = True
    return texts, has_image


def read_content(record: Record) -> ContentRows:
    """The rows of one record's message; a plain string counts as one text block."""
    rows = ContentRows()
    content = record.message.content if record.message is not None else None
    has_image = False
    if isinstance(content, str):
        texts = [content]
    elif content is None:
        texts = []
    else:
        texts, has_image = _read_blocks(content, rows)
    is_human, why = None, None
    if record.type == "user":
        why = prompt_class(record, texts=texts, has_tool_result=bool(rows.results), has_image=has_image)
        is_human = why == "human"
        if why in {"human", "compact_summary", "command"}:
            rows.texts += [(why, text) for text in texts if text]
        if rows.results:
            rows.texts += [("answer", text) for text in _answers_in(record)]
    chars = sum(map(len, texts))
    rows.counts = (is_human, why, len(texts), len(rows.calls), len(rows.results), chars)
    return rows
