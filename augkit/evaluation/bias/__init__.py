"""Bias benchmarks of language models, and WEAT on vectors of your own."""
