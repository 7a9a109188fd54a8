"""Baselines that papers compare with, one file or folder each."""
