"""Numbers of the vector index and of requests to it, the same on every engine; `make bench-store` measures them."""

M = 16
EF_CONSTRUCT = 100
EF_SEARCH = 512
"""Recall@20 without a filter at 40,000 points: 0.9935 at 128 (1.8 ms of processor time), 0.997 at 256 (2.4 ms), 0.9995 at
512 (3.7 ms); at 100,000 points 128 gave 0.9825."""
INDEXING_THRESHOLD_KB = 20_000
"""Below this a segment is scanned, which is exact and fast enough: about 13,000 vectors of 384 floats."""
OVERSAMPLING = 3.0
"""With quantisation: this many times the limit is rescored with the full vectors."""
ACORN_SELECTIVITY = 0.9
"""Filters that keep at most this share of the points are searched with ACORN, which also walks over points outside
the filter. Recall@20 of a filter that keeps 30 % was 0.969 without and 1.000 with it, at twice the time (2 ms)."""
IDF_CORPUS_POINTS = 300_000
"""Up to this many points BM25 counts document frequencies over the live chunks of one granularity, which is exact but
linear in them (9 ms at 100,000 chunks, 1.6 ms with the engine's own statistics). Above, the engine's own are used: they
count windows, and deleted chunks until the engine optimises, which moves an IDF by little in so large a collection."""
BATCH_POINTS = 128
"""Points in one write."""
MOST_NAMED = 100_000
"""Ids or values in one condition: the pages of a document, the candidates of a question, the points to delete."""
MOST_ASKED = 10_000_000
"""Results of one request: the check that every document is whole asks for one count per document."""
