"""The OpenAPI document: FastAPI's, with the problem format and the key that FastAPI does not know of."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from serve.http.access import RULES, Level
from serve.http.problem import Problem

REFERENCE = "#/components/schemas/{model}"


def describe(app: FastAPI) -> dict[str, Any]:
    """The document; FastAPI keeps it after the first call."""
    document = app.openapi()
    components = document.setdefault("components", {})
    if "securitySchemes" in components:
        return document
    components["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    problem = Problem.model_json_schema(ref_template=REFERENCE)
    components["schemas"].update(problem.pop("$defs"), Problem=problem)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            level = RULES[f"{method.upper()} {path}"]
            if level > Level.PUBLIC:
                operation["security"] = [{"key": []}]
                operation["description"] = f"{operation.get('description', '')}\n\nRole: {level.name.lower()}.".strip()
    return document
