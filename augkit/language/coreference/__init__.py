"""Coreference: which pronouns, names and nouns of a text refer to the same person."""
