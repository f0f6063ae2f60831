"""What goes wrong on the way to a Qdrant server, in our words, and what of it may be tried again."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import grpc
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from contracts.errors import AllrowsError, ConfigError, IndexError_, IndexMismatch, StoreUnavailable

T = TypeVar("T")
UP = "Is the Qdrant server up, and its URL right (ALLROWS_QDRANT_URL, --target)?"
FIX = "`allrows doctor --fix` creates missing payload indexes."


class StoreBusy(StoreUnavailable):
    """The server asks for patience: `retry_after` seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message, f"Try again in {retry_after:g} s.")
        self.retry_after = retry_after


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Every error of the client becomes one of ours; `where` names the server."""
    try:
        yield
    except ResourceExhaustedResponse as error:
        raise StoreBusy(f"{where}: too many requests.", float(error.retry_after_s)) from error
    except UnexpectedResponse as error:
        raise _from_status(where, error.status_code or 0, _said(error.content)) from error
    except ResponseHandlingException as error:
        raise StoreUnavailable(f"{where} cannot be reached: {error.source}.", UP) from error
    except json.JSONDecodeError as error:
        raise StoreUnavailable(f"{where} answers something that is no JSON.", "Is this a Qdrant server?") from error
    except grpc.RpcError as error:
        raise _from_grpc(where, error) from error
    except (ApiException, QdrantException) as error:
        raise StoreUnavailable(f"{where}: {error}.", "Is this a Qdrant server?") from error


def _said(content: bytes) -> str:
    """The sentence inside a server's answer, else the answer itself (a proxy's page)."""
    text = content.decode("utf-8", "replace")
    try:
        return str(json.loads(text)["status"]["error"])
    except (ValueError, KeyError, TypeError):
        return text


def _from_status(where: str, status: int, text: str) -> AllrowsError:
    if status in (401, 403):
        return ConfigError(f"{where} refuses the key (HTTP {status}).", "Set ALLROWS_QDRANT_API_KEY.")
    if status == 404:
        return IndexError_(f"{where}: not there: {_short(text)}.", "`allrows doctor` shows what is.")
    if "Index required but not found" in text:
        return IndexMismatch(f"{where}: {_short(text)}.", FIX)
    if status == 429:
        return StoreBusy(f"{where}: too many requests.", 1.0)
    if status >= 500 or status == 408:
        return StoreUnavailable(f"{where} answers HTTP {status}: {_short(text)}.", "See the server's log.")
    return IndexError_(f"{where} refuses the request (HTTP {status}): {_short(text)}.", "`allrows doctor` checks it.")


_GRPC_STATUS = {
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
}


def _from_grpc(where: str, error: grpc.RpcError) -> AllrowsError:
    code = error.code() if hasattr(error, "code") else None
    text = error.details() if hasattr(error, "details") else str(error)
    return _from_status(where, _GRPC_STATUS.get(code, 503), str(text))


def _short(text: str) -> str:
    return " ".join(text.split())[:300]


def retrying(
    call: Callable[[], T],
    budget_s: float,
    attempts: int = 5,
    sleep: Callable[[float], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
    jitter: Callable[[], float] = random.random,
) -> T:
    """The result of `call`, tried again after passing faults while `budget_s` seconds last.

    Only for calls whose repetition changes nothing: reads, and writes with given ids. Waits grow from
    0.1 s by doubling, with full jitter in their upper half; a server's Retry-After is kept to.
    """
    end = clock() + budget_s
    for attempt in range(1, attempts + 1):
        try:
            return call()
        except StoreUnavailable as error:
            asked = error.retry_after if isinstance(error, StoreBusy) else 0.0
            wait = max(asked, 0.1 * 2 ** (attempt - 1) * (0.5 + jitter() / 2))
            if attempt == attempts or clock() + wait > end:
                raise
        (sleep or time.sleep)(wait)
    raise AssertionError("the last attempt returns or raises")
