"""Which references of a text are to the same person."""
