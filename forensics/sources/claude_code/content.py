"""What a message holds: counts, tool calls and results, and the prose a case keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from forensics.sources.claude_code.careful import mend_text
from forensics.sources.claude_code.prompts import prompt_class
from forensics.sources.claude_code.record import Block, Record

Row = tuple[Any, ...]

NO_CONTENT: Row = (None, None, None, None, None, None)
"""The content columns of a line without a message."""
_NO_BLOCK: Row = (None, None, 0, 0, 0, 0)
_ONE_CALL: Row = (None, None, 0, 1, 0, 0)
_ONE_RESULT: Row = (False, "tool_result", 0, 0, 1, 0)

_TEXT = ("line_no", "part", "kind", "ord", "text")
_CALL = ("line_no", "part", "block_no", "tool_use_id", "tool_name", "file_path", "cwd")
_RESULT = ("line_no", "part", "block_no", "tool_use_id", "is_error")
_KEPT = {"human": "human", "compact_summary": "compact_summary", "command": "command"}
_WITHOUT_A_SIGN = frozenset({"human", "empty", "image"})
"""What a line of type user is called when nothing in it says otherwise."""

_ANSWER_STARTS = (b'{"questions":', b'{"answers":')
_ANSWER_START_BYTES = max(map(len, _ANSWER_STARTS))


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


class ContentRows:
    """Gathers the rows that messages give: tool calls, tool results, and prose when it is wanted."""

    def __init__(self, *, with_text: bool = True) -> None:
        self._with_text = with_text
        self.calls: list[Row] = []
        self.results: list[Row] = []
        self.texts: list[Row] = []

    def tables(self) -> Iterator[tuple[str, Sequence[str], list[Row]]]:
        """Name, columns and rows of each table."""
        yield "tool_calls", _CALL, self.calls
        yield "tool_results", _RESULT, self.results
        if self._with_text:
            yield "text", _TEXT, self.texts

    def add_texts(self, line_no: int, part: int, kind: str, texts: Sequence[str], *, first: int = 0) -> None:
        """Add prose of one kind, in order."""
        if self._with_text:
            for order, text in enumerate(texts, first):
                self.texts.append((line_no, part, kind, order, mend_text(text)))

    def add_run(
        self, records: Sequence[Record], line_no: int, without_message: Callable[[int], None]
    ) -> list[Row]:
        """Add the rows of whole records of consecutive lines, and return the content columns of each.

        The places of those without a message are handed on when their turn comes.

        Most messages hold one block of an answer, or one result without an error: in these nothing needs to
        be weighed, and they are settled here.
        """
        counts: list[Row] = []
        for number, record in enumerate(records, line_no):
            message = record.message
            if message is None and record.type != "user":
                counts.append(NO_CONTENT)
                without_message(number - line_no)
                continue
            content = None if message is None else message.content
            if type(content) is list and len(content) == 1:
                block = content[0]
                kind = block.type
                if record.type == "assistant":
                    if kind == "text":
                        counts.append((None, None, 1, 0, 0, len(block.text or "")))
                        continue
                    if kind == "tool_use":
                        self._add_call(record, block, number, 0, 0)
                        counts.append(_ONE_CALL)
                        continue
                    if kind == "thinking":
                        counts.append(_NO_BLOCK)
                        continue
                elif kind == "tool_result" and record.type == "user" and not block.is_error:
                    self.results.append((number, 0, 0, block.tool_use_id, block.is_error))
                    if self._with_text and (answers := _answers_in(record)):
                        self.add_texts(number, 0, "answer", answers)
                    counts.append(_ONE_RESULT)
                    continue
            counts.append(self.add(record, number, 0))
        return counts

    def add(self, record: Record, line_no: int, part: int, *, is_certain: bool = True) -> Row:
        """Add the rows of one record's message, and return its content columns.

        A record without a message has none, unless its type says that a person may have written it.
        A plain string counts as one text block. Of a record that is not `is_certain`, as some of its fields
        are lost, nobody can say whether a person wrote it.
        """
        if record.message is None and record.type != "user":
            return NO_CONTENT
        content = record.message.content if record.message is not None else None
        texts: list[str] = []
        n_calls = n_results = 0
        has_image = False
        if isinstance(content, str):
            texts.append(content)
        elif content is not None:
            n_errors = 0
            for block_no, block in enumerate(content):
                kind = block.type
                if kind == "text":
                    texts.append(block.text or "")
                elif kind == "tool_use":
                    n_calls += 1
                    self._add_call(record, block, line_no, part, block_no)
                elif kind == "tool_result":
                    n_results += 1
                    self.results.append((line_no, part, block_no, block.tool_use_id, block.is_error))
                    if block.is_error and self._with_text and (text := _plain_text(block)):
                        self.add_texts(line_no, part, "tool_error", (text,), first=n_errors)
                        n_errors += 1
                elif kind == "image":
                    has_image = True
        chars = sum(map(len, texts))
        if record.type != "user":
            return None, None, len(texts), n_calls, n_results, chars
        why = prompt_class(record, texts=texts, has_tool_result=n_results > 0, has_image=has_image)
        if not is_certain and why in _WITHOUT_A_SIGN:
            return None, "damaged", len(texts), n_calls, n_results, chars
        if self._with_text:
            if why in _KEPT:
                self.add_texts(line_no, part, _KEPT[why], [text for text in texts if text])
            elif n_results and (answers := _answers_in(record)):
                self.add_texts(line_no, part, "answer", answers)
        return why == "human", why, len(texts), n_calls, n_results, chars

    def _add_call(self, record: Record, block: Block, line_no: int, part: int, block_no: int) -> None:
        path = _path_in(block)
        self.calls.append((line_no, part, block_no, block.id, block.name, path, record.cwd))
        if block.name == "AskUserQuestion" and self._with_text:
            n_before = sum(row[:3] == (line_no, part, "question") for row in self.texts[-64:])
            self.add_texts(line_no, part, "question", _questions_in(block), first=n_before)


def _path_in(block: Block) -> str | None:
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
    """What a person answered to the agent's questions; the record begins its result in one of two ways."""
    raw = record.tool_use_result
    if not bytes(memoryview(raw)[:_ANSWER_START_BYTES]).startswith(_ANSWER_STARTS):
        return []
    try:
        return list(_decode_answers(raw).answers.values())
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
