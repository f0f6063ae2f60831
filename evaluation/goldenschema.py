"""The JSON schema of golden sets, for editors: `python -m evaluation.goldenschema` writes golden.schema.json."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation.golden import GoldenSet

PATH = Path(__file__).with_name("golden.schema.json")


def schema_text() -> str:
    return json.dumps(GoldenSet.model_json_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(schema_text(), encoding="utf-8")
