"""What a message holds: counts, calls and results in their places, prose of each kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ingest.evidence import Decoded, answer, decode, say


def told(content: Any, **more: Any) -> Decoded:
    return decode(answer(message={"id": "m", "role": "assistant", "content": content}, **more) + b"\n")


def asked(content: Any, **more: Any) -> Decoded:
    return decode(say(message={"role": "user", "content": content}, **more) + b"\n")


def use(name: str = "Bash", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t1", "name": name, "input": {}} | more


def result(**more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "t1", "content": "out"} | more


def counts(found: Decoded) -> tuple[Any, ...]:
    row = found.lines[0]
    return row["n_text"], row["n_tool_use"], row["n_tool_result"], row["content_chars"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("hello", (1, 0, 0, 5)),
        ("", (1, 0, 0, 0)),
        ("日本😀", (1, 0, 0, 3)),
        (None, (0, 0, 0, 0)),
        ([], (0, 0, 0, 0)),
        ([{"type": "text", "text": "ab"}, {"type": "text", "text": "c"}], (2, 0, 0, 3)),
        ([{"type": "text"}, {"type": "thinking", "thinking": "hm"}], (1, 0, 0, 0)),
        ([use(), use(), {"type": "text", "text": "x"}], (1, 2, 0, 1)),
        ([result(), result()], (0, 0, 2, 0)),
        ([{"type": "brand_new", "text": "x"}, {}], (0, 0, 0, 0)),
    ],
)
def test_blocks_are_counted_by_kind(content: Any, expected: tuple[int, ...]) -> None:
    assert counts(told(content)) == expected


def test_lines_without_a_message_have_no_counts() -> None:
    found = decode(b'{"type":"progress","uuid":"u"}\n')
    assert counts(found) == (None, None, None, None)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"file_path": "/srv/a"}, "/srv/a"),
        ({"notebook_path": "/srv/n.ipynb"}, "/srv/n.ipynb"),
        ({"file_path": "/srv/a", "notebook_path": "/srv/n"}, "/srv/a"),
        ({"file_path": 7, "notebook_path": "/srv/n"}, "/srv/n"),
        ({"path": "/srv/a"}, None),
        ({"nested": {"file_path": "/srv/a"}}, None),
        ({}, None),
        ("text", None),
        (None, None),
        ([{"file_path": "/srv/a"}], None),
    ],
)
def test_a_call_keeps_the_file_it_names(given: Any, path: str | None) -> None:
    found = told([use("Read", input=given)], cwd="/srv/shop")
    assert found.gaps == []
    assert [
        (row["block_no"], row["tool_use_id"], row["tool_name"], row["file_path"], row["cwd"])
        for row in found.tool_calls
    ] == [(0, "t1", "Read", path, "/srv/shop")]


def test_calls_and_results_keep_their_places_among_other_blocks() -> None:
    text = {"type": "text", "text": "x"}
    found = told([text, use(id="a"), text, use(id="b")])
    assert [(row["block_no"], row["tool_use_id"]) for row in found.tool_calls] == [(1, "a"), (3, "b")]
    found = asked([text, result(tool_use_id="a"), result(tool_use_id="b", is_error=True)])
    assert [(row["block_no"], row["tool_use_id"], row["is_error"]) for row in found.tool_results] == [
        (1, "a", None),
        (2, "b", True),
    ]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ("it broke", ["it broke"]),
        ([{"type": "text", "text": "it"}, {"type": "text", "text": "broke"}], ["it\nbroke"]),
        ([{"type": "image"}, {"type": "text", "text": "x"}, 7], ["x"]),
        ("", []),
        ([], []),
        (7, []),
        (None, []),
    ],
)
def test_the_text_of_a_failed_call_is_kept(content: Any, texts: list[str]) -> None:
    found = asked([result(is_error=True, content=content)])
    assert [row["text"] for row in found.text if row["kind"] == "tool_error"] == texts
    found = asked([result(is_error=False, content=content)])
    assert found.text == []


def test_several_failures_on_one_line_are_numbered() -> None:
    found = asked([result(is_error=True, content="one"), result(is_error=True, content="two")])
    assert [(row["kind"], row["ord"], row["text"]) for row in found.text] == [
        ("tool_error", 0, "one"),
        ("tool_error", 1, "two"),
    ]


def test_questions_and_answers_are_kept() -> None:
    questions = {"questions": [{"question": "Which way?", "header": "Way"}, {"question": "How far?"}]}
    found = told([use("AskUserQuestion", input=questions), use("AskUserQuestion", input=questions)])
    assert [(row["kind"], row["ord"], row["text"]) for row in found.text] == [
        ("question", 0, "Which way?"),
        ("question", 1, "How far?"),
        ("question", 2, "Which way?"),
        ("question", 3, "How far?"),
    ]
    answers = {"Which way?": "north", "How far?": "a mile"}
    for shape in (questions | {"answers": answers}, {"answers": answers} | questions):
        found = asked([result()], toolUseResult=shape)
        assert [(row["kind"], row["ord"], row["text"]) for row in found.text] == [
            ("answer", 0, "north"),
            ("answer", 1, "a mile"),
        ]


@pytest.mark.parametrize(
    "given", [{"questions": "which"}, {"questions": [{"question": 7}]}, {"questions": None}, {}, "x"]
)
def test_questions_of_another_shape_are_none(given: Any) -> None:
    found = told([use("AskUserQuestion", input=given)])
    assert (found.text, found.gaps) == ([], [])
    assert len(found.tool_calls) == 1


@pytest.mark.parametrize("given", [{"answers": ["x"]}, {"answers": {"q": 7}}, "answers", ["answers"], None])
def test_answers_of_another_shape_are_none(given: Any) -> None:
    assert asked([result()], toolUseResult=given).text == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("draw it", "human"),
        ("<command-name>/x</command-name>", "command"),
        ("This session is being continued from a previous conversation", "compact_summary"),
        ("<system-reminder>x</system-reminder>", None),
        ("[Request interrupted by user]", None),
        ("<local-command-stdout>x</local-command-stdout>", None),
    ],
)
def test_what_is_said_on_a_user_line_is_kept_by_its_class(words: str, kind: str | None) -> None:
    expected = [] if kind is None else [(kind, 0, words)]
    assert [(row["kind"], row["ord"], row["text"]) for row in asked(words).text] == expected


def test_the_prose_of_answers_is_not_kept() -> None:
    assert told([{"type": "text", "text": "a long answer"}]).text == []


def test_usage_is_taken_as_it_is_recorded() -> None:
    usage = {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 4,
        "service_tier": "standard",
    }
    row = decode(answer(message={"id": "m", "content": [], "usage": usage}) + b"\n").lines[0]
    names = ("input_tokens", "output_tokens", "cache_creation_tokens", "cache_read_tokens")
    assert tuple(row[name] for name in names) == (1, 2, 3, 4)
    row = decode(answer(message={"id": "m", "content": [], "usage": None}) + b"\n").lines[0]
    assert {row[name] for name in names} == {None}
