"""``augkit benchmark``: bias benchmarks of language models, with their intervals."""
