"""Rewriting that keeps the label: small edits of an analysed text, each with its promise."""
