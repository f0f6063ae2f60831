"""What is in force and whether it is sound: settings and their origin, engine, index, model files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contracts.base import JsonValue, Record
from contracts.documents import DocumentWarning
from contracts.errors import AllrowsError
from contracts.protocols import IndexState
from contracts.settings import Settings


class SettingInForce(Record):
    name: str
    value: JsonValue
    origin: str
    description: str


class Diagnosis(Record):
    """`problems` is empty when all is well; each names its remedy."""

    settings: tuple[SettingInForce, ...]
    models: tuple[dict[str, JsonValue], ...]
    index: IndexState | None
    document_warnings: dict[str, tuple[DocumentWarning, ...]] = {}
    problems: tuple[str, ...] = ()


def settings_in_force(settings: Settings, origins: Mapping[str, str]) -> tuple[SettingInForce, ...]:
    values: dict[str, Any] = settings.public()
    return tuple(
        SettingInForce(name=name, value=values[name], origin=origins[name], description=field.description or "")
        for name, field in Settings.model_fields.items()
    )


def examine(settings: Settings, origins: Mapping[str, str]) -> Diagnosis:
    """Looks at everything and changes nothing. A part that cannot be opened is a problem, not a crash."""
    from encode.models import model_report

    models = tuple(report.model_dump(mode="json") for report in model_report(settings))
    problems = [f"{m['name']}: {m['problem']}" for m in models if not m["ok"]]
    index: IndexState | None = None
    warnings: dict[str, tuple[DocumentWarning, ...]] = {}
    try:
        index, warnings = _index(settings)
        problems.extend(index.problems)
    except AllrowsError as error:
        problems.append(str(error))
    return Diagnosis(
        settings=settings_in_force(settings, origins),
        models=models,
        index=index,
        document_warnings=warnings,
        problems=tuple(problems),
    )


def _index(settings: Settings) -> tuple[IndexState, dict[str, tuple[DocumentWarning, ...]]]:
    from serve.client import find_server
    from serve.services import open_services

    server = find_server(settings)
    if server is not None:  # it holds the embedded index
        return server.state(), {d.name: tuple(d.warnings) for d in server.documents() if d.warnings}
    services = open_services(settings)
    try:
        warned = {d.name: d.warnings for d in services.index.documents() if d.warnings}
        return services.index.state(), warned
    finally:
        services.close()
