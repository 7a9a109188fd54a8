"""Evaluation of classifiers and variants over runs and datasets."""
