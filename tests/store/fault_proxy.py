"""A TCP proxy that does to requests what networks and overloaded servers do.

The client opens one connection for each request to a local server, so faults are given per request, in
order; when none is left, requests pass.
"""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections import deque
from collections.abc import Iterable

PASS, CUT_REQUEST, CUT_RESPONSE, SLOW, ERROR, BUSY = "pass", "cut-request", "cut-response", "slow", "error", "busy"
CANNED = {
    ERROR: b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\nConnection: close\r\n\r\noops",
    BUSY: b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
}
SLOWNESS_S = 3.0


class FaultProxy:
    """`with FaultProxy(port) as proxy: proxy.url; proxy.plan(ERROR, PASS, CUT_REQUEST)`"""

    def __init__(self, target_port: int) -> None:
        self._target = ("127.0.0.1", target_port)
        self._faults: deque[str] = deque()
        self.seen: list[str] = []
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                outer._serve(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def plan(self, *faults: str) -> None:
        self._faults.extend(faults)

    def plan_all(self, faults: Iterable[str]) -> None:
        self._faults.extend(faults)

    def calm(self) -> None:
        self._faults.clear()

    def __enter__(self) -> FaultProxy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, client: socket.socket) -> None:
        fault = self._faults.popleft() if self._faults else PASS
        self.seen.append(fault)
        request = _message(client)
        if fault in CANNED:
            client.sendall(CANNED[fault])
            return
        if fault == SLOW:
            time.sleep(SLOWNESS_S)
        with socket.create_connection(self._target) as upstream:
            if fault == CUT_REQUEST:
                upstream.sendall(request[: len(request) // 2])
                return
            upstream.sendall(request)
            response = _message(upstream)
            try:
                client.sendall(response[: len(response) // 2] if fault == CUT_RESPONSE else response)
            except OSError:  # the client has given up waiting
                return


def _message(sock: socket.socket) -> bytes:
    """One HTTP message with a Content-Length, or none for a head alone."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = sock.recv(65536)
        if not more:
            return data
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")]
    while len(body) < (lengths[0] if lengths else 0):
        more = sock.recv(65536)
        if not more:
            break
        body += more
    return head + b"\r\n\r\n" + body
