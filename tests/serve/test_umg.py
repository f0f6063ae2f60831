"""Formulas against hand-worked numbers, scipy's entropy and a brute-force mixture."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy

from serve.umg import (
    PROMOTED,
    Hits,
    Ranked,
    Window,
    distribution,
    mix,
    overlap,
    parents_of,
    rank,
    skip_overlapping,
    utility,
)

SCORES = st.lists(st.integers(-1000, 1000).map(lambda n: n / 8), min_size=2, max_size=30).filter(
    lambda s: len(set(s)) > 1
)
"""Eighths: exact in binary, so that shifting and scaling by powers of two is exact as well."""


def window(name: str, start: int, end: int, size: int = 2, parent: str | None = None, tokens: int = 16) -> Window:
    return Window(id=name, doc_id="d", granularity=size, start=start, end=end, tokens=tokens, parent_id=parent)


def test_three_scores_by_hand() -> None:
    """3, 2, 1 → 1, ½, 0 → ⅔, ⅓, 0; H = (⅔ ln 3/2 + ⅓ ln 3) / ln 3."""
    found = distribution([3.0, 2.0, 1.0])
    assert found.probabilities == pytest.approx((2 / 3, 1 / 3, 0.0))
    assert found.entropy == pytest.approx((2 / 3 * log(1.5) + 1 / 3 * log(3)) / log(3))
    assert found.confidence == pytest.approx(1 - 0.5793801643)
    assert found.degenerate == ""


def test_two_scores_are_certain() -> None:
    """The lower one is 0 after min-max, whatever it was."""
    assert distribution([0.9, 0.1]).probabilities == (1.0, 0.0)
    assert distribution([0.9, 0.1]).confidence == 1.0


@pytest.mark.parametrize(
    ("scores", "kind", "probabilities"),
    [([], "empty", ()), ([5.0], "single", (1.0,)), ([2.0, 2.0, 2.0, 2.0], "flat", (0.25,) * 4)],
)
def test_degenerate_ones_have_no_confidence(scores: list[float], kind: str, probabilities: tuple[float, ...]) -> None:
    found = distribution(scores)
    assert (found.degenerate, found.confidence, found.probabilities) == (kind, 0.0, probabilities)


def test_one_hit_among_candidates_that_score_nothing_is_certain() -> None:
    """An exact code in one window of ten: p = (1, 0, …), H = 0."""
    found = distribution([7.5], zeros=9)
    assert (found.probabilities, found.entropy, found.degenerate) == ((1.0,), 0.0, "")


def test_zeros_count_as_candidates() -> None:
    """4 and 2 with two zeros → 1, ½, 0, 0 → ⅔, ⅓, and ln n is ln 4."""
    found = distribution([4.0, 2.0], zeros=2)
    assert found.probabilities == pytest.approx((2 / 3, 1 / 3))
    assert found.entropy == pytest.approx((2 / 3 * log(1.5) + 1 / 3 * log(3)) / log(4))


@given(SCORES)
def test_entropy_agrees_with_scipy(scores: list[float]) -> None:
    low = min(scores)
    expected = scipy_entropy([s - low for s in scores], base=len(scores))
    assert distribution(scores).entropy == pytest.approx(float(expected), abs=1e-9)


@given(SCORES, st.randoms(use_true_random=False))
def test_order_does_not_matter(scores: list[float], random: object) -> None:
    shuffled = list(scores)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert distribution(shuffled).entropy == pytest.approx(distribution(scores).entropy, abs=1e-12)
    assert sorted(distribution(shuffled).probabilities) == pytest.approx(sorted(distribution(scores).probabilities))


@given(SCORES, st.sampled_from([0.25, 0.5, 2.0, 16.0]), st.integers(-64, 64))
def test_scale_and_offset_do_not_matter(scores: list[float], scale: float, offset: int) -> None:
    moved = [s * scale + offset for s in scores]
    assert distribution(moved).probabilities == pytest.approx(distribution(scores).probabilities)


@given(SCORES, st.integers(0, 20))
def test_probabilities_sum_to_one_and_entropy_is_normalised(scores: list[float], zeros: int) -> None:
    found = distribution([s - min(scores) for s in scores], zeros)
    assert sum(found.probabilities) == pytest.approx(1.0)
    assert 0.0 <= found.entropy <= 1.0


def test_a_mixture_by_hand() -> None:
    """dense@2: ⅔, ⅓, 0 with c = 0.42062; bm25@2: certain of b, c = 1; the flat pair has no say."""
    mixture = mix(
        {
            ("dense", 2): Hits({"a": 3.0, "b": 2.0, "c": 1.0}),
            ("bm25", 2): Hits({"b": 9.0}, zeros=2),
            ("dense", 4): Hits({"d": 1.0, "e": 1.0}),
        }
    )
    c = 1 - (2 / 3 * log(1.5) + 1 / 3 * log(3)) / log(3)
    assert mixture.weights == pytest.approx({("dense", 2): c / (1 + c), ("bm25", 2): 1 / (1 + c), ("dense", 4): 0.0})
    assert mixture.scores == pytest.approx(
        {"a": c * 2 / 3 / (1 + c), "b": (c / 3 + 1) / (1 + c), "c": 0.0, "d": 0.0, "e": 0.0}
    )
    assert not mixture.uniform


def test_without_any_confidence_all_that_found_something_count_the_same() -> None:
    mixture = mix({("dense", 2): Hits({"a": 0.4}), ("dense", 4): Hits({"b": 0.3}), ("bm25", 2): Hits({})})
    assert mixture.uniform
    assert mixture.scores == {"a": 0.5, "b": 0.5}
    assert mix({}).scores == {}


POOLS = st.dictionaries(
    st.tuples(st.sampled_from(["dense", "bm25"]), st.sampled_from([2, 4, 8])),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 64).map(float), min_size=2, max_size=8),
    min_size=1,
    max_size=6,
)


@given(POOLS)
def test_the_mixture_agrees_with_brute_force(pools: dict[tuple[str, int], dict[str, float]]) -> None:
    mass: dict[str, float] = {}
    trust = 0.0
    for scores in pools.values():
        low, high = min(scores.values()), max(scores.values())
        if high == low:
            continue
        scaled = {i: (s - low) / (high - low) for i, s in scores.items()}
        share = {i: s / sum(scaled.values()) for i, s in scaled.items()}
        c = 1 - float(scipy_entropy(list(share.values()))) / log(len(share))
        trust += c
        for i, p in share.items():
            mass[i] = mass.get(i, 0.0) + c * p
    mixture = mix({pair: Hits(scores) for pair, scores in pools.items()})
    assert sum(mixture.scores.values()) == pytest.approx(1.0)
    if trust > 1e-9:
        expected = {i: mass.get(i, 0.0) / trust for scores in pools.values() for i in scores}
        assert mixture.scores == pytest.approx(expected, abs=1e-9)
    else:
        assert mixture.uniform


def test_utility_by_hand() -> None:
    assert utility(0.3, 36) == pytest.approx(0.05)
    assert utility(0.3, 0) == 0.3


def test_rank_prefers_evidence_that_is_short() -> None:
    """0.4/√64 = 0.05 < 0.3/√16 = 0.075; equal utilities by id."""
    windows = {"long": window("long", 0, 7, tokens=64), "b": window("b", 9, 9), "a": window("a", 8, 8)}
    ranked = rank({"long": 0.4, "b": 0.3, "a": 0.3}, windows)
    assert [r.window.id for r in ranked] == ["a", "b", "long"]
    assert ranked[2].utility == pytest.approx(0.4 / sqrt(64))


def test_promotion_by_hand() -> None:
    """Two of 2 and one of 4 go to p (0.1 + 0.2 + 0.3) with p's own 0.1; the 16 stays; the orphan stays as it is."""
    windows = {
        "x": window("x", 0, 1, parent="p"),
        "y": window("y", 1, 2, parent="p"),
        "z": window("z", 0, 3, size=4, parent="p"),
        "p": window("p", 0, 7, size=8, tokens=64),
        "q": window("q", 0, 15, size=16, tokens=100, parent="p"),
        "o": window("o", 20, 21, parent="gone"),
    }
    scores = {"x": 0.1, "y": 0.2, "z": 0.3, "p": 0.1, "q": 0.2, "o": 0.1}
    assert parents_of(scores, windows, PROMOTED) == pytest.approx({"p": 0.6, "gone": 0.1})
    found = {r.window.id: r for r in rank(scores, windows, PROMOTED)}
    assert set(found) == {"p", "q", "o"}
    assert found["p"].mass == pytest.approx(0.7)
    assert found["p"].utility == pytest.approx(0.7 / 8)
    assert set(found["p"].members) == {"x", "y", "z", "p"}
    assert found["o"].window.granularity == 2


