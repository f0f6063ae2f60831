"""The HTTP service: one module for each noun, access rules in one table, one problem format."""
