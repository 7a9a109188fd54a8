"""Intervals of scores, differences between two classifiers, and their significance."""