def test_the_sum_is_capped_at_one() -> None:
    windows = {n: window(n, 0, 1, parent="p") for n in "abc"} | {"p": window("p", 0, 7, size=8)}
    assert rank({"a": 0.6, "b": 0.5, "c": 0.4}, windows, PROMOTED)[0].mass == 1.0


def test_rows_always_give_way_to_their_table_and_sentences_only_when_asked() -> None:
    rows = {n: Window(n, "d", size, 0, 1, 16, parent_id="t", rows=True) for n, size in (("a", 2), ("b", 32))}
    windows = {**rows, "x": window("x", 5, 6, parent="p"), "p": window("p", 5, 12, size=8)}
    windows["t"] = Window("t", "d", 0, -1, -1, tokens=100)
    found = {r.window.id: r.mass for r in rank({"a": 0.2, "b": 0.3, "x": 0.1}, windows)}
    assert found == {"t": 0.5, "x": 0.1}


def test_a_whole_table_overlaps_nothing() -> None:
    table = Window("t", "d", 0, -1, -1, tokens=100)
    assert overlap(table, window("a", 0, 3)) == overlap(window("a", 0, 3), table) == 0.0


@pytest.mark.parametrize(
    ("start", "end", "other", "share"),
    [(0, 3, (0, 7), 1.0), (0, 7, (0, 3), 0.5), (3, 6, (4, 11), 0.75), (0, 3, (4, 7), 0.0), (4, 7, (0, 3), 0.0)],
)
def test_overlap_is_the_share_of_the_first(start: int, end: int, other: tuple[int, int], share: float) -> None:
    assert overlap(window("a", start, end), window("b", *other)) == share
    elsewhere = Window(id="b", doc_id="e", granularity=2, start=other[0], end=other[1], tokens=1)
    assert overlap(window("a", start, end), elsewhere) == 0.0


def test_only_more_than_75_percent_is_skipped() -> None:
    ranked = [
        Ranked(window("best", 4, 11), 0.5, 0.5, ("best",)),
        Ranked(window("three-quarters", 3, 6), 0.4, 0.4, ("three-quarters",)),
        Ranked(window("inside", 5, 8), 0.3, 0.3, ("inside",)),
        Ranked(window("around", 0, 15), 0.2, 0.2, ("around",)),
        Ranked(window("last", 20, 21), 0.1, 0.1, ("last",)),
    ]
    kept, skipped = skip_overlapping(ranked, limit=3)
    assert [r.window.id for r in kept] == ["best", "three-quarters", "around"]
    assert [(r.window.id, holder) for r, holder in skipped] == [("inside", "best")]
