"""Classifiers under study: linear, encoder with a linear head, fine-tuned transformers."""
