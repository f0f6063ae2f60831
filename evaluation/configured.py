"""Is the configuration in force the documented one? A README that says 0.65/0.35 must not outlive the change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from contracts.errors import InputError
from contracts.settings import Settings

DOCUMENTED = Path(__file__).with_name("documented.yaml")
_ASSIGNED = re.compile(r"(?<![A-Z_])([A-Z][A-Z0-9_]{3,})\s*=\s*([0-9]+(?:\.[0-9]+)?)\b")


def load_documented(path: Path = DOCUMENTED) -> dict[str, Any]:
    """Setting to documented value.

    Raises:
        InputError: not a mapping of known settings.
    """
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    unknown = set(values) - set(Settings.model_fields) if isinstance(values, dict) else {"(no mapping)"}
    if unknown:
        raise InputError(
            str(path), f"no such settings: {', '.join(sorted(unknown))}.", "`allrows doctor` lists every setting."
        )
    return dict(values)


def drift(settings: Settings, documented: dict[str, Any]) -> tuple[str, ...]:
    """One message for each setting that is not as documented."""
    return tuple(
        f"{name} is {getattr(settings, name)}, documented as {value}"
        for name, value in documented.items()
        if getattr(settings, name) != value
    )


def stated_defaults(text: str) -> Iterator[tuple[str, str]]:
    """(setting, value) for every `CHUNK_SIZE=1200` of a page. `ALLROWS_CHUNK_SIZE=900` is how to set another value."""
    for name, value in _ASSIGNED.findall(text):
        if name.lower() in Settings.model_fields:
            yield name.lower(), value
