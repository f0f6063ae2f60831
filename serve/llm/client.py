"""The one adapter to any OpenAI-compatible server: OpenAI, vLLM, Ollama, llama.cpp.

`chat.completions` with a JSON schema works on all of them alike. The stream is read so that a server that
stalls or dies in mid-answer is noticed within the time-out, not after it.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from contracts.base import JsonValue, Record
from contracts.errors import Busy, ModelUnavailable
from contracts.settings import Settings
from serve.llm.breaker import Breaker

if TYPE_CHECKING:
    from openai import OpenAI

Waiting = Callable[[], AbstractContextManager[None]]
"""What a call waits in; it may raise `Busy` when too many wait."""
RETRY_AFTER_S = 0.5
"""Doubled for each further try."""
MAX_TOKENS = 700
"""Of one reply: verdicts on 40 candidates or three sentences fit."""


class Usage(Record):
    """Model tokens of one or more calls."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def plus(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )

    def cost(self, settings: Settings) -> float:
        """In the currency of the settings' price table."""
        return (
            self.prompt_tokens * settings.price_per_1k_input + self.completion_tokens * settings.price_per_1k_output
        ) / 1000


class Reply(Record):
    """What came back: `value` is the parsed JSON object, None when the text is not one."""

    text: str
    value: dict[str, JsonValue] | None
    usage: Usage


class LanguageModel:
    """Temperature 0. The time-out bounds one whole call, retries included; a server that keeps failing is left alone
    for a while (`serve.llm.breaker`)."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.openai_model or ""
        self._settings = settings
        self._client: OpenAI | None = None
        self._breaker = Breaker()
        self._waiting: Waiting = nullcontext

    def waiting_in(self, waiting: Waiting) -> LanguageModel:
        """The same model, whose calls wait inside `waiting()`."""
        other = copy.copy(self)
        other._waiting = waiting
        return other

    def rest_s(self) -> float:
        """Seconds for which the server is left alone after failures; 0 when it is not."""
        return self._breaker.rest_s()

    def ask(self, system: str, user: str, name: str, schema: Mapping[str, Any]) -> Reply:
        """One structured call.

        Raises:
            ModelUnavailable: the server cannot be reached, refuses, stalls past the time-out or breaks off; it has
                kept failing; or too many calls wait for it.
        """
        self._breaker.check()
        try:
            with self._waiting():
                return self._counted(system, user, name, schema)
        except Busy as error:
            raise ModelUnavailable(error.message, "Answers go on without the model.") from None

    def _counted(self, system: str, user: str, name: str, schema: Mapping[str, Any]) -> Reply:
        import httpx
        import openai

        try:
            reply = self._persistently(system, user, name, schema)
        except (openai.OpenAIError, httpx.HTTPError, ModelUnavailable) as error:
            if isinstance(error, openai.APIStatusError) and error.status_code < 500:
                self._breaker.succeeded()  # it is there; it is this request that it does not like
            else:
                self._breaker.failed()
            if isinstance(error, ModelUnavailable):
                raise
            raise ModelUnavailable(
                f"The language model `{self.name}` failed: {type(error).__name__}.",
                "Check OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL; answers go on without it.",
            ) from error
        self._breaker.succeeded()
        return reply

    def _persistently(self, system: str, user: str, name: str, schema: Mapping[str, Any]) -> Reply:
        """Again after refused connections and failures of the server. Not the client library's own retries: they
        give every try the whole time-out."""
        import openai

        deadline = time.monotonic() + self._settings.openai_timeout_s
        for tried in range(self._settings.openai_max_retries):
            try:
                return self._stream(system, user, name, schema, deadline)
            except (openai.APIConnectionError, openai.InternalServerError, openai.RateLimitError) as error:
                pause = RETRY_AFTER_S * 2**tried
                if isinstance(error, openai.APITimeoutError) or time.monotonic() + pause >= deadline:
                    raise
                time.sleep(pause)
        return self._stream(system, user, name, schema, deadline)

    def _stream(self, system: str, user: str, name: str, schema: Mapping[str, Any], deadline: float) -> Reply:
        parts: list[str] = []
        finished, usage = None, Usage(calls=1)
        stream = self._open().chat.completions.create(
            model=self.name,
            temperature=0,
            max_tokens=MAX_TOKENS,
            stream=True,
            stream_options={"include_usage": True},
            timeout=max(0.001, deadline - time.monotonic()),
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": name, "schema": dict(schema), "strict": True},
            },
        )
        with stream:
            for chunk in stream:
                if time.monotonic() > deadline:
                    raise ModelUnavailable(f"`{self.name}` took over {self._settings.openai_timeout_s:g} s.")
                for choice in chunk.choices:
                    parts.append(choice.delta.content or "")
                    finished = choice.finish_reason or finished
                if chunk.usage is not None:
                    usage = usage.model_copy(
                        update={
                            "prompt_tokens": chunk.usage.prompt_tokens,
                            "completion_tokens": chunk.usage.completion_tokens,
                        }
                    )
        if finished is None:
            raise ModelUnavailable(f"`{self.name}` broke off in mid-answer.", "Check the model server.")
        text = "".join(parts)
        return Reply(text=text, value=_object(text), usage=usage)

    def _open(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI

            key = self._settings.openai_api_key
            self._client = OpenAI(
                api_key=key.get_secret_value() if key is not None else "not-needed",
                base_url=self._settings.openai_base_url,
                max_retries=0,
            )
        return self._client


def _object(text: str) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
