"""The one adapter to any OpenAI-compatible server: OpenAI, vLLM, Ollama, llama.cpp.

`chat.completions` with a JSON schema works on all of them alike. The stream is read so that a server that
stalls or dies in mid-answer is noticed within the time-out, not after it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from contracts.base import JsonValue, Record
from contracts.errors import ModelUnavailable
from contracts.settings import Settings

if TYPE_CHECKING:
    from openai import OpenAI

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
    """Temperature 0. Retries are the client library's; the time-out bounds one whole call, retries included."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.openai_model or ""
        self._settings = settings
        self._client: OpenAI | None = None

    def ask(self, system: str, user: str, name: str, schema: Mapping[str, Any]) -> Reply:
        """One structured call.

        Raises:
            ModelUnavailable: the server cannot be reached, refuses, stalls past the time-out or breaks off.
        """
        import httpx
        import openai

        try:
            return self._stream(system, user, name, schema)
        except (openai.OpenAIError, httpx.HTTPError) as error:
            raise ModelUnavailable(
                f"The language model `{self.name}` failed: {type(error).__name__}.",
                "Check OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL; answers go on without it.",
            ) from error

    def _stream(self, system: str, user: str, name: str, schema: Mapping[str, Any]) -> Reply:
        deadline = time.monotonic() + self._settings.openai_timeout_s
        parts: list[str] = []
        finished, usage = None, Usage(calls=1)
        stream = self._open().chat.completions.create(
            model=self.name,
            temperature=0,
            max_tokens=MAX_TOKENS,
            stream=True,
            stream_options={"include_usage": True},
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
                timeout=self._settings.openai_timeout_s,
                max_retries=self._settings.openai_max_retries,
            )
        return self._client


def _object(text: str) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
