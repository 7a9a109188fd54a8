"""Which mentions of a text are the same person: a light learned linker."""
