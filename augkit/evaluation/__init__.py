"""Measures of models and variants: pure functions, each score with its interval."""
