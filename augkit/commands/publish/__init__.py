"""A run for other people and other tools: its card, and its rows as a test of a harness."""
