"""Numbers of the vector index, the same on every engine; `make bench-store` measures them."""

M = 16
EF_CONSTRUCT = 100
EF_SEARCH = 128
INDEXING_THRESHOLD_KB = 20_000
"""Below this a segment is scanned, which is exact and fast enough: about 13,000 vectors of 384 floats."""
OVERSAMPLING = 3.0
"""With quantisation: this many times the limit is rescored with the full vectors."""
