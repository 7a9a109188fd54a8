"""``transformers:PATH``: a causal language model on this machine, with its own chat template."""
