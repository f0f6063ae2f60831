"""Qdrant, embedded or served: the only package that imports a Qdrant library."""
