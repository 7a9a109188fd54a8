"""Variants of single texts in units: whole texts, sentences and clauses, for the offline editor."""
