"""Text to numbers: tokens, dense and sparse vectors, the cross-encoder, and their model files."""
