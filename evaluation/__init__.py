"""Golden sets, survival, ablation, parity and benchmarks."""
