"""A stand-in for the model's API, so that an agent program can run a whole turn without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

ANSWER = "PONG"
_BODY_MAX = 64 << 20


@dataclass(frozen=True, slots=True)
class StandIn:
    """A running stand-in: its address, and the requests it has met as `METHOD path`."""

    url: str
    requests: list[str] = field(default_factory=list)


@contextmanager
def serve_stand_in() -> Iterator[StandIn]:
    """Return a stand-in that listens on a free port of 127.0.0.1 until the context ends."""
    requests: list[str] = []
    handler = type("_Recording", (_Handler,), {"requests": requests})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield StandIn(f"http://127.0.0.1:{server.server_address[1]}", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests: ClassVar[list[str]]

    def do_HEAD(self) -> None:
        self._answer(b"", "application/json")

    def do_GET(self) -> None:
        self._answer(b"{}", "application/json")

    def do_POST(self) -> None:
        request = self._read_json()
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._answer(b'{"input_tokens":1}', "application/json")
        elif not path.endswith("/messages"):
            self._answer(b"{}", "application/json")
        elif request.get("stream") is True:
            self._answer(_stream(str(request.get("model"))), "text/event-stream")
        else:
            body = {**_message(str(request.get("model"))), "content": [{"type": "text", "text": ANSWER}]}
            self._answer(json.dumps(body).encode(), "application/json")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Nothing is printed: standard error belongs to the rows."""

    def _read_json(self) -> dict[str, Any]:
        size = int(self.headers.get("Content-Length") or 0)
        if size > _BODY_MAX:
            self.close_connection = True
            return {}
        try:
            request = json.loads(self.rfile.read(size) or b"{}")
        except ValueError:
            return {}
        return request if isinstance(request, dict) else {}

    def _answer(self, body: bytes, content_type: str) -> None:
        self.requests.append(f"{self.command} {self.path}")
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("request-id", "req_stand_in")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _message(model: str) -> dict[str, Any]:
    return {
        "id": "msg_stand_in",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _stream(model: str) -> bytes:
    """Return the least stream of events that makes one answer of text."""
    opening = {**_message(model), "stop_reason": None}
    events = (
        {"type": "message_start", "message": opening},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    )
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
