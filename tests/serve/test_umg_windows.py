from __future__ import annotations

from collections.abc import Sequence

from contracts.chunks import Chunk
from contracts.filters import Match, Scope
from serve.umg_windows import WindowPlaces


def chunk(name: str) -> Chunk:
    return Chunk(
        chunk_id=name, doc_id="d", kind="window", text=name, ordinal=0, page_start=1, page_end=1, line_start=1,
        line_end=1, granularity=2, sentence_start=3, sentence_end=4, tokens=9, parent_id="p",
    )  # fmt: skip


class CountingIndex:
    """Knows the windows `a` to `e` and remembers what it was asked for."""

    def __init__(self) -> None:
        self.version = "1"
        self.asked: list[list[str]] = []

    def chunks(self, scope: Scope, ids: Sequence[str]) -> tuple[Chunk, ...]:
        self.asked.append(list(ids))
        return tuple(chunk(i) for i in ids if i in "abcde")


def read(places: WindowPlaces, index: CountingIndex, ids: str, scope: Scope = Scope()) -> list[str]:
    return list(places.read(index, scope, ids))  # type: ignore[arg-type]


def test_a_window_is_read_once() -> None:
    places, index = WindowPlaces(), CountingIndex()
    assert read(places, index, "ab") == ["a", "b"]
    assert read(places, index, "bc") == ["b", "c"]
    assert read(places, index, "ca") == ["c", "a"]
    assert index.asked == [["a", "b"], ["c"]]
    window = places.read(index, Scope(), ["a"])["a"]  # type: ignore[arg-type]
    assert (window.start, window.end, window.tokens, window.parent_id, window.rows) == (3, 4, 9, "p", False)


def test_what_is_not_there_is_left_out_and_asked_for_again() -> None:
    places, index = WindowPlaces(), CountingIndex()
    assert read(places, index, "az") == ["a"]
    assert read(places, index, "az") == ["a"]
    assert index.asked == [["a", "z"], ["z"]]


def test_a_new_version_of_the_index_empties_it() -> None:
    places, index = WindowPlaces(), CountingIndex()
    read(places, index, "a")
    index.version = "2"
    read(places, index, "a")
    assert index.asked == [["a"], ["a"]]


def test_a_scope_within_documents_is_always_asked() -> None:
    """Its parents need not be in scope, so nothing that another scope read may be used."""
    places, index = WindowPlaces(), CountingIndex()
    read(places, index, "a")
    narrow = Scope(must=(Match(field="codes", any_of=("ST001",)),))
    assert read(places, index, "a", narrow) == ["a"]
    assert index.asked == [["a"], ["a"]]


def test_the_oldest_half_goes_when_it_is_full() -> None:
    places, index = WindowPlaces(most=4), CountingIndex()
    read(places, index, "abcd")
    read(places, index, "e")
    read(places, index, "cd")
    assert index.asked == [["a", "b", "c", "d"], ["e"]]
    read(places, index, "a")
    assert index.asked[-1] == ["a"]
