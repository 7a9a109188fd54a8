"""Contrast sets: NLI pairs in which a shortcut suggests the wrong label."""
