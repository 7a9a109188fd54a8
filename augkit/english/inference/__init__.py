"""Premise and hypothesis: what follows, what contradicts, what stays open."""
