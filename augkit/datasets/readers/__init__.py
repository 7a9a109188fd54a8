"""Readers of each format: JSON Lines, CSV and TSV, Arrow, the hub."""
