"""Pairs of texts: other wordings of the negation of the second, and symmetric pairs."""
