"""One small adapter around ONNX Runtime and the tokenizer."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from encode.models import ModelFiles


def open_tokenizer(files: ModelFiles) -> Any:
    """The tokenizer without padding or truncation: its file pads every text to 512 tokens."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def open_session(files: ModelFiles, threads: int) -> Any:
    """An inference session on the CPU. `threads` 0: all cores this process may use."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or len(os.sched_getaffinity(0))
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])


def run(session: Any, ids: list[list[int]], types: list[list[int]]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The first output for a batch, and its attention mask, shape (batch, longest)."""
    width = max(map(len, ids))
    input_ids = np.zeros((len(ids), width), dtype=np.int64)
    type_ids = np.zeros_like(input_ids)
    mask = np.zeros_like(input_ids)
    for i, (row, kinds) in enumerate(zip(ids, types, strict=True)):
        input_ids[i, : len(row)] = row
        type_ids[i, : len(row)] = kinds
        mask[i, : len(row)] = 1
    feeds = {"input_ids": input_ids, "attention_mask": mask, "token_type_ids": type_ids}
    wanted = {i.name for i in session.get_inputs()}
    return session.run(None, {k: v for k, v in feeds.items() if k in wanted})[0], mask
