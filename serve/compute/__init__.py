"""Questions over tables, answered by code over every row: plan, run, prove. See docs/computing.md."""

from serve.compute.answering import compute

__all__ = ["compute"]
