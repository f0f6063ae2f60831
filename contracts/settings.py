"""The settings tree: typed, closed, checked at start, each value with its origin.

Read from the environment (`ALLROWS_CHUNK_SIZE`; `OPENAI_*` under their usual names), then from
`allrows.toml`, then the defaults. A blank value counts as unset.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import AliasChoices, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from contracts.errors import ConfigError
from contracts.questions import Strategy

PREFIX = "ALLROWS_"
RESERVED = ("ALLROWS_TEST_", "ALLROWS_BENCH_")
"""Environment variables of the test and benchmark runs, not settings."""


def _openai(name: str) -> AliasChoices:
    return AliasChoices(f"openai_{name}", f"OPENAI_{name.upper()}")


class Settings(BaseSettings):
    """Every setting. Field descriptions are what `allrows doctor` and the docs show."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, populate_by_name=True, case_sensitive=False
    )

    # Where things are
    data_dir: Path = Field(Path(".allrows"), description="folder of the embedded index, traces and keys")
    collection: str = Field("allrows", pattern=r"^[a-z0-9][a-z0-9_-]{0,60}$", description="name of the live alias")
    qdrant_url: str | None = Field(None, description="a Qdrant server or cloud; unset: embedded")
    qdrant_api_key: SecretStr | None = Field(None, description="key of that server")
    qdrant_prefer_grpc: bool = Field(False, description="gRPC instead of REST")
    qdrant_grpc_port: int = Field(6334, ge=1, le=65535, description="gRPC port of that server")
    qdrant_timeout_s: float = Field(10.0, gt=0, description="seconds for one request to the server")
    qdrant_shards: int = Field(1, ge=1, description="shards of a new server collection")
    qdrant_replication: int = Field(1, ge=1, description="copies of each shard")
    quantization: str = Field("none", pattern="^(none|scalar|binary)$", description="vector compression with rescoring")

    # Models
    dense_model: str = Field("minilm-int8", description="packaged name, a folder, or a hub id with the hub extra")
    cross_encoder_model: str = Field("minilm-l12-int8", description="packaged name, a folder, or a hub id")
    model_threads: int = Field(0, ge=0, description="threads of one model run; 0: all cores")

    # Chunks
    chunk_size: int = Field(1200, ge=100, description="characters of a prose chunk at most")
    chunk_overlap: int = Field(200, ge=0, description="characters two prose chunks share")
    granularities: tuple[int, ...] = Field((), description="sentence windows beside the chunks, e.g. [2, 4, 8, 16, 32]")
    ingest_workers: int = Field(0, ge=0, description="processes; 0: one for each core")
    ingest_file_timeout_s: float = Field(3600.0, gt=0, description="seconds for one file; past them it fails alone")

    # Retrieval
    strategy: Strategy = Field("hybrid", description="hybrid, dispatch, dense, bm25, rrf, umg or umgp")
    top_k_retrieve: int = Field(20, ge=1, description="candidates of each method")
    weight_dense: float = Field(0.65, ge=0, le=1, description="share of the dense score in the fusion")
    weight_bm25: float = Field(0.35, ge=0, le=1, description="share of the BM25 score in the fusion")
    rrf_k: int = Field(60, ge=1, description="constant of reciprocal rank fusion")
    umg_candidates: int = Field(100, ge=1, description="candidates of each expert and granularity")

    # Rerank
    rerank: bool = Field(True, description="whether the cross-encoder runs")
    top_k_before_rerank: int = Field(5, ge=1, description="candidates the cross-encoder reads")
    top_k_after_rerank: int = Field(3, ge=1, description="candidates passed on")
    rerank_budget_ms: float = Field(1500.0, gt=0, description="milliseconds; past them the fused order stands")

    # Arbiter, not found
    arbiter: str = Field("auto", pattern="^(auto|rules|model)$", description="auto: the model when one is set")
    arbiter_max_candidates: int = Field(40, ge=1, description="larger pools are cut by RRF first")
    outline_call_sections: int = Field(
        200, ge=1, description="the model picks sections from an outline of more than these first, in one more call"
    )
    lexicon: Path | None = Field(None, description="a YAML that extends the shipped lexicon")

    # Compression
    max_context_chars: int = Field(5000, ge=100, description="characters of evidence in the prompt")
    sentence_threshold: float = Field(0.30, ge=0, le=1, description="prose sentences below are dropped; rows never")
    compress_rows_as_sentences: bool = Field(
        False, description="the fault this product exists against; for the survival gate and ablations only"
    )

    # The language model
    openai_api_key: SecretStr | None = Field(None, validation_alias=_openai("api_key"), description="key of the model")
    openai_base_url: str | None = Field(None, validation_alias=_openai("base_url"), description="any compatible server")
    openai_model: str | None = Field(None, validation_alias=_openai("model"), description="unset: no language model")
    openai_timeout_s: float = Field(
        30.0, gt=0, validation_alias=_openai("timeout_s"), description="seconds for one call"
    )
    openai_max_retries: int = Field(
        2, ge=0, validation_alias=_openai("max_retries"), description="retries by the client"
    )
    price_per_1k_input: float = Field(0.0, ge=0, description="price of 1,000 prompt tokens")
    price_per_1k_output: float = Field(0.0, ge=0, description="price of 1,000 answer tokens")

    # The service
    host: str = Field("127.0.0.1", description="address to listen on; others than loopback need keys")
    port: int = Field(8000, ge=0, le=65535, description="port; 0: any free one")
    workers: int = Field(2, ge=1, description="questions answered at the same time")
    queue_limit: int = Field(64, ge=0, description="questions that wait; past it 503 with Retry-After")
    rate_limit_per_minute: int = Field(0, ge=0, description="requests of one key; 0: no limit")
    max_upload_mb: int = Field(50, ge=1, description="size of one uploaded file")
    max_question_chars: int = Field(10_000, ge=1, description="longer questions are refused")
    database_url: str | None = Field(None, description="trace store; unset: SQLite in data_dir")
    trace_retention_days: int = Field(90, ge=0, description="0: for ever")
    otel_endpoint: str | None = Field(None, description="OTLP over HTTP; unset: no spans")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `load_settings` passes in: no hidden global source."""
        return (init_settings,)

    @model_validator(mode="after")
    def _weights_sum_to_one(self) -> Self:
        total = self.weight_dense + self.weight_bm25
        if abs(total - 1.0) > 1e-6:
            raise ValueError(
                f"WEIGHT_DENSE + WEIGHT_BM25 must be 1, they are {total:g}; "
                f"WEIGHT_BM25={1 - self.weight_dense:g} would work"
            )
        return self

    @model_validator(mode="after")
    def _sizes_fit(self) -> Self:
        need = self.chunk_size * self.top_k_after_rerank
        if self.max_context_chars < need:
            raise ValueError(
                f"MAX_CONTEXT_CHARS={self.max_context_chars} is less than CHUNK_SIZE × TOP_K_AFTER_RERANK = {need}; "
                f"MAX_CONTEXT_CHARS={need} would work"
            )
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError(
                f"CHUNK_OVERLAP={self.chunk_overlap} must be below CHUNK_SIZE={self.chunk_size}; "
                f"CHUNK_OVERLAP={self.chunk_size // 6} would work"
            )
        if self.top_k_after_rerank > self.top_k_before_rerank:
            raise ValueError(
                f"TOP_K_AFTER_RERANK={self.top_k_after_rerank} is more than TOP_K_BEFORE_RERANK="
                f"{self.top_k_before_rerank}; TOP_K_AFTER_RERANK={self.top_k_before_rerank} would work"
            )
        if any(g < 1 for g in self.granularities):
            raise ValueError("GRANULARITIES are numbers of sentences of 1 and more; 2,4,8,16,32 would work")
        return self

    def public(self) -> dict[str, Any]:
        """Every value as JSON, secrets masked, also a password within an address."""
        values = self.model_dump(mode="json")
        return {name: _without_password(value) if isinstance(value, str) else value for name, value in values.items()}

    def has_model(self) -> bool:
        return self.openai_model is not None and (self.openai_api_key is not None or self.openai_base_url is not None)


def _without_password(text: str) -> str:
    """`scheme://user:secret@host` → `scheme://user:**********@host`."""
    return re.sub(r"(://[^/@:]*:)[^/@]*(?=@)", r"\1**********", text)


def load_settings(
    environ: Mapping[str, str] | None = None,
    toml_path: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> tuple[Settings, dict[str, str]]:
    """Settings in force, and for each field where its value came from.

    Precedence: `overrides` (command line) > environment > `allrows.toml` > default.

    Raises:
        ConfigError: an unknown key or a bad value; the message names the setting and its origin.
    """
    environ = os.environ if environ is None else environ
    path = Path("allrows.toml") if toml_path is None else toml_path
    values: dict[str, Any] = {}
    origins = dict.fromkeys(Settings.model_fields, "default")
    for origin, layer in (
        (str(path), _from_toml(path, required=toml_path is not None)),
        ("environment", _from_environment(environ)),
        ("command line", dict(overrides or {})),
    ):
        for key, value in layer.items():
            values[key] = value
            origins[key] = f"environment {_variable(key)}" if origin == "environment" else origin
    try:
        return Settings(**values), origins
    except ValidationError as error:
        raise ConfigError(_explain(error, origins), "`allrows doctor` lists every setting.") from None


def _variable(field: str) -> str:
    return field.upper() if field.startswith("openai_") else PREFIX + field.upper()


def _known(field: str, where: str) -> None:
    if field not in Settings.model_fields:
        near = _nearest(field)
        raise ConfigError(
            f"{where}: there is no setting `{field}`.", f"Did you mean `{near}`?" if near else "Remove it."
        )


def _nearest(field: str) -> str | None:
    import difflib

    close = difflib.get_close_matches(field, Settings.model_fields, n=1, cutoff=0.6)
    return close[0] if close else None


def _parse(field: str, text: str) -> Any:
    if field == "granularities":
        return tuple(part.strip() for part in text.strip("[]() ").split(",") if part.strip())
    return text


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, text in environ.items():
        upper = name.upper()
        if upper.startswith(PREFIX) and not upper.startswith(RESERVED):
            field = upper.removeprefix(PREFIX).lower()
            _known(field, f"environment {name}")
        elif upper.startswith("OPENAI_") and upper.lower() in Settings.model_fields:
            field = upper.lower()  # other OPENAI_* variables belong to the client library
        else:
            continue
        if text.strip():
            found[field] = _parse(field, text.strip())
    return found


def _from_toml(path: Path, required: bool) -> dict[str, Any]:
    if not path.is_file():
        if required:
            raise ConfigError(f"{path}: no such settings file.", "Create it or leave the option out.")
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}.", "Mend the line named.") from None
    found: dict[str, Any] = {}
    for key, value in content.items():
        _known(key, str(path))
        if not (isinstance(value, str) and not value.strip()):
            found[key] = value
    return found


def _explain(error: ValidationError, origins: Mapping[str, str]) -> str:
    parts = []
    for item in error.errors():
        field = str(item["loc"][0]).lower() if item["loc"] else ""
        text = item["msg"].removeprefix("Value error, ")
        if not field:
            parts.append(text)
            continue
        info = Settings.model_fields.get(field)
        default = f"; {_variable(field)}={info.default} would work" if info and info.default is not None else ""
        parts.append(f"{_variable(field)}={item['input']!r} (from {origins.get(field, '?')}): {text}{default}")
    return "Wrong settings: " + "; ".join(parts) + "."
