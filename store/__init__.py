"""The index: the only package that talks to Qdrant, embedded, in memory or on a server.

`store.open.open_index` is the way in; everything else follows from `store.schema`.
"""
