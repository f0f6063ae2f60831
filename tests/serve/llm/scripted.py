"""An OpenAI-compatible server that says what a test tells it to: good JSON, garbage, half an answer, nothing at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any]], Any]
"""Request body to the reply: a str (content), an int (HTTP status), "STALL" or ("CUT", text)."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        reply = self.server.script(body)
        if isinstance(reply, int):
            self.send_response(reply)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        if reply == "STALL":
            self.server.released.wait(20)
        elif isinstance(reply, tuple):
            self._event(reply[1], None)
        else:
            for at in range(0, len(reply), 7):
                self._event(reply[at : at + 7], None)
            self._event("", "stop")
            self._usage()
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _event(self, content: str, finish: str | None) -> None:
        choice = {"index": 0, "delta": {"content": content}, "finish_reason": finish}
        self._send({"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]})

    def _usage(self) -> None:
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []}
        self._send(head | {"usage": usage})

    def _send(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def scripted(script: Script) -> Iterator[ThreadingHTTPServer]:
    """The running server; its base URL is `server.url`, what it was asked `server.requests`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.script, server.requests, server.released = script, [], threading.Event()
    server.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
