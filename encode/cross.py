"""A question and a text read together: the cross-encoder's logits, within a time budget."""

from __future__ import annotations

import time
from collections.abc import Sequence

from contracts.errors import ModelFileError
from contracts.protocols import CrossEncoder
from contracts.settings import Settings
from encode.models import ModelFiles, find_files
from encode.onnx import open_session, open_tokenizer, run

WINDOW = 256
"""Tokens of question and text together with three special ones."""
QUESTION_TOKENS = 64
"""At most; a longer question would leave no room for the text."""


class OnnxCrossEncoder:
    def __init__(self, files: ModelFiles, threads: int) -> None:
        self._tokenizer = open_tokenizer(files)
        self._session = open_session(files, threads)
        self._cls, self._sep = self._tokenizer.encode("").ids
        self.name = files.name

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        """Logits in the order of `texts`; None as soon as the budget is spent before all are read."""
        deadline = time.perf_counter() + budget_ms / 1000
        asked = self._tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
        logits = []
        for text in texts:
            if time.perf_counter() >= deadline:
                return None
            logits.append(self._read(asked, text))
        return logits

    def _read(self, asked: list[int], text: str) -> float:
        room = WINDOW - 3 - len(asked)
        read = self._tokenizer.encode(text, add_special_tokens=False).ids[:room]
        ids = [self._cls, *asked, self._sep, *read, self._sep]
        types = [0] * (len(asked) + 2) + [1] * (len(read) + 1)
        output, _ = run(self._session, [ids], [types])
        return float(output[0, 0])


def load_cross_encoder(settings: Settings) -> CrossEncoder:
    """The cross-encoder that the settings name.

    Raises:
        ModelFileError: its files are missing, not the pinned ones, or it needs the extra `hub`.
    """
    files = find_files(settings.cross_encoder_model)
    if files is not None:
        return OnnxCrossEncoder(files, settings.model_threads)
    try:
        from encode.hub import HubCrossEncoder
    except ImportError:
        raise ModelFileError(
            f"CROSS_ENCODER_MODEL={settings.cross_encoder_model!r} is neither packaged nor a folder; "
            "as a hub model it needs the extra `hub`.",
            "pip install 'allrows[hub]'",
        ) from None
    return HubCrossEncoder(settings.cross_encoder_model)
