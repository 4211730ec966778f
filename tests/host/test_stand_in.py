"""The stand-in answers as the agent programs expect, on this machine only."""

from __future__ import annotations

import json
import urllib.request

from forensics.host.stand_in import ANSWER, serve_stand_in


def post(url: str, body: object) -> tuple[str, bytes]:
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.headers["Content-Type"], response.read()


def test_a_streamed_message_is_a_complete_series_of_events() -> None:
    with serve_stand_in() as stand_in:
        kind, body = post(f"{stand_in.url}/v1/messages?beta=true", {"model": "m-1", "stream": True})
    assert kind == "text/event-stream"
    blocks = body.decode().strip().split("\n\n")
    events = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
    data = [json.loads(event["data"]) for event in events]
    assert [event["event"] for event in events] == [record["type"] for record in data]
    assert [record["type"] for record in data] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert data[0]["message"]["model"] == "m-1"
    assert data[2]["delta"]["text"] == ANSWER
    assert data[4]["delta"]["stop_reason"] == "end_turn"


def test_a_message_without_a_stream_is_one_object() -> None:
    with serve_stand_in() as stand_in:
        kind, body = post(f"{stand_in.url}/v1/messages", {"model": "m-2"})
    message = json.loads(body)
    assert kind == "application/json"
    assert message["content"] == [{"type": "text", "text": ANSWER}]
    assert message["model"] == "m-2"


def test_other_requests_get_an_empty_object_and_are_noted() -> None:
    with serve_stand_in() as stand_in:
        assert post(f"{stand_in.url}/v1/messages/count_tokens", {})[1] == b'{"input_tokens":1}'
        assert post(f"{stand_in.url}/api/anything", [1])[1] == b"{}"
        with urllib.request.urlopen(f"{stand_in.url}/hello", timeout=10) as response:
            assert response.read() == b"{}"
    assert stand_in.requests == ["POST /v1/messages/count_tokens", "POST /api/anything", "GET /hello"]


def test_a_body_that_is_not_json_does_not_stop_it() -> None:
    with serve_stand_in() as stand_in:
        request = urllib.request.Request(f"{stand_in.url}/v1/messages", data=b"\xff{", method="POST")
        with urllib.request.urlopen(request, timeout=10) as response:
            assert response.status == 200
        assert post(f"{stand_in.url}/v1/messages", {})[0] == "application/json"


def test_it_listens_on_the_loopback_alone() -> None:
    with serve_stand_in() as stand_in:
        assert stand_in.url.startswith("http://127.0.0.1:")
