from __future__ import annotations

import pytest

from encode.cross import OnnxCrossEncoder
from encode.dense import OnnxDenseEncoder
from encode.models import find_model


@pytest.fixture(scope="session")
def dense() -> OnnxDenseEncoder:
    return OnnxDenseEncoder(find_model("minilm-int8", "dense"), threads=2)


@pytest.fixture(scope="session")
def cross() -> OnnxCrossEncoder:
    return OnnxCrossEncoder(find_model("minilm-l12-int8", "cross-encoder"), threads=2)
