"""Flipping the polarity of a text by rules over its parse and an evaluative lexicon."""
