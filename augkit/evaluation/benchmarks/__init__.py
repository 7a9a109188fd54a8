"""Bias benchmarks of language models: published data in, scores with their intervals out."""
