"""Word lists as data files, and their loader."""
