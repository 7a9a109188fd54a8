"""Offline linguistics: tags, parse, lemmas and what is built on them."""
