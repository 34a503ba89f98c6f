"""Measurements against baselines; run one with `python -m tests.bench.recall DATA`."""
