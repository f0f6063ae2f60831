"""Runs the service: one process, one socket, an address that the command line finds, an orderly end."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable

import uvicorn

from contracts.errors import ConfigError
from contracts.settings import Settings
from serve.client import announce, withdraw
from serve.http.access import check_exposure
from serve.http.app import create_app
from serve.http.state import Evaluator
from serve.jobs import Ingestor
from serve.keys import KeyStore
from serve.services import Services
from serve.telemetry import export_spans

log = logging.getLogger("allrows.server")
GRACE_S = 35
"""Longer than one question with a slow language model (30 s by default) needs to end."""


def serve(
    services: Services, ingestor: Ingestor, evaluator: Evaluator, ready: Callable[[str], None] = lambda url: None
) -> None:
    """Serves until a signal comes; then running questions end, and unfinished uploads go on at the next start.

    Args:
        ready: called with the address once connections are taken.

    Raises:
        ConfigError: the address cannot be listened on, or is not loopback and there are no keys.
    """
    settings = services.settings
    app = create_app(services, ingestor, evaluator)
    if settings.otel_endpoint:
        app.state.allrows.after_answer.append(export_spans(settings.otel_endpoint))
    listener = _listen(settings)
    url = _url(settings, listener)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # the envelope logs each request, with its id
        timeout_graceful_shutdown=GRACE_S,
        timeout_keep_alive=30,
        server_header=False,
    )
    announce(settings, url, app.state.allrows.local_key)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)  # uvicorn raises the signal again once it has shut down in order
    try:
        ready(url)
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        withdraw(settings)
        listener.close()


def check_before_opening(settings: Settings) -> None:
    """What can be refused before the index and the models are loaded.

    Raises:
        ConfigError: see `serve`.
    """
    check_exposure(settings, KeyStore(settings.data_dir / "keys.json"))


def _leave(_number: int, _frame: object) -> None:
    """Ends by an exception, so that the index is closed and the address withdrawn."""
    raise SystemExit(0)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host.strip("[]"), settings.port))
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"{settings.host}:{settings.port} cannot be listened on: {error.strerror or error}.",
            "Choose another port: allrows serve --port 8001",
        ) from None
    listener.set_inheritable(True)
    return listener


def _url(settings: Settings, listener: socket.socket) -> str:
    """Where this machine reaches the server, also when it listens on every address."""
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)
    host = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{host}:{listener.getsockname()[1]}"
