"""Batch ends: requests that are answered within a day, at half the price."""
