"""Everything an answer needs, opened once and passed explicitly."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from contracts.errors import ModelFileError
from contracts.protocols import CrossEncoder, DenseEncoder, Index, SparseEncoder
from contracts.settings import Settings
from serve.lexicon import Lexicon, load_lexicon
from serve.umg_windows import WindowPlaces

if TYPE_CHECKING:
    from serve.llm.client import LanguageModel
    from serve.tracestore import TraceStore

T = TypeVar("T")


class Lazy(Generic[T]):
    """Loads a model in the background the moment it is created; `get` waits for it.

    A model loaded inside the first request would eat that request's time budget.
    """

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._value: T | None = None
        self._error: Exception | None = None
        # Not a daemon: a process that ends at once (a locked index) must not be torn down under a loading model.
        self._thread = threading.Thread(target=self._run, name="load-model")
        self._thread.start()

    def _run(self) -> None:
        try:
            self._value = self._load()
        except Exception as error:  # noqa: BLE001 - handed to whoever asks, on their own thread
            self._error = error

    def get(self) -> T:
        """The loaded model.

        Raises:
            ModelFileError: its files are missing or changed.
        """
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._value is not None
        return self._value


@dataclass(frozen=True)
class Services:
    """One per process; safe to share between threads."""

    settings: Settings
    index: Index
    dense: Lazy[DenseEncoder]
    sparse: SparseEncoder
    cross_encoder: Lazy[CrossEncoder] | None
    lexicon: Lexicon
    traces: TraceStore | None = None
    model: LanguageModel | None = None
    windows: WindowPlaces = field(default_factory=WindowPlaces)

    def reranker(self) -> CrossEncoder | None:
        """The cross-encoder, or None when it is off or cannot be loaded."""
        if self.cross_encoder is None:
            return None
        try:
            return self.cross_encoder.get()
        except ModelFileError:
            return None

    def close(self) -> None:
        self.index.close()
        if self.traces is not None:
            self.traces.close()


def open_services(
    settings: Settings,
    *,
    index: Index | None = None,
    open_traces: Callable[[Settings, Index], TraceStore] | None = None,
    create: bool = False,
) -> Services:
    """Opens the index and starts loading the models. Nothing is written unless `create`.

    Raises:
        ConfigError, IndexLocked, IndexMismatch, StoreUnavailable: with the remedy.
    """
    from encode.bm25 import Bm25Encoder
    from encode.cross import load_cross_encoder
    from encode.dense import load_dense

    dense = Lazy(lambda: load_dense(settings))
    cross = Lazy(lambda: load_cross_encoder(settings)) if settings.rerank else None
    sparse = Bm25Encoder()
    lexicon = load_lexicon(settings.lexicon)
    if index is None:
        from store.open import open_index

        index = open_index(settings, fingerprints_of(dense.get(), sparse), create=create)
    traces = open_traces(settings, index) if open_traces is not None else None
    return Services(
        settings=settings,
        index=index,
        dense=dense,
        sparse=sparse,
        cross_encoder=cross,
        lexicon=lexicon,
        traces=traces,
        model=_model(settings),
    )


def fingerprints_of(dense: DenseEncoder, sparse: SparseEncoder) -> dict[str, str]:
    """What an index's vectors depend on; one made with others is refused."""
    return {"dense": dense.fingerprint, "dimension": str(dense.dimension), "sparse": sparse.fingerprint}


def _model(settings: Settings) -> LanguageModel | None:
    if not settings.has_model():
        return None
    from serve.llm.client import LanguageModel

    return LanguageModel(settings)
