"""Offline rewriting: by rules over a parse, and by alternatives that the other text rules out."""
