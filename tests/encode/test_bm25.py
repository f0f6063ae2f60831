"""`rank_bm25` is the oracle: the term part is the same, the IDF differs on purpose and is put in explicitly."""

from __future__ import annotations

from math import exp, log, log1p

import pytest
from rank_bm25 import BM25Okapi

from contracts.chunks import SparseVector
from encode.bm25 import AVERAGE_TOKENS, Bm25Encoder, idf, score_pool
from encode.tokens import tokenise

CORPUS = [
    "Invoice STL/2025-26/003 for Acme Ltd, total 45,000.00",
    "Travel policy: economy class for flights under six hours, hotel up to 5,000",
    "Salary register April 2025: ST001 Asha 45,000.00; ST002 Ravi 52,000.00",
    "Leave policy: twelve days of casual leave, carried forward leave lapses",
    "Service contract between the buyer and the seller, notice of ninety days",
    "RULE-A002 overtime is paid at twice the basic wage",
    "The office is closed on public holidays",
]
QUESTIONS = ["leave policy", "STL/2025-26/003 total", "A002 overtime", "days of leave leave", "hotel flights economy"]


class LuceneIdf(BM25Okapi):
    """The oracle with our documented IDF, its own term part and length norm."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for term, n in nd.items()}


def corpus_encoder() -> Bm25Encoder:
    lengths = [len(tokenise(t)) for t in CORPUS]
    return Bm25Encoder(average_tokens=sum(lengths) / len(lengths))


def weigh(encoder: Bm25Encoder, question: str, document: SparseVector, weights: dict[str, float]) -> float:
    """What an engine computes: query value × document value × the IDF of the dimension."""
    by_index = {encoder.encode_query(term).indices[0]: w for term, w in weights.items()}
    values = dict(zip(document.indices, document.values, strict=True))
    query = encoder.encode_query(question)
    pairs = zip(query.indices, query.values, strict=True)
    return sum(q * values.get(i, 0.0) * by_index.get(i, 0.0) for i, q in pairs)


def single_token_weights(weights: dict[str, float]) -> dict[str, float]:
    """Compounds tokenise to several tokens when encoded alone; their own index comes first only for themselves."""
    return {term: w for term, w in weights.items() if tokenise(term) == [term]}


@pytest.mark.parametrize("question", ["leave policy", "overtime wage", "days leave leave", "hotel flights economy"])
def test_term_part_agrees_with_okapi_where_its_idf_is_positive(question: str) -> None:
    oracle = BM25Okapi([tokenise(t) for t in CORPUS])
    assert all(oracle.idf[t] > 0 for t in tokenise(question))
    encoder = corpus_encoder()
    ours = [weigh(encoder, question, encoder.encode_document(t), single_token_weights(oracle.idf)) for t in CORPUS]
    assert ours == pytest.approx(list(oracle.get_scores(tokenise(question))), abs=1e-6)


@pytest.mark.parametrize("question", QUESTIONS)
def test_pool_scores_agree_with_okapi_after_its_idf_is_exchanged(question: str) -> None:
    oracle = LuceneIdf([tokenise(t) for t in CORPUS])
    assert score_pool(question, CORPUS) == pytest.approx(list(oracle.get_scores(tokenise(question))), abs=1e-6)


def test_the_idf_is_the_softplus_of_okapis() -> None:
    oracle = BM25Okapi([tokenise(t) for t in CORPUS])
    for term, okapi in oracle.idf.items():
        containing = sum(term in tokenise(t) for t in CORPUS)
        if 2 * containing < len(CORPUS):  # elsewhere the oracle replaces its negative value
            assert idf(len(CORPUS), containing) == pytest.approx(log1p((7 - containing + 0.5) / (containing + 0.5)))
            assert idf(len(CORPUS), containing) == pytest.approx(log1p(exp(okapi)))


def test_weights_by_hand() -> None:
    """Two of `leave`, one of `days`, 3 tokens, average 150: norm = 1.5·(0.25 + 0.75·3/150) = 0.3975."""
    encoder = Bm25Encoder()
    vector = encoder.encode_document("leave leave days")
    values = dict(zip(vector.indices, vector.values, strict=True))
    leave, day = encoder.encode_query("leave").indices[0], encoder.encode_query("day").indices[0]
    assert AVERAGE_TOKENS == 150
    assert values == {leave: pytest.approx(2 * 2.5 / 2.3975), day: pytest.approx(2.5 / 1.3975)}


def test_a_term_in_every_one_of_two_documents_still_scores() -> None:
    """Reported as rank_bm25#43 and #39: Okapi gives zero or less."""
    scores = score_pool("salary register", ["salary register April", "salary policy for travel"])
    assert scores[0] > scores[1] > 0
    assert idf(2, 2) == pytest.approx(log(1.2))


def test_a_part_of_a_code_finds_it() -> None:
    """Reported as knowledge-rag#140."""
    scores = score_pool("A002", CORPUS)
    assert scores.index(max(scores)) == 5
    assert sum(s > 0 for s in scores) == 1


def test_query_values_are_counts_and_indices_ascend() -> None:
    query = Bm25Encoder().encode_query("leave policy leave")
    assert sorted(query.values) == [1.0, 2.0]
    assert list(query.indices) == sorted(query.indices)


@pytest.mark.parametrize("text", ["", "the of and", "¿?"])
def test_no_tokens_no_vector(text: str) -> None:
    assert Bm25Encoder().encode_query(text).indices == ()
    assert score_pool(text, CORPUS) == [0.0] * len(CORPUS)
    assert score_pool("leave", [text]) == [0.0]


def test_an_empty_pool_is_scored() -> None:
    assert score_pool("leave", []) == []


def test_indices_are_stable_across_processes_and_releases() -> None:
    """`printf leave | b2sum -l 32`; stored vectors depend on it."""
    assert Bm25Encoder().encode_query("leave").indices == (0x985D020A,)


def test_the_fingerprint_tells_every_parameter() -> None:
    prints = {
        Bm25Encoder(*p).fingerprint for p in [(1.5, 0.75, 150), (1.2, 0.75, 150), (1.5, 0.5, 150), (1.5, 0.75, 99)]
    }
    assert len(prints) == 4
