"""Benchmarks that the documentation stands on: see README.md here."""
