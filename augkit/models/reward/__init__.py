"""Reward models: a score for every candidate of a choice."""
