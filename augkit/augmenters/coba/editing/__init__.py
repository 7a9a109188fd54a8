"""Turning the judgements of a text to the other side by rules over a parse and a lexicon."""
