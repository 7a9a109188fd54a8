"""Choices: rows with several candidates of which one won, in the shapes that other tools write."""
