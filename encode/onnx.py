"""The adapter to ONNX Runtime and the tokenizers library; nothing else imports them.

One run uses one thread, and several runs go side by side: short inputs gain nothing from sharing one matrix product
between cores, and the reranker's runs are as many as there are candidates anyway.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from contracts.errors import ModelFileError
from contracts.protocols import Floats
from encode.models import ModelFiles

if TYPE_CHECKING:
    from tokenizers import Tokenizer

T = TypeVar("T")
R = TypeVar("R")


class OnnxModel:
    """A transformer and its tokenizer. Thread-safe."""

    def __init__(self, files: ModelFiles, threads: int) -> None:
        """
        Raises:
            ModelFileError: the files are not a model and a tokenizer.
        """
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        try:
            self._session = onnxruntime.InferenceSession(
                str(files.weights), options, providers=["CPUExecutionProvider"]
            )
            self.tokenizer: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
        except Exception as error:  # both libraries raise bare Exception subclasses of their own
            raise ModelFileError(
                f"{files.name} in {files.weights.parent}: {error}.", "Export the model again."
            ) from error
        self.tokenizer.no_padding()  # the packaged file pads everything to 512 tokens
        self.tokenizer.no_truncation()
        self._inputs = {i.name for i in self._session.get_inputs()}
        count = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="model") if count > 1 else None

    def run(self, rows: Sequence[Sequence[int]], types: Sequence[Sequence[int]] = ()) -> tuple[Floats, Floats]:
        """First output of the model and the attention mask, for rows of token ids padded to the longest.

        `types` are the rows' segments (0 question, 1 text); none: all 0.
        """
        width = max(map(len, rows))
        ids, segments, mask = (np.zeros((len(rows), width), dtype=np.int64) for _ in range(3))
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        for place, row in enumerate(types):
            segments[place, : len(row)] = row
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        outputs = self._session.run(None, {name: feed[name] for name in feed if name in self._inputs})
        return np.asarray(outputs[0], dtype=np.float32), mask.astype(np.float32)

    def map(self, work: Callable[[T], R], items: Sequence[T]) -> Iterable[R]:
        """`work` on every item, as many at a time as there are threads; results in order."""
        if len(items) < 2 or self._pool is None:
            return map(work, items)
        return self._pool.map(work, items)
