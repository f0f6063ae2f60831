"""Opens what a golden set is asked of: its own corpus in an index of its own, or the index as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from contracts.errors import InputError
from contracts.protocols import DenseEncoder
from contracts.settings import Settings
from evaluation.golden import GoldenSet
from serve.services import Services, open_services

GOLDEN = Path(__file__).with_name("golden.yaml")
"""The golden set of the sample corpus."""
SAMPLES = Path(__file__).with_name("samples")
HOSTILE = Path(__file__).with_name("samples_hostile")


@contextmanager
def corpus_services(golden: GoldenSet, golden_path: Path, settings: Settings) -> Iterator[Services]:
    """Services over the set's `corpus` folder, ingested into a temporary index; over the index of the
    settings when the set names none.

    Raises:
        InputError: the folder does not exist.
    """
    if golden.corpus is None:
        services = open_services(settings)
        try:
            yield services
        finally:
            services.close()
        return
    folder = golden_path.parent / golden.corpus
    if not folder.is_dir():
        raise InputError(str(golden_path), f"its corpus {folder} is no folder.", "Mend `corpus:` or remove it.")
    with tempfile.TemporaryDirectory(prefix="allrows-eval-") as data, ingested([folder], settings, Path(data)) as made:
        yield made


@contextmanager
def ingested(
    paths: list[Path], settings: Settings, data_dir: Path, dense: DenseEncoder | None = None
) -> Iterator[Services]:
    """Services over an embedded index in `data_dir` that holds `paths`; unchanged files are not read again.

    `dense` embeds instead of the encoder of the settings; it must be the same model.
    """
    private = settings.model_copy(update={"data_dir": data_dir, "qdrant_url": None})
    services = open_services(private, create=True)
    try:
        ingest_here(paths, services, dense)
        yield services
    finally:
        services.close()


def ingest_here(paths: Sequence[Path], services: Services, dense: DenseEncoder | None = None) -> None:
    """Ingests in this process: the models are loaded already, and the corpora of golden sets are small.

    Raises:
        InputError: a file failed; figures over a part of the corpus would mislead.
    """
    from ingest.pipeline import ingest
    from ingest.workers import run_here

    dense, sparse = dense or services.dense.get(), services.sparse
    report = ingest(
        paths,
        services.settings,
        services.index,
        dense=dense,
        sparse=sparse,
        load=lambda _: (dense, sparse),
        run=run_here,
    )
    failed = [document for document in report.documents if document.status == "failed"]
    if failed:
        raise InputError(failed[0].source, failed[0].detail, f"{len(failed)} files of the corpus failed; mend them.")
