"""Grammars induced from the texts, and the structures in them that give the label away."""
