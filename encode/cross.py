"""A question and a text read together: the cross-encoder's logits, within a time budget.

Reading time grows with every token, so a long text is read through the passage that shares most with the question,
behind the text's own beginning (a title, a table's header). Each pair is a run of its own: the weights are quantised
per run, and a pair that shared its run with others would score differently in another company.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from contracts.protocols import CrossEncoder
from contracts.settings import Settings
from encode.models import ModelFiles, find_model, is_hub_id
from encode.onnx import OnnxModel

READ_TOKENS = 224
"""Tokens of question and text together, special ones included; DECISIONS.md has the measurements."""
QUESTION_TOKENS = 64
"""A longer question is read up to here; the words behind it still count in BM25."""
HEAD_TOKENS = 24
"""Tokens of a long text's beginning that are read whatever passage is chosen."""


class OnnxCrossEncoder:
    """Implements `contracts.protocols.CrossEncoder`. Thread-safe."""

    def __init__(self, files: ModelFiles, threads: int = 0, read_tokens: int = READ_TOKENS) -> None:
        self.name = files.name
        self._model = OnnxModel(files, threads)
        self._read_tokens = min(read_tokens, files.max_tokens)
        self._cls, self._sep = self._model.tokenizer.encode("").ids
        self._logit([1], [1])  # the first run allocates; it must not eat the first question's budget

    def score(self, question: str, texts: Sequence[str], budget_ms: float) -> list[float] | None:
        """Logits, one per text, in their order; None when the budget ran out before all were read.

        The budget is looked at before each text, so that it is overrun by one run per thread at most.
        """
        deadline = time.perf_counter() + budget_ms / 1000
        asked = self._ids(question)[:QUESTION_TOKENS]

        def read(text: str) -> float | None:
            return None if time.perf_counter() >= deadline else self._logit(asked, self._passage(asked, text))

        logits = [logit for logit in self._model.map(read, texts) if logit is not None]
        return logits if len(logits) == len(texts) else None

    def _logit(self, asked: list[int], passage: list[int]) -> float:
        row = [self._cls, *asked, self._sep, *passage, self._sep]
        types = [0] * (len(asked) + 2) + [1] * (len(passage) + 1)
        output, _ = self._model.run([row], [types])
        return float(output[0, 0])

    def _passage(self, asked: list[int], text: str) -> list[int]:
        return choose_passage(asked, self._ids(text), self._read_tokens - len(asked) - 3, HEAD_TOKENS)

    def _ids(self, text: str) -> list[int]:
        return list(self._model.tokenizer.encode(text, add_special_tokens=False).ids)


def choose_passage(asked: Sequence[int], tokens: Sequence[int], room: int, head: int) -> list[int]:
    """`room` of `tokens`: the first `head` and the stretch behind them that shares most with `asked`.

    A token of the question counts more the rarer it is in the text (1 / its occurrences): "the" decides nothing.
    Of equal stretches the first is taken, so that a text that shares nothing is read from its beginning.
    """
    if len(tokens) <= room:
        return list(tokens)
    head = min(head, room // 2)
    body, length = tokens[head:], room - head
    wanted = set(asked)
    occurrences: dict[int, int] = {}
    for token in tokens:
        occurrences[token] = occurrences.get(token, 0) + 1
    step = max(1, length // 4)
    starts = [*range(0, len(body) - length, step), len(body) - length]
    shared = [sum(1 / occurrences[t] for t in wanted.intersection(body[s : s + length])) for s in starts]
    best = starts[max(range(len(starts)), key=lambda i: (round(shared[i], 9), -starts[i]))]
    return [*tokens[:head], *body[best : best + length]]


def load_cross_encoder(settings: Settings) -> CrossEncoder:
    """The cross-encoder that the settings name.

    Raises:
        ModelFileError: files are missing or changed, or the `hub` extra is.
    """
    if is_hub_id(settings.cross_encoder_model, "cross-encoder"):
        from encode.hub import HubCrossEncoder

        return HubCrossEncoder(settings.cross_encoder_model)
    return OnnxCrossEncoder(find_model(settings.cross_encoder_model, "cross-encoder"), settings.model_threads)
