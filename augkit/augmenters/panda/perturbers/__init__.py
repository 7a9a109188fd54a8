"""Perturbers: what rewrites a text (rules, an LLM, a sequence-to-sequence model)."""
